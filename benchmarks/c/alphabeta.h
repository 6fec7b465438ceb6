/* The plain alpha-beta kernel of plywright/engine/alphabeta.py by hand in C, for one game at a time.
   The including file defines State, FIRST/MORE/NEXT over the actions, and the rules. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define WIDTH 64
static int64_t nodes, node_limit = INT64_MAX, cutoffs, stopped;
static volatile int64_t stop_flag;
static int64_t line[WIDTH * WIDTH], length[WIDTH];

static void keep_line(int ply, int64_t action) {
    int64_t count = length[ply + 1], *row = line + ply * WIDTH;
    row[0] = action;
    for (int64_t i = 0; i < count; i++) row[1 + i] = row[WIDTH + i];
    length[ply] = count + 1;
}

static double alphabeta(State state, int64_t player, int depth, int ply, double alpha, double beta) {
    int64_t seen = nodes + 1;
    if (seen > node_limit || ((seen & 1023) == 0 && stop_flag)) {
        stopped = 1;
        return NAN;
    }
    nodes = seen;
    if (is_terminal(state)) {
        length[ply] = 0;
        return utility(state, player);
    }
    if (depth == 0) {
        length[ply] = 0;
        cutoffs++;
        return evaluate(state, player);
    }
    int64_t mover = to_move(state);
    int same = mover == player;
    double low = same ? alpha : -beta, high = same ? beta : -alpha, best = -INFINITY;
    length[ply] = 0;
    Moves moves = first_move(state);
    int64_t action;
    while (next_move(state, &moves, &action)) {
        double value = alphabeta(result(state, action), mover, depth - 1, ply + 1, low, high);
        if (!(value <= best)) {
            if (value != value) return value;
            best = value;
            if (value > low) {
                low = value;
                keep_line(ply, action);
                if (low >= high) break;
            }
        }
    }
    return same ? best : -best;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void report(State state, int depth) {
    double began = now();
    double value = alphabeta(state, to_move(state), depth, 0, -INFINITY, INFINITY);
    printf("%.17g %lld %.9f\n", value, (long long)nodes, now() - began);
}
