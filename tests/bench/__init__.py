"""How much the course's code costs beside the fastest alternative: `python -m tests.bench`."""
