"""Native twins of the functions in vectors.py: the vectors are written out, since no pass of LLVM would find them."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from .. import vectors
from ..vectors import EIGHT, FIVE, LOUDEST, QUIETER, WAYS
from .workspace import ViewType, item_pointer

_WORD, _DOUBLE, _SINGLE = ir.IntType(64), ir.DoubleType(), ir.FloatType()
_HALF, _QUARTER = ir.IntType(32), ir.IntType(16)
_BLOCKS = 64, 32, EIGHT
"""Sums that are kept in registers together: enough chains of additions that none waits for the one before it."""
_NARROW_BLOCKS = 128, 64, 32
"""The same of sums of 16 bits."""
_FOUR = types.UniTuple(types.uint64, WAYS)
ABREAST = 4  # sums that a layer makes at a time: each addition waits for the one before it


def _spread(builder: Any, value: Any, count: int) -> Any:
    """A vector of so many times the same."""
    kind = ir.VectorType(value.type, count)
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), value, ir.IntType(32)(0))
    mask = ir.Constant(ir.VectorType(ir.IntType(32), count), [0] * count)
    return builder.shuffle_vector(one, ir.Constant(kind, ir.Undefined), mask)


def _gathered(builder: Any, words: Any) -> Any:
    """A tuple of four words as a vector."""
    found = ir.Constant(ir.VectorType(_WORD, WAYS), ir.Undefined)
    for way in range(WAYS):
        found = builder.insert_element(found, builder.extract_value(words, way), ir.IntType(32)(way))
    return found


def _any_of(builder: Any, vector: Any, count: int) -> Any:
    """The bits that are in any of the words: by halves."""
    while count > 1:
        count //= 2
        nothing, narrow = ir.Constant(vector.type, ir.Undefined), ir.VectorType(ir.IntType(32), count)
        low = builder.shuffle_vector(vector, nothing, ir.Constant(narrow, list(range(count))))
        high = builder.shuffle_vector(vector, nothing, ir.Constant(narrow, list(range(count, 2 * count))))
        vector = builder.or_(low, high)
    return builder.extract_element(vector, ir.IntType(32)(0))


def _sum_of(builder: Any, vector: Any, count: int) -> Any:
    """All numbers of a vector added up: by halves."""
    while count > 1:
        count //= 2
        nothing, mask = ir.Constant(vector.type, ir.Undefined), ir.VectorType(_HALF, count)
        low = builder.shuffle_vector(vector, nothing, ir.Constant(mask, list(range(count))))
        high = builder.shuffle_vector(vector, nothing, ir.Constant(mask, list(range(count, 2 * count))))
        vector = builder.add(low, high)
    return builder.extract_element(vector, _HALF(0))


def _leading_zeros(builder: Any, words: Any) -> Any:
    """How many zeros each word begins with; none may be zero."""
    kind = ir.FunctionType(words.type, [words.type, ir.IntType(1)])
    name = f"llvm.ctlz.v{words.type.count}i64"
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), [words, ir.IntType(1)(1)])


def _loaded(ctx: Any, builder: Any, kind: Any, array: Any, place: Any, item: Any, count: int, align: int = 8) -> Any:
    """So many items of an array at once, wherever they begin."""
    if isinstance(kind, ViewType):
        pointer = item_pointer(ctx, builder, kind, array, place)
    else:
        pointer = builder.gep(ctx.make_array(kind)(ctx, builder, array).data, [place])
    vector = ir.VectorType(item, count)
    return builder.load(builder.bitcast(pointer, vector.as_pointer()), align=align)


@intrinsic
def _behind_runs(context: Any, start: Any, through: Any, shifts: Any) -> Any:
    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        from_there, discs, shift = _spread(builder, args[0], WAYS), *(_gathered(builder, arg) for arg in args[1:])
        twice = builder.add(shift, shift)
        pairs = builder.and_(discs, builder.shl(discs, shift))
        ends = []
        for moved, two in ((builder.shl, pairs), (builder.lshr, builder.lshr(pairs, shift))):
            run = builder.and_(discs, moved(from_there, shift))
            run = builder.or_(run, builder.and_(discs, moved(run, shift)))
            for _ in range(2):
                run = builder.or_(run, builder.and_(two, moved(run, twice)))
            ends.append(moved(run, shift))
        return _any_of(builder, builder.or_(*ends), WAYS)

    return types.uint64(types.uint64, _FOUR, _FOUR), generate


@overload(vectors.behind_runs)
def _native_behind_runs(start, through, shifts):
    return lambda start, through, shifts: _behind_runs(np.uint64(start), through, shifts)


@intrinsic
def _outflanked(context: Any, rays: Any, place: Any, mine: Any, theirs: Any) -> Any:
    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        table, place, mine, theirs = args
        own, others = _spread(builder, mine, WAYS), builder.not_(_spread(builder, theirs, WAYS))
        kind = own.type
        zero, one = ir.Constant(kind, [0] * WAYS), ir.Constant(kind, [1] * WAYS)
        ray = _loaded(ctx, builder, sig.args[0], table, place, _WORD, WAYS)
        stops = builder.and_(ray, others)
        end = builder.and_(builder.and_(stops, builder.sub(zero, stops)), own)
        there = builder.sext(builder.icmp_unsigned("!=", end, zero), kind)
        up = builder.and_(builder.add(end, there), ray)  # what is below the end; nothing where there is none
        ray = _loaded(ctx, builder, sig.args[0], table, builder.add(place, _WORD(WAYS)), _WORD, WAYS)
        stops = builder.or_(builder.and_(ray, others), one)  # a bit of its own for rays without a stop
        leading = _leading_zeros(builder, stops)
        end = builder.lshr(ir.Constant(kind, [1 << 63] * WAYS), leading)
        end = builder.and_(builder.and_(end, ray), own)
        down = builder.and_(builder.shl(builder.sub(zero, end), one), ray)
        return _any_of(builder, builder.or_(up, down), WAYS)

    return types.uint64(rays, types.int64, types.uint64, types.uint64), generate


@overload(vectors.outflanked)
def _native_outflanked(rays, place, mine, theirs):
    return lambda rays, place, mine, theirs: _outflanked(rays, place, np.uint64(mine), np.uint64(theirs))


@intrinsic
def _add_up_rows(context: Any, sums: Any, place: Any, table: Any, first: Any, words: Any, board: Any) -> Any:
    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        sums, place, table, first, words, board = args
        total = None
        for row in range(EIGHT):
            content = builder.and_(builder.lshr(board, _WORD(EIGHT * row)), _WORD(255))
            here = builder.add(builder.mul(builder.add(content, _WORD(256 * row)), words), first)
            part = _loaded(ctx, builder, sig.args[2], table, here, _WORD, EIGHT)
            total = part if total is None else builder.add(total, part)
        pointer = item_pointer(ctx, builder, sig.args[0], sums, place)
        builder.store(total, builder.bitcast(pointer, total.type.as_pointer()), align=8)
        return ctx.get_dummy_value()

    return types.void(sums, types.int64, table, types.int64, types.int64, types.uint64), generate


@overload(vectors.add_up_rows)
def _native_add_up_rows(sums, place, table, first, words, board):
    return lambda sums, place, table, first, words, board: _add_up_rows(
        sums, place, table, first, words, np.uint64(board)
    )


@intrinsic
def _eight_units(context: Any, numbers: Any, count: Any, weights: Any, place: Any) -> Any:
    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        numbers, count, weights, first = args
        kind = ir.VectorType(_DOUBLE, EIGHT)

        def row(number: Any) -> Any:
            here = builder.add(first, builder.mul(number, _WORD(EIGHT)))
            return _loaded(ctx, builder, sig.args[2], weights, here, _DOUBLE, EIGHT)

        nothing = ir.Constant(kind, [0.0] * EIGHT)
        heard = [cgutils.alloca_once_value(builder, start) for start in (row(_WORD(0)), *[nothing] * (ABREAST - 1))]

        def hear(index: Any, into: Any) -> None:
            number = builder.load(item_pointer(ctx, builder, sig.args[0], numbers, index))
            part = _spread(builder, builder.sitofp(number, _DOUBLE), EIGHT)
            weighed = builder.fmul(row(builder.add(index, _WORD(1))), part)
            builder.store(builder.fadd(builder.load(into), weighed), into)

        whole = builder.and_(count, _WORD(-ABREAST))
        with cgutils.for_range_slice(builder, _WORD(0), whole, _WORD(ABREAST), _WORD) as (index, _):
            for step, sums in enumerate(heard):
                hear(builder.add(index, _WORD(step)), sums)
        with cgutils.for_range_slice(builder, whole, count, _WORD(1), _WORD) as (index, _):
            hear(index, heard[0])
        said = builder.load(heard[0])
        for sums in heard[1:]:
            said = builder.fadd(said, builder.load(sums))
        zero = ir.Constant(kind, [0.0] * EIGHT)
        said = builder.select(builder.fcmp_ordered(">", said, zero), said, zero)
        last = builder.add(count, _WORD(1))
        weighed = builder.fmul(row(last), said)
        place = builder.add(first, builder.mul(builder.add(last, _WORD(1)), _WORD(EIGHT)))
        value = builder.load(builder.gep(ctx.make_array(sig.args[2])(ctx, builder, weights).data, [place]))
        for unit in range(EIGHT):
            value = builder.fadd(value, builder.extract_element(weighed, ir.IntType(32)(unit)))
        return value

    return types.float64(numbers, types.int64, weights, types.int64), generate


@overload(vectors.eight_units)
def _native_eight_units(numbers, count, weights, place):
    return lambda numbers, count, weights, place: _eight_units(numbers, count, weights, place)


@intrinsic
def _add_rows(context: Any, sums: Any, width: Any, rows: Any, first: Any, places: Any, shares: Any, count: Any) -> Any:
    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        sums, width, rows, first, places, shares, count = args
        begin: Any = _WORD(0)
        for lanes in _BLOCKS:
            left = builder.sub(width, begin)
            end = builder.add(begin, builder.sub(left, builder.urem(left, _WORD(lanes))))
            with cgutils.for_range_slice(builder, begin, end, _WORD(lanes), _WORD) as (here, _):
                total = cgutils.alloca_once_value(
                    builder, _loaded(ctx, builder, sig.args[0], sums, here, _SINGLE, lanes)
                )
                with cgutils.for_range(builder, count) as loop:
                    place = builder.load(item_pointer(ctx, builder, sig.args[4], places, loop.index))
                    share = builder.load(item_pointer(ctx, builder, sig.args[5], shares, loop.index))
                    there = builder.add(builder.add(first, builder.mul(place, width)), here)
                    row = _loaded(ctx, builder, sig.args[2], rows, there, _SINGLE, lanes)
                    weighed = builder.fmul(row, _spread(builder, share, lanes))
                    builder.store(builder.fadd(builder.load(total), weighed), total)
                found = builder.load(total)
                pointer = item_pointer(ctx, builder, sig.args[0], sums, here)
                builder.store(found, builder.bitcast(pointer, found.type.as_pointer()), align=8)
            begin = end
        return ctx.get_dummy_value()

    return types.void(sums, types.int64, rows, types.int64, places, shares, types.int64), generate


@overload(vectors.add_rows)
def _native_add_rows(sums, width, rows, first, places, shares, count):
    return lambda sums, width, rows, first, places, shares, count: _add_rows(
        sums, width, rows, first, places, shares, count
    )


@intrinsic
def _five_outputs(context: Any, found: Any, units: Any, count: Any, weights: Any, first: Any) -> Any:
    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        found, units, count, weights, first = args
        kind = ir.VectorType(_SINGLE, EIGHT)
        nothing, ones = ir.Constant(kind, ir.Undefined), ir.Constant(kind, [1.0] * EIGHT)
        absolute = cgutils.get_or_insert_function(builder.module, ir.FunctionType(kind, [kind]), "llvm.fabs.v8f32")
        # Eight units have forty weights side by side, five vectors: which unit each lane belongs to.
        sums = [cgutils.alloca_once_value(builder, ir.Constant(kind, [0.0] * EIGHT)) for _ in range(FIVE)]
        whose = [[(EIGHT * part + lane) // FIVE for lane in range(EIGHT)] for part in range(FIVE)]
        with cgutils.for_range_slice(builder, _WORD(0), count, _WORD(EIGHT), _WORD) as (unit, _):
            heard = _loaded(ctx, builder, sig.args[1], units, unit, _SINGLE, EIGHT)
            said = builder.fdiv(heard, builder.fadd(ones, builder.call(absolute, [heard])))
            there = builder.add(first, builder.mul(unit, _WORD(FIVE)))
            for part, (total, lanes) in enumerate(zip(sums, whose, strict=True)):
                here = builder.add(there, _WORD(EIGHT * part))
                row = _loaded(ctx, builder, sig.args[3], weights, here, _SINGLE, EIGHT, align=4)
                mask = ir.Constant(ir.VectorType(ir.IntType(32), EIGHT), lanes)
                weighed = builder.fmul(builder.shuffle_vector(said, nothing, mask), row)
                builder.store(builder.fadd(builder.load(total), weighed), total)
        parts = [builder.load(total) for total in sums]
        for k in range(FIVE):
            pointer = item_pointer(ctx, builder, sig.args[0], found, _WORD(k))
            value = builder.load(pointer)
            for lane in range(k, EIGHT * FIVE, FIVE):
                value = builder.fadd(value, builder.extract_element(parts[lane // EIGHT], ir.IntType(32)(lane % EIGHT)))
            builder.store(value, pointer)
        return ctx.get_dummy_value()

    return types.void(found, units, types.int64, weights, types.int64), generate


@overload(vectors.five_outputs)
def _native_five_outputs(found, units, count, weights, first):
    return lambda found, units, count, weights, first: _five_outputs(found, units, count, weights, first)


def _blocks(builder: Any, width: Any, each: Any) -> None:
    """Call `each(place, lanes)` for the blocks of so many sums of 16 bits, the widest first, in loops."""
    begin: Any = _WORD(0)
    for lanes in _NARROW_BLOCKS:
        left = builder.sub(width, begin)
        end = builder.add(begin, builder.sub(left, builder.urem(left, _WORD(lanes))))
        with cgutils.for_range_slice(builder, begin, end, _WORD(lanes), _WORD) as (here, _):
            each(here, lanes)
        begin = end


def _weigh_squares(
    ctx: Any,
    builder: Any,
    heard: Any,
    here: Any,
    lanes: int,
    width: Any,
    kind: Any,
    weights: Any,
    place: Any,
    totals: Any,
) -> None:
    """Add to either total what the units of a block say, weighed."""
    narrow, wide = heard.type, ir.VectorType(_HALF, lanes)
    nothing, loudest = ir.Constant(narrow, [0] * lanes), ir.Constant(narrow, [LOUDEST] * lanes)
    heard = builder.select(builder.icmp_signed(">", heard, nothing), heard, nothing)
    heard = builder.select(builder.icmp_signed("<", heard, loudest), heard, loudest)
    said = builder.lshr(builder.mul(heard, heard), ir.Constant(narrow, [QUIETER] * lanes))
    said = builder.zext(said, wide)
    for way, sums in enumerate(totals):
        there = builder.add(builder.add(place, here), builder.mul(width, _WORD(way)))
        weight = _loaded(ctx, builder, kind, weights, there, _QUARTER, lanes, align=2)
        weighed = _sum_of(builder, builder.mul(said, builder.sext(weight, wide)), lanes)
        builder.store(builder.add(builder.load(sums), builder.sext(weighed, _WORD)), sums)


@intrinsic
def _squared_units(
    context: Any, rows: Any, width: Any, start: Any, places: Any, first: Any, count: Any, weights: Any, place: Any
) -> Any:
    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        rows, width, start, places, first, count, weights, place = args
        totals = [cgutils.alloca_once_value(builder, _WORD(0)) for _ in range(2)]

        def each(here: Any, lanes: int) -> None:
            def row(number: Any) -> Any:
                there = builder.add(builder.mul(number, width), here)
                return _loaded(ctx, builder, sig.args[0], rows, there, _QUARTER, lanes, align=2)

            total = cgutils.alloca_once_value(builder, row(start))
            with cgutils.for_range(builder, count) as loop:
                pointer = item_pointer(ctx, builder, sig.args[3], places, builder.add(first, loop.index))
                builder.store(builder.add(builder.load(total), row(builder.load(pointer))), total)
            _weigh_squares(ctx, builder, builder.load(total), here, lanes, width, sig.args[6], weights, place, totals)

        _blocks(builder, width, each)
        return cgutils.pack_array(builder, [builder.load(sums) for sums in totals])

    given = (rows, types.int64, types.int64, places, types.int64, types.int64, weights, types.int64)
    return types.UniTuple(types.int64, 2)(*given), generate


@overload(vectors.squared_units)
def _native_squared_units(rows, width, start, places, first, count, weights, place):
    return lambda rows, width, start, places, first, count, weights, place: _squared_units(
        rows, width, start, places, first, count, weights, place
    )


def _block_pointer(ctx: Any, builder: Any, kind: Any, sums: Any, at: Any, here: Any, lanes: int) -> Any:
    """Where the sums of a block are kept, four in a word, as a pointer to a vector."""
    word = builder.add(at, builder.lshr(here, _WORD(2)))
    return builder.bitcast(item_pointer(ctx, builder, kind, sums, word), ir.VectorType(_QUARTER, lanes).as_pointer())


@intrinsic
def _weighed_squares(context: Any, sums: Any, at: Any, width: Any, weights: Any, place: Any) -> Any:
    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        sums, at, width, weights, place = args
        totals = [cgutils.alloca_once_value(builder, _WORD(0)) for _ in range(2)]

        def each(here: Any, lanes: int) -> None:
            heard = builder.load(_block_pointer(ctx, builder, sig.args[0], sums, at, here, lanes), align=8)
            _weigh_squares(ctx, builder, heard, here, lanes, width, sig.args[3], weights, place, totals)

        _blocks(builder, width, each)
        return cgutils.pack_array(builder, [builder.load(total) for total in totals])

    return types.UniTuple(types.int64, 2)(sums, types.int64, types.int64, weights, types.int64), generate


@overload(vectors.weighed_squares)
def _native_weighed_squares(sums, at, width, weights, place):
    return lambda sums, at, width, weights, place: _weighed_squares(sums, at, width, weights, place)


def _changing_rows(act: str) -> Any:
    """The twin of a function that has units hear rows of a table, or no longer hear them: `add` or `sub`."""

    @intrinsic
    def change(
        context: Any, sums: Any, at: Any, rows: Any, width: Any, turn: Any, places: Any, first: Any, count: Any
    ) -> Any:
        def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
            sums, at, rows, width, turn, places, first, count = args

            def each(here: Any, lanes: int) -> None:
                pointer = _block_pointer(ctx, builder, sig.args[0], sums, at, here, lanes)
                total = cgutils.alloca_once_value(builder, builder.load(pointer, align=8))
                with cgutils.for_range(builder, count) as loop:
                    place = item_pointer(ctx, builder, sig.args[5], places, builder.add(first, loop.index))
                    number = builder.xor(builder.load(place), turn)
                    there = builder.add(builder.mul(number, width), here)
                    row = _loaded(ctx, builder, sig.args[2], rows, there, _QUARTER, lanes, align=2)
                    builder.store(getattr(builder, act)(builder.load(total), row), total)
                builder.store(builder.load(total), pointer, align=8)

            _blocks(builder, width, each)
            return ctx.get_dummy_value()

        given = (sums, types.int64, rows, types.int64, types.int64, places, types.int64, types.int64)
        return types.void(*given), generate

    return change


_add_narrow_rows, _take_narrow_rows = _changing_rows("add"), _changing_rows("sub")


@overload(vectors.add_narrow_rows)
def _native_add_narrow_rows(sums, at, rows, width, turn, places, first, count):
    return lambda sums, at, rows, width, turn, places, first, count: _add_narrow_rows(
        sums, at, rows, width, turn, places, first, count
    )


@overload(vectors.take_narrow_rows)
def _native_take_narrow_rows(sums, at, rows, width, turn, places, first, count):
    return lambda sums, at, rows, width, turn, places, first, count: _take_narrow_rows(
        sums, at, rows, width, turn, places, first, count
    )


VECTOR_TWINS = frozenset(
    {vectors.behind_runs, vectors.outflanked, vectors.add_up_rows, vectors.eight_units}
    | {vectors.add_rows, vectors.five_outputs, vectors.squared_units}
    | {vectors.weighed_squares, vectors.add_narrow_rows, vectors.take_narrow_rows}
)
