"""Each rule catches what it is for, and leaves good cells alone."""

import nbformat
import pytest

from tests.lessons import cell_rules as rules
from tests.lessons.notebooks import code, lesson, markdown

ALT = "Two lines that cross at the origin, one steep and one flat."
FIGURE = nbformat.v4.new_output("display_data", data={"image/png": "iVBORw0KGgo="})


def figure(cell_id: str, alt: str, count: int = 1):
    cell = code(cell_id, "plt.show()", alt=alt)
    cell.outputs = [FIGURE] * count
    return cell


def printing(text: str, name: str = "stdout"):
    cell = code("print", "print(x)")
    cell.outputs = [nbformat.v4.new_output("stream", name=name, text=text)]
    return cell


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_a_good_lesson_keeps(rule):
    good = lesson(
        code("by-hand-2", "print(5 % 2, a / b / c, 'https://a.b/home/x')  # 100 %"),
        printing("1/2 of /x, 0x12\n"),
        figure("draw", ALT),
        code("time", "print(1)", tags=("measured", "nbval-ignore-output")),
    )
    assert list(rule(good)) == []


@pytest.mark.parametrize("cell_id", ["By-Hand", "by_hand", "by--hand", "79ba51cf"])
def test_an_id_that_is_no_slug_is_caught(cell_id):
    assert len(list(rules.ids_are_slugs(lesson(markdown(cell_id, "Text."))))) == 1


def test_an_id_that_two_cells_have_is_caught():
    assert list(rules.ids_are_slugs(lesson(markdown("a", "Text."), markdown("a", "More."))))


def test_a_lesson_with_too_many_code_cells_is_caught():
    cells = [code(f"cell-{n}", "pass") for n in range(28)]
    assert list(rules.is_short_enough(lesson(*cells)))
    assert not list(rules.is_short_enough(lesson(*cells[1:])))


@pytest.mark.parametrize(
    "tags", [("nbval-skip",), ("raises-exception",), ("nbval-ignore-output",), ("measured",)]
)
def test_a_tag_that_lets_a_cell_pass_unseen_is_caught(tags):
    assert list(rules.tags_are_known(lesson(code("cell", "pass", tags=tags))))


@pytest.mark.parametrize(
    "cell",
    [
        figure("draw", ""),
        figure("draw", "A figure."),
        figure("draw", "01_embeddings_files/a-rather-long-name-of-a-figure_7_0.png"),
        figure("draw", ALT, count=2),
        figure("draw", ALT, count=0),
    ],
)
def test_a_figure_that_says_nothing_is_caught(cell):
    assert list(rules.figures_have_alternative_text(lesson(cell)))


def test_two_figures_that_say_the_same_are_caught():
    cells = figure("draw", ALT), figure("draw-again", ALT)
    assert list(rules.figures_have_alternative_text(lesson(*cells)))


@pytest.mark.parametrize(
    "source",
    [
        "!pip install numpy",
        "%pip install numpy",
        "x = 1\n  !ls",
        "%matplotlib inline",
        'run(["python", "-m", "pip install -e ."])',
        "os.kill(os.getpid(), 9)",
        "sys.exit()",
        "get_ipython().kernel.do_shutdown(restart=True)",
        "os.chdir('x')",
        "open('../data.txt')",
        "open('./data.txt')",
        "sys.path.insert(0, '..')",
        "open('/home/ada/data.txt')",
        "open('/content/data.txt')",
        r"open('C:\data.txt')",
        "p = model(x).double().cpu().numpy()",
        "p = model(x).to(torch.float64).cpu()",
        "print(x)  # NBVAL_SKIP",
        "# NBVAL_IGNORE_OUTPUT\nprint(x)",
    ],
)
def test_code_that_runs_only_here_is_caught(source):  # H12, H17, H37
    assert list(rules.code_runs_anywhere(lesson(code("cell", source))))


@pytest.mark.parametrize(
    "cell",
    [
        printing("File /home/ada/course_lib/words.py\n"),
        printing("<object at 0x7f3a5c2d1e80>\n"),
        printing("careful\n", name="stderr"),
    ],
)
def test_an_output_that_names_a_machine_or_warns_is_caught(cell):
    assert list(rules.outputs_name_no_machine(lesson(cell)))


def test_a_stored_error_is_caught():
    cell = code("cell", "1 / 0")
    cell.outputs = [nbformat.v4.new_output("error", ename="ZeroDivisionError", evalue="")]
    assert list(rules.outputs_name_no_machine(lesson(cell)))


@pytest.mark.parametrize(
    ("source", "tags"), [("print(loss)", ("trained",)), ("print(train(model, batches)[-1])", ())]
)
def test_a_trained_number_with_many_digits_is_caught(source, tags):  # G09
    cell = code("cell", source, tags=tags)
    cell.outputs = [nbformat.v4.new_output("stream", text="of 173,248: about 0.0312, 99.5%\n")]
    assert list(rules.training_prints_few_digits(lesson(cell))) == []
    cell.outputs[0].text = "the loss is 0.03127\n"
    assert list(rules.training_prints_few_digits(lesson(cell))) == [
        "cell cell: 4 digits of a trained number: 0.03127"
    ]


@pytest.mark.parametrize("count", [None, 1, 3])
def test_a_cell_that_was_not_run_in_its_turn_is_caught(count):
    whole = lesson(code("cell", "pass"))
    whole.cells[2].execution_count = count
    assert len(list(rules.was_run_from_top_to_bottom(whole))) == 1
