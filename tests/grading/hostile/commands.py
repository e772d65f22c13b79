"""Commands that are refused."""

from course_lib.grading import cli


def refused(capsys, *arguments) -> str:
    """What a command says that comes to exit code 2."""
    try:
        code = cli.main([str(argument) for argument in arguments])
    except SystemExit as ended:  # argparse's own
        code = ended.code
    printed = capsys.readouterr()
    assert code == 2, printed.out
    return printed.out + printed.err
