"""The code of the submissions that grading.md lists, by its numbers, and what each has to get.

`double` is worth 4 points, `total` and `centre` 3 each; most kinds misbehave in `double` alone, and
then the other six points are theirs.
"""

from typing import NamedTuple

GOOD = """\
import numpy as np

def double(x):
    return 2 * np.asarray(x)

def total(x):
    return np.asarray(x).sum(axis=-1)

def centre(x):
    return x - x.mean(axis=-1, keepdims=True)
"""
ALL, OTHERS = "10", "6"


class Kind(NamedTuple):
    """Cells that follow the good ones, the points they leave, and what the record must say."""

    cells: tuple[str, ...]
    points: str
    double: str = "graded"  # the status of the question
    says: str = ""  # stands in the record

    @property
    def may_hang(self) -> bool:
        """Whether it is stopped when its time is up, or may be."""
        return self.double in ("timeout", "*") or "was stopped after" in self.says


def doubles(body: str, **expected: str) -> Kind:
    """A `double` of this body, after everything good."""
    lines = "\n    ".join(body.strip("\n").splitlines())
    return Kind((f"def double(x):\n    {lines}",), **{"points": OTHERS} | expected)


KINDS = {
    "1 right": Kind((), ALL),
    "2 partly wrong": doubles("return x + 2", says="This looks like adding two."),
    "3 syntax error in a cell": Kind(("def broken(:",), ALL, says="failed with SyntaxError"),
    "4 exception in a cell": Kind(
        ("1 / 0",), ALL, says="code cell 2 failed with ZeroDivisionError"
    ),
    "5 missing": Kind(("del double",), OTHERS, "missing", "no function called `double`"),
    "5 misspelt": Kind(
        ("duoble = double; del double",), OTHERS, "missing", "Is it the one called `duoble`?"
    ),
    "6 endless loop": doubles("while True: pass", double="timeout", says="stopped after 2 s"),
    "7 endless loop in a cell": Kind(
        ("while True: pass",), ALL, says="code cell 2 was stopped after 3 s"
    ),
    "8 loop that swallows every exception": doubles(
        """
while True:
    try:
        while True: pass
    except BaseException:
        pass
""",
        double="timeout",
    ),
    "9 sleeping": doubles("import time; time.sleep(1e9)", double="timeout"),
    "9 waiting for input": doubles("return float(input())", says="raised EOFError"),
    "10 six gigabytes": doubles("return bytearray(6 * 2**30)", says="raised MemoryError"),
    "10 six gigabytes of an array": doubles("return np.ones(6 * 2**27)", says="MemoryError"),
    "10 memory that no process shows": doubles(
        """
import os
held = [os.memfd_create(str(n)) for n in range(100)]
for descriptor in held:
    os.write(descriptor, b"x" * 60 * 2**20)
return 2 * x
""",
        says="raised PermissionError",
    ),
    "11 memory by many children": doubles(
        """
import os, time
for _ in range(4):
    if os.fork() == 0:
        held = b"x" * (400 * 2**20)
        time.sleep(30)
time.sleep(30)
""",
        double="crashed",
        says="more than 1024 MB of memory",
    ),
    "12 sys.exit": doubles("import sys; sys.exit(0)", says="raised SystemExit"),
    "12 sys.exit in a cell": Kind(("import sys; sys.exit(0)",), ALL, says="with SystemExit"),
    "13 os._exit": doubles("import os; os._exit(0)", double="crashed", says="process ended while"),
    "13 os._exit in a cell": Kind(("import os; os._exit(0)",), ALL, says="code cell 2 ended the"),
    "14 segmentation fault": doubles(
        "import ctypes; ctypes.string_at(0)", double="crashed", says="(signal 11)"
    ),
    "14 segmentation fault in a cell": Kind(
        ("import ctypes; ctypes.string_at(0)",), ALL, says="code cell 2 ended the process"
    ),
    "15 deep recursion": doubles("return double(x)", says="raised RecursionError"),
    "15 recursion without a limit": doubles(
        "import sys; sys.setrecursionlimit(10**9)\nreturn (lambda f: f(f))(lambda f: f(f))",
        double="*",
    ),
    "16 fork flood": doubles("import os\nwhile True: os.fork()", double="*"),
    "16 fork flood in a cell": Kind(
        ("import os\nwhile True: os.fork()",), ALL, says="code cell 2 failed with BlockingIOError"
    ),
    "18 spinning threads": Kind(
        (
            "import threading\ndef spin():\n    while True: pass\n"
            "for _ in range(8): threading.Thread(target=spin, daemon=True).start()",
        ),
        ALL,
    ),
    "18 an alarm that a cell leaves on": Kind(
        (
            "import signal, time\nsignal.setitimer(signal.ITIMER_REAL, 0.2, 0.2)\n"
            "def double(x): time.sleep(0.5); return 2 * x",
        ),
        ALL,
    ),
    "19 200 MB on both streams": doubles(
        """
import sys
for stream in (sys.stdout, sys.stderr):
    for _ in range(200):
        stream.write("x" * 2**20)
return 2 * x
""",
        points=ALL,
    ),
    "24 patches everything and answers wrongly": Kind(
        (
            "def double(x): return x\ntotal = centre = double",
            """
import json, sys
import numpy.testing
for name in ("allclose", "array_equal", "isclose", "all", "any"):
    setattr(np, name, lambda *a, **k: True)
numpy.testing.assert_allclose = lambda *a, **k: None
for module in list(sys.modules.values()):
    for name in ("difference", "expect", "as_data", "unpack"):
        if name in vars(module):
            setattr(module, name, lambda *a, **k: None)
""",
        ),
        "0",
        "crashed",
    ),
    "24 patches what the worker itself needs": Kind(
        (
            "def double(x): return x\ntotal = centre = double",
            "import builtins, json\nbuiltins.isinstance = lambda *a: True\n"
            "json.dumps = lambda *a, **k: '{}'\nbuiltins.len = lambda x: 0",
        ),
        "0",
    ),
    "25 an object that equals everything": doubles(
        """
class Equal:
    def __eq__(self, other): return True
    def __float__(self): return 1.0
return Equal()
""",
        says="neither numbers nor text",
    ),
    "25 an array that equals everything": doubles(
        """
class Equal(np.ndarray):
    def __eq__(self, other): return np.ones(self.shape, bool)
    def __array_ufunc__(self, *a, **k): return np.True_
    def __array_function__(self, *a, **k): return True
return x.view(Equal)
""",
        says="The values differ.",
    ),
    "25 an object that raises when it is read": doubles(
        "class Odd:\n    def __array__(self, *a, **k): raise SystemExit\nreturn Odd()",
        says="raised SystemExit",
    ),
    "27 an array of objects": doubles(
        "return np.array([object()] * 3)", says="returned an array of object, which is neither"
    ),
    "27 a pickle": doubles(
        "import pickle; return pickle.dumps(print)", says="neither numbers nor text"
    ),
    "33 a warning on a right answer": doubles(
        "import warnings; warnings.warn('careful'); warnings.simplefilter('error')\n"
        "np.log(np.zeros(1)); return 2 * x",
        points=ALL,
    ),
    "34 changes its argument": doubles("x *= 2; return x", says="changed its argument number 1"),
    "35 a list": doubles("return (2 * x).tolist()", points=ALL),
    "35 single precision": doubles("return (2 * x).astype('float32')", points=ALL),
    "35 extended precision": doubles("return np.asarray(2 * x, np.longdouble)", points=ALL),
    "35 a generator": doubles("return (2 * y for y in x)", says="returned generator, which is"),
    "35 a dictionary": doubles("return {1: x}", says="returned dict, which is neither"),
    "35 complex numbers": doubles("return 2 * x + 0j", says="an array of complex, which is"),
    "35 dates": doubles("return np.array(['2026-11-29'], 'M8[D]')", says="neither numbers nor"),
    "35 a masked array": doubles("return np.ma.masked_array(2 * x, x > 3)", points=ALL),
    "35 an array that cannot be written": doubles(
        "y = 2 * x; y.flags.writeable = False; return y", points=ALL
    ),
    "35 a hundred million numbers": doubles("return np.zeros(10**8, 'f4')", says="is too much"),
    "35 a number that calls itself one": doubles(
        "class Two(float):\n    def __repr__(self): return '[' * 10**6\n"
        "    def __float__(self): return 9.0\n    def __eq__(self, _): return True\n"
        "return Two(1)",
        says="Expected the shape (2, 3), got ()",
    ),
    "35 NaN": doubles("return x * np.nan", says="NaN (not a number)"),
    "35 a wrong shape": doubles("return 2 * x[None]", says="Expected the shape (2, 3), got"),
    "35 one number": doubles("return 2.0", says="Expected the shape (2, 3), got ()."),
    "35 ragged lists": doubles("return [[1.0], [2.0, 3.0]]", says="lists of different lengths"),
    "35 text": doubles("return 'two'", says="Expected numbers"),
    "35 nothing": doubles("2 * x", says="returned nothing"),
    "37 a duplicated cell": Kind((GOOD, GOOD), ALL),
    "41 magics and Colab": Kind(
        (
            "%matplotlib inline\n!pip install numpy\nfrom google.colab import drive\n"
            "drive.mount('/content/drive')",
            "%%time\ndef double(x):\n    return 2 * x",
            "%%bash\nexit 1",
            "x = (7\n     % 2)",
        ),
        ALL,
    ),
    "41 bars, pools and displays of a notebook": Kind(
        (
            "from tqdm.notebook import tqdm, trange\nimport multiprocessing\n"
            "def double(x): return x\ndisplay(double)\n"
            "with multiprocessing.Pool(2) as pool:\n"
            "    twos = [pool.map(abs, [2])[0] for _ in tqdm(trange(3))]\n"
            "def double(x): return twos[2] * x",
        ),
        ALL,
    ),
    "42 a later cell rebinds the name": Kind(
        ("def double(x): return 3 * x",), OTHERS, says="The values differ."
    ),
    "43 a package that is not there": Kind(
        ("import nowhere",), ALL, says="failed with ModuleNotFoundError"
    ),
}
