"""Native twins of the functions in bits.py and rng.py."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import binding as llvm
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import intrinsic, overload, overload_method

from .. import bits
from .. import rng as random_bits
from .workspace import ScratchType, ViewType, item_pointer


@intrinsic
def _ctpop(context: Any, board: Any) -> Any:
    return types.int64(types.uint64), lambda ctx, builder, sig, args: builder.ctpop(args[0])


@intrinsic
def _cttz(context: Any, board: Any) -> Any:
    return types.int64(types.uint64), lambda ctx, builder, sig, args: builder.cttz(args[0], ir.IntType(1)(0))


@intrinsic
def _ctlz(context: Any, board: Any) -> Any:
    return types.int64(types.uint64), lambda ctx, builder, sig, args: builder.ctlz(args[0], ir.IntType(1)(0))


@intrinsic
def _bswap(context: Any, board: Any) -> Any:
    return types.uint64(types.uint64), lambda ctx, builder, sig, args: builder.bswap(args[0])


@overload(bits.popcount)
def _popcount(board):
    return lambda board: _ctpop(np.uint64(board))


@overload(bits.lowest_bit)
def _lowest_bit(board):
    return lambda board: _cttz(np.uint64(board))


@overload(bits.highest_bit)
def _highest_bit(board):
    return lambda board: 63 - _ctlz(np.uint64(board))


@overload(bits.swap_bytes)
def _swap_bytes(board):
    return lambda board: _bswap(np.uint64(board))


@overload(bits.minus)
def _minus(a, b):
    return lambda a, b: np.uint64(a) - np.uint64(b)


@overload(random_bits.scramble)
def _scramble(number):
    def scramble(number):
        z = np.uint64(number)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))

    return scramble


@overload(random_bits.draw64)
def _draw64(rng):
    def draw64(rng):
        word = rng[0] + np.uint64(0x9E3779B97F4A7C15)
        rng[0] = word
        return random_bits.scramble(word)

    return draw64


@overload(random_bits.below)
def _below(rng, count):
    def below(rng, count):
        return np.int64(((random_bits.draw64(rng) >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))

    return below


def _random(rng):
    return lambda rng: np.float64(random_bits.draw64(rng) >> np.uint64(11)) * 2.0**-53


def _rng_below(rng, count):
    return lambda rng, count: random_bits.below(rng, count)


def _integers(rng, low, high):
    return lambda rng, low, high: low + random_bits.below(rng, high - low)


def _choice(rng, items):
    return lambda rng, items: items[random_bits.below(rng, len(items))]


def _shuffle(rng, items):
    if not isinstance(items, types.UniTuple):
        return None

    def shuffle(rng, items):
        for last in range(len(items) - 1, 0, -1):
            place = random_bits.below(rng, last + 1)
            card = items[last]
            items = bits.replaced(bits.replaced(items, last, items[place]), place, card)
        return items

    return shuffle


for _kind in (types.Array, ViewType):  # of a caller in Python, and of a workspace
    overload_method(_kind, "random")(_random)
    overload_method(_kind, "below")(_rng_below)
    overload_method(_kind, "integers")(_integers)
    overload_method(_kind, "choice")(_choice)
    overload_method(_kind, "shuffle")(_shuffle)


@intrinsic
def _fold(context: Any, a: Any, b: Any) -> Any:
    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        wide, word = ir.IntType(128), ir.IntType(64)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.xor(builder.trunc(builder.lshr(product, wide(64)), word), builder.trunc(product, word))

    return types.uint64(types.uint64, types.uint64), generate


@intrinsic
def _prefetch(context: Any, view: Any, index: Any) -> Any:
    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        small, byte = ir.IntType(32), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, small, small, small])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        address = builder.bitcast(item_pointer(ctx, builder, sig.args[0], *args), byte)
        builder.call(function, [address, small(0), small(3), small(1)])  # read, high locality, data cache
        return ctx.get_dummy_value()

    return types.void(view, types.int64), generate


@overload(bits.prefetch)
def _native_prefetch(array, index):
    if isinstance(array, ViewType):
        return lambda array, index: _prefetch(array, index)
    return lambda array, index: None


@intrinsic
def _pext(context: Any, board: Any, mask: Any) -> Any:
    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, word])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pext.64"), args)

    return types.int64(types.uint64, types.uint64), generate


@overload(bits.gather)
def _native_gather(board, mask):
    if llvm.get_process_triple().startswith("x86_64") and llvm.get_host_cpu_features().get("bmi2"):
        return lambda board, mask: _pext(np.uint64(board), np.uint64(mask))

    def gather(board, mask):
        places, found, bit = np.uint64(mask), np.int64(0), np.uint64(1)
        while places != np.uint64(0):
            low = places & (~places + np.uint64(1))
            if np.uint64(board) & low != np.uint64(0):
                found |= np.int64(bit)
            places ^= low
            bit <<= np.uint64(1)
        return found

    return gather


# Arrays on the stack belong to the frame of whoever asks for them, so these two are lowered in place: a function that
# returned one would return memory that has just ended.


@infer_global(bits.scratch)
class _Scratch(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(ScratchType(types.int64))


@infer_global(bits.float_scratch)
class _FloatScratch(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(ScratchType(types.float32))


@lower_builtin(bits.scratch)
@lower_builtin(bits.float_scratch)
def _lower_scratch(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = context.get_value_type(sig.return_type.dtype)
    return builder.ptrtoint(cgutils.alloca_once(builder, kind, size=bits.SCRATCH), ir.IntType(64))


@overload(bits.replaced)
def _native_replaced(words, index, word):
    if not isinstance(words, types.UniTuple):
        return None
    size, kind = len(words), words.dtype

    def replaced(words, index, word):
        if index < 0 or index >= size:
            raise IndexError("replaced: the index is outside the tuple")
        return tuple_setitem(words, index, kind(word))

    return replaced


@intrinsic
def _word_of_float(context: Any, number: Any) -> Any:
    word = ir.IntType(64)
    return types.uint64(types.float64), lambda ctx, builder, sig, args: builder.bitcast(args[0], word)


@overload(bits.fold)
def _native_fold(a, b):
    return lambda a, b: _fold(np.uint64(a), np.uint64(b))


@overload(bits.signed)
def _native_signed(word):
    return lambda word: np.int64(np.uint64(word))


@overload(bits.mix)
def _native_mix(state):
    """One expression for the state's own shape: straight-line code."""
    words = _words(state, "state")
    if len(words) % 2:
        words.append("np.uint64(0)")
    salt = [f"np.uint64({bits._SALT[i % 64]})" for i in range(len(words))]
    pairs = [f"fold({words[i]} ^ {salt[i]}, {words[i + 1]} ^ {salt[i + 1]})" for i in range(0, len(words), 2)]
    scope: dict[str, Any] = {"np": np, "fold": bits.fold, "word_of_float": _word_of_float}
    exec(f"def mix(state):\n    return {' + '.join(pairs)}\n", scope)  # our own text, made of types only
    return scope["mix"]


def _words(kind: Any, path: str) -> list[str]:
    if isinstance(kind, types.BaseTuple):
        return [word for i, item in enumerate(kind) for word in _words(item, f"{path}[{i}]")]
    return [f"word_of_float({path} + 0.0)" if isinstance(kind, types.Float) else f"np.uint64({path})"]


@intrinsic
def _float_of_word(context: Any, word: Any) -> Any:
    double = ir.DoubleType()
    return types.float64(types.int64), lambda ctx, builder, sig, args: builder.bitcast(args[0], double)


@overload(bits.write_state)
def _native_write_state(words, place, state):
    """One assignment for each field."""
    lines = [f"    words[place + {i}] = np.int64({word})" for i, word in enumerate(_words(state, "state"))]
    scope: dict[str, Any] = {"np": np, "word_of_float": _word_of_float}
    exec("\n".join(["def write_state(words, place, state):", *lines]), scope)  # our own text, made of types only
    return scope["write_state"]


@overload(bits.write_numbers)
def _native_write_numbers(numbers, values):
    """One assignment for each value of a tuple of several types; a loop over anything else."""
    if isinstance(values, types.BaseTuple) and not isinstance(values, types.UniTuple):
        if not all(isinstance(kind, (types.Number, types.Boolean)) for kind in values):
            return None
        lines = [f"    numbers[{i}] = np.float32(values[{i}])" for i in range(min(len(values), bits.SCRATCH))]
        scope: dict[str, Any] = {"np": np}
        text = ["def write_numbers(numbers, values):", *lines, f"    return {len(values)}"]
        exec("\n".join(text), scope)  # our own text, made of types only
        return scope["write_numbers"]
    return _write_each


ROOM = bits.SCRATCH
"""Numbers that scratch memory holds."""


def _write_each(numbers, values):
    count = 0
    for value in values:
        if count < ROOM:  # compiled without a look at bounds: those beyond are only counted
            numbers[count] = np.float32(value)
        count += 1
    return count


@overload(bits.read_state)
def _native_read_state(words, place, like):
    """One expression for the state's own shape."""
    scope: dict[str, Any] = {"np": np, "float_of_word": _float_of_word}
    text, _ = _reading(like, 0, scope)
    exec(f"def read_state(words, place, like):\n    return {text}\n", scope)  # our own text, made of types only
    return scope["read_state"]


def _reading(kind: Any, index: int, scope: dict[str, Any]) -> tuple[str, int]:
    """The expression that reads a value of this type from the index-th word on, and the index after it."""
    if isinstance(kind, types.BaseTuple):
        parts = []
        for item in kind:
            text, index = _reading(item, index, scope)
            parts.append(text)
        if not isinstance(kind, types.BaseNamedTuple):
            return f"({''.join(f'{part}, ' for part in parts)})", index
        name = f"class_{len(scope)}"
        scope[name] = kind.instance_class
        return f"{name}({', '.join(parts)})", index
    word = f"words[place + {index}]"
    if isinstance(kind, types.Float):
        return f"float_of_word({word})", index + 1
    if isinstance(kind, types.Boolean):
        return f"({word} != 0)", index + 1
    return (f"np.uint64({word})" if kind == types.uint64 else word), index + 1


TWINS = frozenset(
    {bits.popcount, bits.lowest_bit, bits.highest_bit, bits.fold, bits.signed, bits.mix, bits.prefetch, bits.replaced}
    | {bits.write_state, bits.read_state, bits.write_numbers, bits.swap_bytes, bits.minus, bits.gather, bits.scratch}
    | {bits.float_scratch}
    | {random_bits.scramble, random_bits.draw64, random_bits.below}
)
"""The functions that compiled code replaces by their twins instead of compiling them."""
