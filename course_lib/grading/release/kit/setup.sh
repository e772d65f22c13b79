#!/usr/bin/env bash
# Run once, while Gradescope builds the image: Python 3.11 or newer, and the course's package.
set -euo pipefail
AUTOGRADER="$${AUTOGRADER:-/autograder}"

apt-get update
apt-get install -y bubblewrap
for version in 3.13 3.12 3.11; do
  if command -v "python$$version" > /dev/null || apt-get install -y "python$$version"; then
    python="python$$version"
    break
  fi
done
apt-get install -y "$$python-venv"
"$$python" -m venv "$$AUTOGRADER/venv"
"$$AUTOGRADER/venv/bin/pip" install "$$AUTOGRADER/source/package${extra}"
