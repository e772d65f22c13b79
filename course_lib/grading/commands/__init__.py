"""The commands of `grade`, one file each; `add` puts a command on the command line."""
