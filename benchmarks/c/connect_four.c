/* Connect Four 7x6 as plywright/games/connect_four.py writes it: usage: connect_four MINE THEIRS DEPTH */
#include <stdint.h>
#include <stdlib.h>

typedef int64_t i64;
typedef struct {
    i64 mine, theirs;
} State;
typedef int Moves;

#define HEIGHT 7
#define COLUMN 63LL
static const i64 BOARD = COLUMN * (1LL | 1LL << 7 | 1LL << 14 | 1LL << 21 | 1LL << 28 | 1LL << 35 | 1LL << 42);
static const i64 CENTRE = COLUMN << 21;
static const int ORDER[7] = {3, 2, 4, 1, 5, 0, 6};

static inline i64 four(i64 stones, int s) {
    i64 pairs = stones & stones >> s;
    return pairs & pairs >> 2 * s;
}
static inline int has_four(i64 stones) {
    return (four(stones, 1) | four(stones, HEIGHT) | four(stones, HEIGHT - 1) | four(stones, HEIGHT + 1)) != 0;
}
static inline i64 gaps(i64 stones, int s) {
    i64 below = stones << s & stones << 2 * s, above = stones >> s & stones >> 2 * s;
    i64 ends = (below & stones << 3 * s) | (above & stones >> 3 * s);
    return ends | (below & stones >> s) | (above & stones << s);
}
static inline i64 completing(i64 stones) {
    i64 upright = stones << 1 & stones << 2 & stones << 3;
    return upright | gaps(stones, HEIGHT) | gaps(stones, HEIGHT - 1) | gaps(stones, HEIGHT + 1);
}
static inline i64 to_move(State s) { return __builtin_popcountll(s.mine | s.theirs) & 1; }
static inline int is_terminal(State s) { return has_four(s.theirs) || (s.mine | s.theirs) == BOARD; }
static inline Moves first_move(State s) { return (void)s, 0; }
static inline int next_move(State s, Moves *moves, i64 *action) {
    i64 occupied = s.mine | s.theirs;
    while (*moves < 7) {
        int column = ORDER[(*moves)++];
        if (!(occupied >> (column * HEIGHT + 5) & 1)) {
            *action = column;
            return 1;
        }
    }
    return 0;
}
static inline State result(State s, i64 action) {
    i64 occupied = s.mine | s.theirs;
    int foot = (int)action * HEIGHT;
    i64 placed = (occupied + (1LL << foot)) & COLUMN << foot;
    State next = {s.theirs, s.mine | placed};
    return next;
}
static inline double utility(State s, i64 player) {
    if (!has_four(s.theirs)) return 0;
    return player == to_move(s) ? -1 : 1;
}
static inline double evaluate(State s, i64 player) {
    i64 empty = BOARD & ~(s.mine | s.theirs);
    double value = 4.0 / 64 * (__builtin_popcountll(completing(s.mine) & empty) - __builtin_popcountll(completing(s.theirs) & empty));
    value += 1.0 / 64 * (__builtin_popcountll(s.mine & CENTRE) - __builtin_popcountll(s.theirs & CENTRE));
    value = value < -63.0 / 64 ? -63.0 / 64 : value > 63.0 / 64 ? 63.0 / 64 : value;
    return player == to_move(s) ? value : -value;
}

#include "alphabeta.h"

int main(int argc, char **argv) {
    (void)argc;
    State state = {strtoll(argv[1], 0, 10), strtoll(argv[2], 0, 10)};
    report(state, atoi(argv[3]));
    return 0;
}
