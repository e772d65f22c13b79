"""Korean words in figures: drawn at once, without boxes, in a session that has drawn before."""

import subprocess
import sys
import tomllib
from importlib.resources import files

from fontTools.ttLib import TTFont

from tools.setup_cell import ROOT

MESSAGES = sorted((ROOT / "course_lib" / "messages" / "ko").glob("*.toml"))
FONT = files("course_lib") / "fonts" / "NotoSansKR-subset.otf"

SESSION = """
import matplotlib
matplotlib.use("agg")
import matplotlib.pyplot as plt
from course_lib import plot

plt.plot([-1, 1])
plt.savefig("before.png")
plot.use_style()
_, ax = plt.subplots()
ax.plot([-1, 1])
ax.set_title("어텐션 가중치")
plt.savefig("after.png")
print(ax.get_yticklabels()[0].get_text())
"""


def test_hangul_and_minus_are_drawn_without_a_new_session(tmp_path):  # H08, H09, H10
    command = [sys.executable, "-W", "error", "-c", SESSION]
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("-")  # U+002D, which every font has, not U+2212


def test_the_font_has_every_hangul_syllable_that_code_says():  # H08
    said = {
        character
        for path in MESSAGES
        for text in tomllib.loads(path.read_text(encoding="utf-8")).values()
        for character in text
        if "가" <= character <= "힣"
    }
    with FONT.open("rb") as file:
        drawn = {chr(code) for code in TTFont(file).getBestCmap()}
    assert len(said) > 100
    assert said - drawn == set()
