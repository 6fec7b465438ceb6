/* An Othello bot in plain C that speaks `x y` lines (x from the left, y from the bottom, or `pass`).

   cc -O2 -o othello_bot examples/othello_bot.c
   plywright match "xy:./othello_bot" random --game othello --games 2

   It reads `game black 4 0 0` (colour, plies, seconds a move, seconds a game; moves already played may
   follow after the word `moves`), then its opponent's moves, and writes its own. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EMPTY, BLACK, WHITE };

static int board[10][10]; /* [x][y], with a rim that is always empty */

/* Corners are worth having, the squares beside them are not. */
static const int worth[4][4] = {{50, -20, 5, 3}, {-20, -30, -2, -2}, {5, -2, 1, 1}, {3, -2, 1, 1}};

static int other(int colour) { return BLACK + WHITE - colour; }

static void new_board(void)
{
    memset(board, 0, sizeof board);
    board[4][5] = board[5][4] = WHITE;
    board[4][4] = board[5][5] = BLACK;
}

/* How many discs a move turns; with `play` it is also made. */
static int turned(int colour, int x, int y, int play)
{
    int total = 0;
    if (x < 1 || x > 8 || y < 1 || y > 8 || board[x][y] != EMPTY)
        return 0;
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++) {
            int run = 0;
            if (dx == 0 && dy == 0)
                continue;
            while (board[x + (run + 1) * dx][y + (run + 1) * dy] == other(colour))
                run++;
            if (board[x + (run + 1) * dx][y + (run + 1) * dy] != colour)
                continue;
            total += run;
            for (int step = 1; play && step <= run; step++)
                board[x + step * dx][y + step * dy] = colour;
        }
    if (play && total)
        board[x][y] = colour;
    return total;
}

static int can_move(int colour)
{
    for (int x = 1; x <= 8; x++)
        for (int y = 1; y <= 8; y++)
            if (turned(colour, x, y, 0))
                return 1;
    return 0;
}

/* Your idea goes here: for now the square of the greatest worth. */
static void answer(int mine)
{
    int best = -1000, best_x = 0, best_y = 0;
    for (int x = 1; x <= 8; x++)
        for (int y = 1; y <= 8; y++) {
            int value = worth[x <= 4 ? x - 1 : 8 - x][y <= 4 ? y - 1 : 8 - y];
            if (value > best && turned(mine, x, y, 0))
                best = value, best_x = x, best_y = y;
        }
    if (best_x) {
        turned(mine, best_x, best_y, 1);
        printf("%d %d\n", best_x, best_y);
    } else {
        puts("pass");
    }
    fflush(stdout);
}

int main(void)
{
    char line[4096];
    int mine = BLACK;
    new_board();
    while (fgets(line, sizeof line, stdin)) {
        int x, y, turn = mine;
        if (strncmp(line, "game", 4) == 0) {
            new_board();
            mine = strstr(line, "white") ? WHITE : BLACK;
            turn = BLACK;
            char *word = strstr(line, "moves") ? strtok(strstr(line, "moves") + 5, " \n") : NULL;
            for (; word; word = strtok(NULL, " \n"), turn = other(turn))
                if (strcmp(word, "pass") != 0) {
                    char *second = strtok(NULL, " \n");
                    turned(turn, atoi(word), second ? atoi(second) : 0, 1);
                }
        } else if (sscanf(line, "%d %d", &x, &y) == 2) {
            turned(other(mine), x, y, 1);
        }
        if (turn == mine && (can_move(mine) || can_move(other(mine))))
            answer(mine);
    }
    return 0;
}
