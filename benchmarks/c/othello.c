/* Othello 8x8 as plywright/games/othello.py writes it: usage: othello MINE THEIRS MOVER DEPTH */
#include <stdint.h>
#include <stdlib.h>

typedef uint64_t u64;
typedef struct {
    u64 mine, theirs, moves;
    int64_t mover;
} State;
typedef u64 Moves;

#define INNER 0x7E7E7E7E7E7E7E7EULL
#define CORNERS 0x8100000000000081ULL
#define PASS 64

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
static inline double evaluate(State s, int64_t player) {
    u64 replies = legal(s.theirs, s.mine);
    double value = 1.0 * (__builtin_popcountll(s.moves) - __builtin_popcountll(replies));
    value += 8.0 * (__builtin_popcountll(s.mine & CORNERS) - __builtin_popcountll(s.theirs & CORNERS));
    value += 0.125 * (__builtin_popcountll(s.mine) - __builtin_popcountll(s.theirs));
    value = value < -63 ? -63 : value > 63 ? 63 : value;
    return player == s.mover ? value : -value;
}

#include "alphabeta.h"

int main(int argc, char **argv) {
    (void)argc;
    report(position(strtoull(argv[1], 0, 10), strtoull(argv[2], 0, 10), atoi(argv[3])), atoi(argv[4]));
    return 0;
}
