/* Othello 8x8 as plywright/games/othello.py writes it: usage: othello MINE THEIRS MOVER DEPTH [perft]
   By default alpha-beta: value, nodes, seconds. With perft: lines, lines, seconds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef uint64_t u64;
typedef struct {
    u64 mine, theirs, moves;
    int64_t mover;
} State;
typedef u64 Moves;

#define INNER 0x7E7E7E7E7E7E7E7EULL
#define CORNERS 0x8100000000000081ULL
#define FIRST_FILE 0x0101010101010101ULL
#define LAST_FILE 0x8080808080808080ULL
#define SIDES (FIRST_FILE | LAST_FILE)
#define ENDS 0xFF000000000000FFULL
#define RIM (SIDES | ENDS)
#define PASS 64

/* othello_knowledge.py's WEIGHTS: a row for each stage */
static const double WEIGHTS[6][8] = {
    {1.0, 0.5, 12.0, 4.0, -8.0, -3.0, 2.0, -0.5},     {1.0, 0.5, 12.0, 4.0, -8.0, -3.0, 2.5, -0.5},
    {0.75, 0.375, 12.0, 5.5, -8.0, -3.0, 2.5, -0.5},  {1.0, 0.25, 9.0, 6.5, -5.0, -2.0, 2.25, -0.25},
    {2.0, 0.0, 4.25, 6.0, -1.0, -2.0, 1.75, 0.0},     {2.0, 0.0, 3.0, 5.0, -0.5, -1.0, 1.5, 0.5},
};

static inline u64 run_up(u64 start, u64 discs, int s) {
    u64 run = discs & (start << s);
    run |= discs & (run << s);
    u64 pairs = discs & (discs << s);
    run |= pairs & (run << (2 * s));
    return run | (pairs & (run << (2 * s)));
}
static inline u64 run_down(u64 start, u64 discs, int s) {
    u64 run = discs & (start >> s);
    run |= discs & (run >> s);
    u64 pairs = discs & (discs >> s);
    run |= pairs & (run >> (2 * s));
    return run | (pairs & (run >> (2 * s)));
}
static inline u64 legal(u64 mine, u64 theirs) {
    u64 inner = theirs & INNER;
    u64 moves = run_up(mine, inner, 1) << 1 | run_down(mine, inner, 1) >> 1;
    moves |= run_up(mine, theirs, 8) << 8 | run_down(mine, theirs, 8) >> 8;
    moves |= run_up(mine, inner, 7) << 7 | run_down(mine, inner, 7) >> 7;
    moves |= run_up(mine, inner, 9) << 9 | run_down(mine, inner, 9) >> 9;
    return moves & ~(mine | theirs);
}
static inline u64 flank_up(u64 placed, u64 mine, u64 discs, int s) {
    u64 run = run_up(placed, discs, s);
    return (run << s) & mine ? run : 0;
}
static inline u64 flank_down(u64 placed, u64 mine, u64 discs, int s) {
    u64 run = run_down(placed, discs, s);
    return (run >> s) & mine ? run : 0;
}
static inline u64 turned(u64 placed, u64 mine, u64 theirs) {
    u64 inner = theirs & INNER;
    return flank_up(placed, mine, inner, 1) | flank_down(placed, mine, inner, 1) | flank_up(placed, mine, theirs, 8) |
           flank_down(placed, mine, theirs, 8) | flank_up(placed, mine, inner, 7) | flank_down(placed, mine, inner, 7) |
           flank_up(placed, mine, inner, 9) | flank_down(placed, mine, inner, 9);
}
static inline State position(u64 mine, u64 theirs, int64_t mover) {
    State state = {mine, theirs, legal(mine, theirs), mover};
    return state;
}
static inline int64_t to_move(State s) { return s.mover; }
static inline int is_terminal(State s) { return !s.moves && !legal(s.theirs, s.mine); }
static inline Moves first_move(State s) { return s.moves; }
static inline int next_move(State s, Moves *moves, int64_t *action) {
    if (!s.moves) { /* a pass, once */
        if (*moves == ~0ULL) return 0;
        *moves = ~0ULL;
        *action = PASS;
        return 1;
    }
    if (!*moves) return 0;
    *action = __builtin_ctzll(*moves);
    *moves &= *moves - 1;
    return 1;
}
static inline State result(State s, int64_t action) {
    u64 placed = 0, flips = 0;
    if (action != PASS) {
        placed = 1ULL << action;
        flips = turned(placed, s.mine, s.theirs);
    }
    return position(s.theirs & ~flips, s.mine | flips | placed, 1 - s.mover);
}
static inline double utility(State s, int64_t player) {
    int mine = __builtin_popcountll(s.mine), theirs = __builtin_popcountll(s.theirs), margin = mine - theirs;
    if (margin > 0)
        margin = 64 - 2 * theirs;
    else if (margin < 0)
        margin = 2 * mine - 64;
    return player == s.mover ? margin : -margin;
}
static inline int count(u64 board) { return __builtin_popcountll(board); }
static inline u64 beside(u64 discs) {
    u64 wide = discs | (discs & ~LAST_FILE) << 1 | (discs & ~FIRST_FILE) >> 1;
    return wide | wide << 8 | wide >> 8;
}
static inline u64 anchored(u64 discs) {
    u64 found = discs & CORNERS, along_ends = discs & ENDS, along_sides = discs & SIDES;
    for (;;) {
        u64 more = found | (along_ends & (found << 1 | found >> 1));
        more |= along_sides & (found << 8 | found >> 8);
        if (more == found) return found & ~CORNERS;
        found = more;
    }
}
static inline double evaluate(State s, int64_t player) {
    u64 mine = s.mine, theirs = s.theirs, replies = legal(theirs, mine);
    u64 occupied = mine | theirs, empties = ~occupied;
    const double *weights = WEIGHTS[count(occupied) * 6 / 65];
    u64 risky = beside(empties & CORNERS), cross = risky & ~RIM, side = risky & RIM;
    double value = weights[0] * (count(s.moves) - count(replies));
    value += weights[1] * (count(beside(theirs) & empties) - count(beside(mine) & empties));
    value += weights[2] * (count(mine & CORNERS) - count(theirs & CORNERS));
    value += weights[3] * (count(s.moves & CORNERS) - count(replies & CORNERS));
    value += weights[4] * (count(mine & cross) - count(theirs & cross));
    value += weights[5] * (count(mine & side) - count(theirs & side));
    if (occupied & CORNERS) value += weights[6] * (count(anchored(mine)) - count(anchored(theirs)));
    value += weights[7] * (count(mine) - count(theirs));
    value = value < -63 ? -63 : value > 63 ? 63 : value;
    return player == s.mover ? value : -value;
}

#include "alphabeta.h"

/* As engine/perft.py counts lines: the last ply without playing it. */
static int64_t count_lines(State s, int64_t depth) {
    if (depth == 0) return 1;
    if (depth == 1) return s.moves ? count(s.moves) : 1;
    if (is_terminal(s)) return 1;
    int64_t lines = 0, action;
    Moves moves = first_move(s);
    while (next_move(s, &moves, &action)) lines += count_lines(result(s, action), depth - 1);
    return lines;
}

int main(int argc, char **argv) {
    if (argc > 5) {
        struct timespec began, ended;
        State start = position(strtoull(argv[1], 0, 10), strtoull(argv[2], 0, 10), atoi(argv[3]));
        clock_gettime(CLOCK_MONOTONIC, &began);
        int64_t lines = count_lines(start, atoi(argv[4]));
        clock_gettime(CLOCK_MONOTONIC, &ended);
        double seconds = (ended.tv_sec - began.tv_sec) + 1e-9 * (ended.tv_nsec - began.tv_nsec);
        printf("%lld %lld %.9f\n", (long long)lines, (long long)lines, seconds);
        return 0;
    }
    report(position(strtoull(argv[1], 0, 10), strtoull(argv[2], 0, 10), atoi(argv[3])), atoi(argv[4]));
    return 0;
}
