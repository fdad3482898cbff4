"""Reads source and names whatever could make two devices judge the same bytes differently (DESIGN §1).

No clock, dice, environment, locale; no floats and no division that makes them; nothing that depends on hashes
or addresses; no order taken from a set. What a set's order can't change (`sorted`, `len`, `any`, another set)
is allowed. Sets are recognised by how they are made or annotated, within one file.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MODULES: Final = _words(
    """
    asyncio cmath concurrent copy ctypes datetime decimal fractions gc getpass gettext glob io
    locale logging math multiprocessing numpy os pathlib pickle platform queue random secrets
    select selectors shutil signal socket ssl statistics subprocess sys sysconfig tempfile
    threading time unicodedata uuid warnings weakref zoneinfo
    """
)
"""Sources of time, chance, environment, floats or shared mutable state."""
CALLS: Final = _words(
    """
    breakpoint compile complex eval exec float globals hash id input locals object open print round
    vars __import__
    """
)
METHODS: Final = _words(
    """
    capitalize casefold format_map isalnum isalpha isdecimal isdigit islower isnumeric isupper
    lower popitem swapcase title upper __hash__ __reduce__
    """
)
"""Methods that depend on the Unicode tables of a Python version, on an order, or on addresses."""
ORDER_FREE: Final = _words(
    """
    sorted len min max sum any all bool set frozenset isinstance _bit_set bit_set
    """
)
"""What may consume a set: the answer is the same in every order. (`min` and `max` with a key are not.)"""
SET_METHODS: Final = frozenset(("union", "intersection", "difference", "symmetric_difference"))


@dataclass(frozen=True, order=True)
class Finding:
    """`rule` is one of "import", "call", "method", "float", "division", "set order", "pop"."""

    line: int
    rule: str
    what: str


def findings(source: str) -> tuple[Finding, ...]:
    """Everything suspicious in one file, by line."""
    tree = ast.parse(source)
    for parent in ast.walk(tree):
        for child in ast.iter_child_nodes(parent):
            child.parent = parent  # type: ignore[attr-defined]
    sets = _names_of_sets(tree)
    found = [finding for node in ast.walk(tree) for finding in _look(node, sets)]
    return tuple(sorted(found))


def _look(node: ast.AST, sets: frozenset[str]) -> Iterator[Finding]:
    match node:
        case ast.Import(names=names):
            for alias in names:
                yield from _import(node.lineno, alias.name)
        case ast.ImportFrom(module=str(module), level=0):
            yield from _import(node.lineno, module)
        case ast.Constant(value=float() | complex()):
            yield Finding(node.lineno, "float", repr(node.value))
        case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()):
            yield Finding(node.lineno, "division", ast.unparse(node))
        case ast.Call(func=ast.Name(id=name)) if name in CALLS:
            yield Finding(node.lineno, "call", name)
        case ast.Attribute(attr=name) if name in METHODS:
            yield Finding(node.lineno, "method", name)
        case ast.Call(func=ast.Attribute(value=value, attr="pop"), args=[]) if _is_set(value, sets):
            yield Finding(node.lineno, "pop", ast.unparse(value))
    if isinstance(node, ast.expr) and _is_set(node, sets) and _order_shows(node):
        yield Finding(node.lineno, "set order", ast.unparse(node))


def _import(line: int, module: str) -> Iterator[Finding]:
    if module.split(".")[0] in MODULES:
        yield Finding(line, "import", module)


def _is_set(node: ast.AST | None, sets: frozenset[str]) -> bool:
    match node:
        case ast.Set() | ast.SetComp():
            return True
        case ast.Call(func=ast.Name(id="set" | "frozenset")):
            return True
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in SET_METHODS:
            return _is_set(value, sets)
        case ast.Name(id=name):
            return any(f"{scope} {name}" in sets for scope in _scopes(node))
        case ast.Attribute(attr=name):
            return f".{name}" in sets
        case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr() | ast.BitXor() | ast.Sub(), right=right):
            return _is_set(left, sets) or _is_set(right, sets)
        case ast.IfExp(body=body, orelse=orelse):
            return _is_set(body, sets) or _is_set(orelse, sets)
    return False


def _names_of_sets(tree: ast.Module) -> frozenset[str]:
    """Names and attributes that hold a set somewhere in this file: made as one, or annotated as one."""
    names: set[str] = set()
    size = -1
    while size != len(names):  # a set may be named after another
        size = len(names)
        known = frozenset(names)
        for node in ast.walk(tree):
            match node:
                case ast.Assign(targets=targets, value=value) if _is_set(value, known):
                    names.update(name for target in targets for name in _named(target))
                case ast.AnnAssign(target=target, annotation=annotation, value=value):
                    if _says_set(annotation) or _is_set(value, known):
                        names.update(_named(target))
                case ast.NamedExpr(target=target, value=value) if _is_set(value, known):
                    names.update(_named(target))
                case ast.arg(arg=name, annotation=annotation) if annotation and _says_set(annotation):
                    names.add(f"{_scopes(node)[0]} {name}")
    return frozenset(names)


def _named(target: ast.AST) -> Iterator[str]:
    """How a target is called in the set of names: "scope name", and ".name" for an attribute or a field."""
    match target:
        case ast.Name(id=name):
            yield f"{_scopes(target)[0]} {name}"
            if isinstance(target.parent.parent, ast.ClassDef):  # type: ignore[attr-defined]
                yield f".{name}"
        case ast.Attribute(attr=name):
            yield f".{name}"


def _scopes(node: ast.AST) -> tuple[int, ...]:
    """The lines of the functions around a node, the innermost first; 0 is the module."""
    lines = []
    while not isinstance(node, ast.Module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines.append(node.lineno)
        node = node.parent  # type: ignore[attr-defined]
    return (*lines, 0)


def _says_set(annotation: ast.expr) -> bool:
    outer = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    if isinstance(outer, ast.Name) and outer.id == "Final" and isinstance(annotation, ast.Subscript):
        return _says_set(annotation.slice)
    return isinstance(outer, ast.Name) and outer.id in ("set", "frozenset", "Set", "AbstractSet")


def _order_shows(node: ast.AST) -> bool:
    """Whether something takes the elements of this set in their order."""
    parent = node.parent  # type: ignore[attr-defined]
    match parent:
        case ast.For(iter=source) | ast.YieldFrom(value=source):
            return source is node
        case ast.Starred():
            return not isinstance(parent.parent, ast.Set)  # type: ignore[attr-defined]
        case ast.comprehension(iter=source) if source is node:
            return not _forgets_order(parent.parent)  # type: ignore[attr-defined]
        case ast.Call(func=function, args=arguments) if node in arguments:
            if isinstance(function, ast.Name):
                keyed = any(keyword.arg == "key" for keyword in parent.keywords)
                if function.id in ("min", "max", "sorted") and keyed:
                    return True
                return function.id in TAKERS
            return isinstance(function, ast.Attribute) and function.attr in ("join", "extend", "fromkeys")
        case ast.Assign(targets=[ast.Tuple() | ast.List()]):
            return True
    return False


TAKERS: Final = frozenset(
    ("iter", "list", "tuple", "enumerate", "zip", "map", "filter", "reversed", "dict", "next")
)
"""What takes elements one after another. Own functions are trusted with a set: their bodies are read too."""


def _forgets_order(node: ast.AST) -> bool:
    """A comprehension that makes a set, or feeds what does not care."""
    if isinstance(node, ast.SetComp):
        return True
    parent = node.parent  # type: ignore[attr-defined]
    return (
        isinstance(node, ast.GeneratorExp | ast.ListComp)
        and isinstance(parent, ast.Call)
        and isinstance(parent.func, ast.Name)
        and parent.func.id in ORDER_FREE
        and not (parent.func.id in ("min", "max", "sorted") and parent.keywords)
    )
