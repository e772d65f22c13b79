"""Every way to change one token of a solution: an operator, a sign, a constant, a name."""

import ast
import copy
from collections.abc import Iterator

OPERATORS: dict[type, type] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.USub: ast.UAdd,
    ast.Invert: ast.UAdd,
}
NAMES = {
    "sum": "mean",
    "mean": "sum",
    "max": "min",
    "min": "max",
    "argmax": "argmin",
    "exp": "expm1",
    "log": "log1p",
    "sqrt": "abs",
    "sin": "cos",
    "cos": "sin",
    "tril": "triu",
    "triu": "tril",
    "ones": "zeros",
    "zeros": "ones",
    "maximum": "minimum",
    "repeat": "tile",
}


def mutants(source: str) -> Iterator[str]:
    """The source with one token changed, for each token and each change, in order."""
    tree = ast.parse(source)
    for place, node in enumerate(ast.walk(tree)):
        for changed in _changes(node):
            mutant = copy.deepcopy(tree)
            target = list(ast.walk(mutant))[place]
            for field, value in changed.items():
                setattr(target, field, value)
            yield ast.unparse(ast.fix_missing_locations(mutant))


def _changes(node: ast.AST) -> Iterator[dict]:
    """New values of a node's fields, one change at a time."""
    if isinstance(node, ast.BinOp | ast.AugAssign | ast.UnaryOp) and type(node.op) in OPERATORS:
        yield {"op": OPERATORS[type(node.op)]()}
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OPERATORS:
        yield {"ops": [OPERATORS[type(node.ops[0])](), *node.ops[1:]]}
    if isinstance(node, ast.Attribute) and node.attr in NAMES:
        yield {"attr": NAMES[node.attr]}
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield {"value": not node.value}
        elif isinstance(node.value, int | float):
            yield {"value": node.value + 1}
            yield {"value": node.value - 1}
