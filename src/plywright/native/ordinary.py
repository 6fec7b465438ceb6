"""Compilation by Numba's ordinary way: all its passes, its own type inference, machine code for every function.

What that way cannot do is done before it, in the source of a function: branches that a game's facts rule out are
dropped, since they may call what the game does not have, and functions that call themselves look after the stack. This
needs no more of Numba than what it documents for those who extend it.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from numba.core import types
from numba.core.compiler import Compiler
from numba.extending import intrinsic

from .generators import HoldsMemory, refuse_held_memory
from .recursion import guard_stack, may_overflow
from .rewriting import from_tree, returning_list, tree_of
from .sequences import unified

_GUARD = "_plywright_guard_stack"
_written: dict[FunctionType, CodeType] = {}  # the original code of functions whose code is replaced during compilation


class OrdinaryCompiler(Compiler):  # type: ignore[misc]
    """Numba's own compiler, applied to a function from which unsupported branches have been removed."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._given = given

    def compile_extra(self, func: Any) -> Any:
        checked = self.state.flags.error_model == "python"
        try:
            with _in_place(func, _specialised(func, self.state.args, guarded=checked and may_overflow(func))):
                made = super().compile_extra(func)
            if inspect.isgeneratorfunction(func):
                refuse_held_memory(func.__name__, self.state.typemap.values())
            return made
        except HoldsMemory:
            if (listed := returning_list(func)) is None:
                raise
        return type(self)(*self._given).compile_extra(listed)


@contextlib.contextmanager
def _in_place(function: FunctionType, code: CodeType) -> Iterator[None]:
    """Within this block the function has this code; it stays the same object, by which Numba knows recursion."""
    before = function.__code__
    _written.setdefault(function, before)
    function.__code__ = code
    try:
        yield
    finally:
        function.__code__ = before
        if before is _written[function]:
            del _written[function]


def _specialised(function: FunctionType, kinds: Any, guarded: bool) -> CodeType:
    """The code of a function for arguments of these types; as it stands where there is nothing to do, or no source."""
    code = _written.get(function, function.__code__)
    facts = {name: kind.fact for name, kind in zip(code.co_varnames, kinds, strict=False) if hasattr(kind, "fact")}
    if not facts and not guarded:
        return code
    tree = tree_of(_as_written(function, code))
    if tree is None:
        return code
    folding = _Folding(facts)
    tree = folding.visit(tree)
    if guarded:
        call = ast.Call(ast.Name(_GUARD, ast.Load()), [ast.Constant(function.__name__)], [])
        tree.body.insert(0, ast.copy_location(ast.Expr(call), tree.body[0]))
        function.__globals__[_GUARD] = _guard
    elif not folding.changed:
        return code
    found = from_tree(_as_written(function, code), tree).__code__
    return found if found.co_freevars == code.co_freevars else code


def _as_written(function: FunctionType, code: CodeType) -> FunctionType:
    return (
        function
        if function.__code__ is code
        else FunctionType(code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    )


class _Folding(ast.NodeTransformer):
    """Replaces `game.name` by the constant where that is a truth value, and drops what it rules out."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self.facts, self.changed = facts, False

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id in self.facts and isinstance(node.ctx, ast.Load):
            known = self.facts[node.value.id](node.attr)
            if known is not None:
                self.changed = True
                return ast.copy_location(ast.Constant(known), node)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        self.generic_visit(node)
        known = _truth(node.operand)
        if isinstance(node.op, ast.Not) and known is not None:
            return ast.copy_location(ast.Constant(not known), node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        """`a and True and b` is `a and b`, and nothing after a False is asked; `or` the other way round."""
        self.generic_visit(node)
        decisive = isinstance(node.op, ast.Or)
        values: list[ast.expr] = []
        for value in node.values:
            known = _truth(value)
            if known is None or known is decisive or value is node.values[-1]:
                values.append(value)
            if known is decisive:
                break
        node.values = values
        return node if len(values) > 1 else values[0]

    def visit_If(self, node: ast.If) -> Any:
        self.generic_visit(node)
        known = _truth(node.test)
        if known is None:
            return node
        return (node.body if known else node.orelse) or ast.copy_location(ast.Pass(), node)

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        self.generic_visit(node)
        known = _truth(node.test)
        return node if known is None else node.body if known else node.orelse


def _truth(node: ast.expr) -> bool | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, bool) else None


@intrinsic(prefer_literal=True)
def _guard(context: Any, name: Any) -> Any:
    """Raises RecursionError where the stack has come to its end; the name is that of the function, as a constant."""

    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        guard_stack(ctx, builder, name.literal_value)
        return ctx.get_dummy_value()

    return types.void(name), generate


def _unify_named(self: Any, context: Any, other: Any) -> Any:
    return unified(context, self, other)


types.BaseNamedTuple.unify = _unify_named  # a variable that holds two states in turn, whose fields differ in type
