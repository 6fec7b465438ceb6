"""Branches that a game's own facts decide are dropped before anything in them is compiled.

`if game.has_null_move and ...` costs a game without null moves nothing at run time in any case; dropped
this early, the functions that only such a branch calls are not compiled either.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import get_definition, guard


@register_pass(mutates_CFG=True, analysis_only=False)  # type: ignore[untyped-decorator]
class FoldFacts(FunctionPass):  # type: ignore[misc]
    """Replaces `game.name` by the constant where that is a truth value; Numba then drops what it rules out."""

    _name = "plywright_fold_facts"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        changed = False
        for block in state.func_ir.blocks.values():
            for statement in block.find_insts(ir.Assign):
                value = statement.value
                if isinstance(value, ir.Expr) and value.op == "getattr":
                    source = guard(get_definition, state.func_ir, value.value)
                    fact = getattr(state.args[source.index], "fact", None) if isinstance(source, ir.Arg) else None
                    known = fact(value.attr) if fact is not None else None
                    if known is not None:
                        statement.value = ir.Const(known, value.loc)
                        state.func_ir._definitions[statement.target.name] = [statement.value]
                        changed = True
        return changed
