"""Rules that Numba cannot compile as they are written, written again in words that it can.

A generator that holds a list never gives it back where a search stops asking, so it becomes a function that
returns all its items at once. `any(... for ...)`, `all` and `sum` become loops in functions of their own, other
calls over a generator expression take a list, and `yield from` is a loop. A function that returns `[]` in one place
and a list in another fills one list, whose type is then known. `super().rule(...)` and `Base.rule(self, ...)`
name the function that they call. Each does the same in the same order.
The source is read again for that, and trusted only if it compiles to the very code that the rules run.
"""

from __future__ import annotations
import __future__

import ast
import copy
import dis
import functools
import inspect
import itertools
import operator
import textwrap
from collections.abc import Iterator, Sequence
from types import CodeType, FunctionType, ModuleType
from typing import Any

from ..fingerprint import code_names
from ..identity import Identified

_FUTURE = functools.reduce(operator.or_, (getattr(__future__, n).compiler_flag for n in __future__.all_feature_names))
_LISTING = ("actions", "candidates", "noisy")
_CONSUMERS = ("list", "tuple", "set", "sorted", "min", "max")
_FOUND, _ITEMS, _TOTAL = "_plywright_found", "_plywright_items", "_plywright_total"
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)

_inherited: dict[str, tuple[type, str]] = {}  # names that stand for super().rule: the class that says so, and the rule
_trees: dict[CodeType, ast.FunctionDef] = {}  # of functions that were written again, which have no source of their own


class _Unwritable(Exception):
    """The rule says something that has no other form."""


def plainly(function: FunctionType) -> FunctionType:
    """The same function without what Numba cannot read, as far as that goes."""
    code = _without_sets(function.__code__)
    if code is not function.__code__:
        function = _with_code(function, code, function.__globals__)
    delegates = code.co_flags & inspect.CO_GENERATOR and "yield from" in _text(function)
    within = bool(_inner(code) & {"<genexpr>", "<setcomp>"})
    empties, bases = _makes_empty_list(code), dict(_classes(function))
    tree = tree_of(function) if delegates or within or empties or bases else None
    if tree is None:
        return function
    rules, work = _Inherited(tree, bases), _Plain(code)
    try:
        tree = work.visit(rules.visit(tree))
        filled = empties and _Filling(tree).change()
        if not (delegates or within or filled or bases):
            return function
        made = from_tree(function, tree, work.helpers)
    except _Unwritable:
        return function
    made.__globals__.update(rules.found)
    return made


def _classes(function: FunctionType) -> Iterator[tuple[str, type]]:
    """The games and knowledges that a function mentions, by name; `__class__` is the one whose `super()` it calls."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    mentioned = {name: function.__globals__.get(name) for name in code_names(function.__code__)}
    for name, value in (mentioned | {name: cell.cell_contents for name, cell in cells}).items():
        if isinstance(value, type) and issubclass(value, Identified):
            yield name, value


def rule_of(cls: type, name: str) -> Any:
    """The member of that name; where it stands for `super().rule`, the function that comes next, None if none does."""
    if name not in _inherited:
        return getattr(cls, name, None)
    caller, rule = _inherited[name]
    later = cls.__mro__[cls.__mro__.index(caller) + 1 :]
    found = next((vars(base)[rule] for base in later if rule in vars(base)), None)
    return found if isinstance(found, FunctionType) else None


def _inner(code: CodeType) -> set[str]:
    """The names of the code within a function's, at any depth."""
    parts = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return {part.co_name for part in parts}.union(*map(_inner, parts))


def _makes_empty_list(code: CodeType) -> bool:
    """Whether a function, which is no generator, may return an empty list that is written as one."""
    if code.co_flags & inspect.CO_GENERATOR:
        return False
    if "list" in code.co_names or (code.co_name in _LISTING and () in code.co_consts):
        return True
    return any(step.opname == "BUILD_LIST" and step.arg == 0 for step in dis.get_instructions(code))


def returning_list(function: FunctionType) -> FunctionType | None:
    """A generator as a function that returns its items in a list; None where that cannot be written."""
    tree = tree_of(function)
    if tree is None:
        return None
    try:
        body = [_Collect().visit(statement) for statement in tree.body]
    except _Unwritable:
        return None
    empty = ast.Assign([ast.Name(_FOUND, ast.Store())], ast.List([], ast.Load()))
    tree.body = [ast.copy_location(empty, tree), *body, ast.copy_location(ast.Return(_name(_FOUND)), body[-1])]
    return from_tree(function, tree, [])


# -- from source to code and back ----------------------------------------------------------------------------


def _text(function: FunctionType) -> str:
    try:
        return textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        return ""


def tree_of(function: FunctionType) -> ast.FunctionDef | None:
    """The syntax tree of a function, without decorators, types and defaults; None if it is not to be had."""
    code = function.__code__
    if code in _trees:
        return copy.deepcopy(_trees[code])
    try:
        body = ast.parse(_text(function)).body
    except SyntaxError:
        return None
    if len(body) != 1 or not isinstance(tree := body[0], ast.FunctionDef):
        return None
    ast.increment_lineno(tree, code.co_firstlineno - min([tree.lineno, *(each.lineno for each in tree.decorator_list)]))
    tree.decorator_list, tree.returns, parameters = [], None, tree.args
    for parameter in (*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs):
        parameter.annotation = None
    parameters.defaults = [ast.Constant(None) for _ in parameters.defaults]
    parameters.kw_defaults = [default and ast.Constant(None) for default in parameters.kw_defaults]
    for names in ([], _imported(function)):
        same = _without_sets(_code(copy.deepcopy(tree), code, names))
        if _essence(same) == _essence(code):
            return tree
    return None


def _imported(function: FunctionType) -> list[str]:
    """The names of a function that its file seems to import: Python calls what they hold by another instruction."""
    values = {name: function.__globals__[name] for name in function.__code__.co_names if name in function.__globals__}
    own = function.__module__
    return [name for name, v in values.items() if isinstance(v, ModuleType) or getattr(v, "__module__", own) != own]


def _essence(code: CodeType) -> tuple[Any, ...]:
    """What a function does, wherever it stands."""
    constants = tuple(_essence(c) if isinstance(c, CodeType) else (type(c), c) for c in code.co_consts)
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars


def _code(tree: ast.FunctionDef, like: CodeType, imported: Sequence[str] = ()) -> CodeType:
    """The code of a definition that stands where the other code does, in a file that imports these names."""
    own: list[ast.stmt] = [ast.Global([tree.name])] if tree.name not in like.co_freevars else []  # it may call itself
    enclosing = ast.FunctionDef("enclosing", _parameters(like.co_freevars), [*own, tree], [])
    imports = [ast.Import([ast.alias(name)]) for name in imported]
    module = ast.fix_missing_locations(ast.Module([*imports, enclosing], []))
    found: CodeType = compile(module, like.co_filename, "exec", like.co_flags & _FUTURE, dont_inherit=True)
    for _ in range(2):
        found = next(constant for constant in found.co_consts if isinstance(constant, CodeType))
    return found


def from_tree(function: FunctionType, tree: ast.FunctionDef, helpers: Sequence[ast.FunctionDef] = ()) -> FunctionType:
    scope = dict(function.__globals__)
    for helper in helpers:
        code = _code(helper, function.__code__.replace(co_freevars=()))
        scope[helper.name] = FunctionType(_without_sets(code), scope, helper.name)
        scope[helper.name].__module__ = function.__module__
    kept = copy.deepcopy(tree)
    code = _without_sets(_code(tree, function.__code__))
    _trees[code] = kept
    return _with_code(function, code, scope)


def _with_code(function: FunctionType, code: CodeType, scope: dict[str, Any]) -> FunctionType:
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    closure = tuple(cells[name] for name in code.co_freevars)
    made = FunctionType(code, scope, function.__name__, function.__defaults__, closure or None)
    made.__kwdefaults__, made.__qualname__ = function.__kwdefaults__, function.__qualname__
    made.__module__ = function.__module__
    return made


def _without_sets(code: CodeType) -> CodeType:
    """`x in {1, 2}` has a frozenset in its code: a tuple answers the same."""

    def plain(constant: Any) -> Any:
        if isinstance(constant, CodeType):
            return _without_sets(constant)
        return tuple(constant) if isinstance(constant, frozenset) else constant

    constants = tuple(map(plain, code.co_consts))
    changed = any(a is not b for a, b in zip(constants, code.co_consts, strict=True))
    return code.replace(co_consts=constants) if changed else code


# -- the changes ---------------------------------------------------------------------------------------------


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _parameters(names: Any) -> ast.arguments:
    return ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])


class _Inherited(ast.NodeTransformer):
    """`Base.rule(self, ...)` calls the function itself, `super().rule(...)` a method of a name that `rule_of` knows."""

    def __init__(self, tree: ast.FunctionDef, bases: dict[str, type]) -> None:
        first = (*tree.args.posonlyargs, *tree.args.args)
        self.me, self.bases, self.found = first[0].arg if first else "", bases, dict[str, FunctionType]()

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        called = node.func
        if not isinstance(called, ast.Attribute):
            return node
        if _is_super(called.value) and "__class__" in self.bases:
            name = f"_plywright_super{len(_inherited)}_{called.attr}"
            _inherited[name] = self.bases["__class__"], called.attr
            node.func = ast.copy_location(ast.Attribute(_name(self.me), name, ast.Load()), called)
        elif isinstance(called.value, ast.Name) and called.value.id in self.bases:
            rule = getattr(self.bases[called.value.id], called.attr, None)
            if isinstance(rule, FunctionType):
                name = f"_plywright_{called.value.id}_{called.attr}"
                self.found[name] = rule
                node.func = ast.copy_location(_name(name), called)
        return node


def _is_super(node: ast.expr) -> bool:
    """Whether it says `super()`, without arguments."""
    if not isinstance(node, ast.Call) or node.args or node.keywords:
        return False
    return isinstance(node.func, ast.Name) and node.func.id == "super"


class _Collect(ast.NodeTransformer):
    """`yield x` appends x to a list, `return` returns the list."""

    def visit(self, node: ast.AST) -> Any:
        return node if isinstance(node, _SCOPES) else super().visit(node)

    def visit_Expr(self, node: ast.Expr) -> Any:
        if not isinstance(node.value, ast.Yield):
            return self.generic_visit(node)
        if node.value.value is None:
            raise _Unwritable
        append = ast.Attribute(_name(_FOUND), "append", ast.Load())
        return ast.copy_location(ast.Expr(ast.Call(append, [self.visit(node.value.value)], [])), node)

    def visit_Return(self, node: ast.Return) -> Any:
        return ast.copy_location(ast.Return(_name(_FOUND)), node)

    def visit_Yield(self, node: ast.Yield | ast.YieldFrom) -> Any:
        raise _Unwritable

    visit_YieldFrom = visit_Yield  # noqa: N815


class _Filling(ast.NodeTransformer):
    """Where a function returns `[]` in one place, every `return` fills one list first, and returns that."""

    def __init__(self, tree: ast.FunctionDef) -> None:
        self.tree, self.emptied, self.filled, self.bare = tree, False, False, False

    def change(self) -> bool:
        """Change the definition, and say so; not where no empty list is returned, or nothing else is."""
        kept = copy.deepcopy(self.tree.body)
        body = [self.visit(statement) for statement in self.tree.body]
        if self.bare or not (self.emptied and self.filled):
            self.tree.body = kept
            return False
        empty = ast.Assign([ast.Name(_FOUND, ast.Store())], ast.List([], ast.Load()))
        self.tree.body = [ast.copy_location(empty, self.tree), *(each for part in body for each in _listed(part))]
        for part in ast.walk(self.tree):
            if "lineno" in part._attributes and not hasattr(part, "lineno"):
                ast.copy_location(part, self.tree)
        return True

    def visit(self, node: ast.AST) -> Any:
        return node if isinstance(node, _SCOPES) else super().visit(node)

    def visit_Return(self, node: ast.Return) -> Any:
        if node.value is None:
            self.bare = True
            return node
        return self.given(node.value)

    def given(self, value: ast.expr) -> list[ast.stmt]:
        """What returns a list of the same items."""
        if isinstance(value, ast.IfExp):
            return [ast.copy_location(ast.If(value.test, self.given(value.body), self.given(value.orelse)), value)]
        done: list[ast.stmt] = [ast.copy_location(ast.Return(_name(_FOUND)), value)]
        if self.is_empty(value):
            self.emptied = True
            return done
        self.filled = True
        append = ast.Call(ast.Attribute(_name(_FOUND), "append", ast.Load()), [_name(_ITEMS)], [])
        each = ast.For(ast.Name(_ITEMS, ast.Store()), value, [ast.Expr(append)], [])
        return [ast.copy_location(each, value), *done]

    def is_empty(self, value: ast.expr) -> bool:
        if isinstance(value, ast.Call):
            return isinstance(value.func, ast.Name) and value.func.id == "list" and not (value.args or value.keywords)
        if isinstance(value, ast.Tuple) and self.tree.name not in _LISTING:
            return False  # whoever calls it may want a tuple
        return isinstance(value, (ast.List, ast.Tuple)) and not value.elts


def _listed(part: Any) -> list[Any]:
    return part if isinstance(part, list) else [part]


class _Plain(ast.NodeTransformer):
    """Generator expressions that are used up where they stand, and `yield from`, as loops and lists."""

    def __init__(self, code: CodeType) -> None:
        self.locals = {*code.co_varnames, *code.co_cellvars, *code.co_freevars}
        self.helpers: list[ast.FunctionDef] = []
        self.numbers = itertools.count()

    def visit(self, node: ast.AST) -> Any:
        for clause in getattr(node, "generators", ()):  # the names it binds are known before what it holds is looked at
            self.locals |= _names(clause.target, ast.Store)
        return super().visit(node)

    def visit_Expr(self, node: ast.Expr) -> Any:
        self.generic_visit(node)
        if not isinstance(node.value, ast.YieldFrom):
            return node
        item = f"_plywright_item{next(self.numbers)}"
        each = ast.For(ast.Name(item, ast.Store()), node.value.value, [ast.Expr(ast.Yield(_name(item)))], [])
        return ast.copy_location(each, node)

    def visit_SetComp(self, node: ast.SetComp) -> Any:
        self.generic_visit(node)
        items = ast.copy_location(ast.ListComp(node.elt, node.generators), node)
        return ast.copy_location(ast.Call(_name("set"), [items], []), node)

    def visit_Call(self, node: ast.Call) -> Any:
        self.generic_visit(node)
        if not node.args or not isinstance(over := node.args[0], ast.GeneratorExp) or node.keywords:
            return node
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in ("any", "all") and len(node.args) == 1:
            return ast.copy_location(self.loop(name, over, []), node)
        if name == "sum":
            return ast.copy_location(self.loop(name, over, node.args[1:] or [ast.Constant(0)]), node)
        if name in _CONSUMERS:
            node.args[0] = ast.copy_location(ast.ListComp(over.elt, over.generators), over)
        return node

    def loop(self, name: str, over: ast.GeneratorExp, start: list[ast.expr]) -> ast.Call:
        """The call of a function that goes through the items in a loop; what it reads of the rule's are arguments."""
        if any(isinstance(part, ast.NamedExpr) for part in ast.walk(over)):
            raise _Unwritable
        step: ast.stmt
        answer: ast.expr
        if name == "sum":
            added = ast.BinOp(_name(_TOTAL), ast.Add(), over.elt)
            step, answer = ast.Assign([ast.Name(_TOTAL, ast.Store())], added), _name(_TOTAL)
        else:
            test = over.elt if name == "any" else ast.UnaryOp(ast.Not(), over.elt)
            step, answer = ast.If(test, [ast.Return(ast.Constant(name == "any"))], []), ast.Constant(name == "all")
        first = over.generators[0]
        items, first.iter = first.iter, _name(_ITEMS)
        bound = {each for clause in over.generators for each in _names(clause.target, ast.Store)}
        read = sorted((_names(over, ast.Load) & self.locals) - bound)
        for clause in reversed(over.generators):
            for condition in reversed(clause.ifs):
                step = ast.If(condition, [step], [])
            step = ast.For(clause.target, clause.iter, [step], [])
        called = f"_plywright_{name}{next(self.numbers)}"
        parameters = _parameters([_ITEMS, *read, *([_TOTAL] if start else [])])
        helper = ast.FunctionDef(called, parameters, [step, ast.Return(answer)], [])
        for part in ast.walk(helper):
            if "lineno" in part._attributes and not hasattr(part, "lineno"):
                ast.copy_location(part, over)
        self.helpers.append(helper)
        return ast.Call(_name(called), [items, *map(_name, read), *start], [])


def _names(node: ast.AST, use: type) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, use)}
