"""Where a learner's code runs: bubblewrap, a container, or an ordinary user with limits."""
