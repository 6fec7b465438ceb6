/* A bot for Othello that speaks `x y` lines: x from the left, y from the bottom, or `pass`.
 *
 * Compile it with `cc -O2 -o bot bot.c`, then: plywright match "xy:./c/bot" random --game othello --games 2
 * It reads `game black 4 0 0` (colour, plies, seconds a move, seconds a game; 0 where none applies), at whose end may
 * stand `moves 6 4 6 3`, then its opponent's moves, and writes its own. Print anything else to standard error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EMPTY, BLACK, WHITE, LARGEST = 8 };

static int size = LARGEST;
static int board[LARGEST + 2][LARGEST + 2]; /* with a rim that stays empty */

static int other(int colour) { return BLACK + WHITE - colour; }

static void new_board(void) {
    int low = size / 2, high = size / 2 + 1;
    memset(board, 0, sizeof board);
    board[low][high] = board[high][low] = WHITE;
    board[low][low] = board[high][high] = BLACK;
}

/* How many discs a move turns, and turns them where `really`; 0 means that it is not legal. */
static int turn_discs(int colour, int x, int y, int really) {
    int count = 0;
    if (x < 1 || y < 1 || x > size || y > size || board[x][y] != EMPTY) return 0;
    for (int dx = -1; dx <= 1; dx++) {
        for (int dy = -1; dy <= 1; dy++) {
            int length = 0;
            if (dx == 0 && dy == 0) continue;
            while (board[x + (length + 1) * dx][y + (length + 1) * dy] == other(colour)) length++;
            if (board[x + (length + 1) * dx][y + (length + 1) * dy] != colour) continue;
            count += length;
            for (int step = 1; really && step <= length; step++) board[x + step * dx][y + step * dy] = colour;
        }
    }
    if (really) board[x][y] = colour;
    return count;
}

static int can_move(int colour) {
    for (int x = 1; x <= size; x++)
        for (int y = 1; y <= size; y++)
            if (turn_discs(colour, x, y, 0)) return 1;
    return 0;
}

/* Your idea goes here. For now: a corner if there is one, else the move that turns the fewest discs. */
static int choose(int colour, int *best_x, int *best_y) {
    int fewest = LARGEST * LARGEST;
    for (int y = size; y >= 1; y--) {
        for (int x = 1; x <= size; x++) {
            int count = turn_discs(colour, x, y, 0);
            if (count == 0) continue;
            if ((x == 1 || x == size) && (y == 1 || y == size)) count = 0;
            if (count < fewest) {
                fewest = count;
                *best_x = x;
                *best_y = y;
            }
        }
    }
    return fewest < LARGEST * LARGEST;
}

static void answer(int colour) {
    int x, y;
    if (choose(colour, &x, &y)) {
        turn_discs(colour, x, y, 1);
        printf("%d %d\n", x, y);
    } else {
        printf("pass\n");
    }
    fflush(stdout);
}

int main(int count, char **arguments) {
    char line[4096];
    int mine = BLACK, turn = BLACK;
    if (count > 1) size = atoi(arguments[1]); /* ./bot 6 plays on 6x6 */
    if (size != 4 && size != 6 && size != 8) return 2;
    new_board();
    while (fgets(line, sizeof line, stdin)) {
        char *word = strtok(line, " \t\r\n");
        if (word == NULL) continue;
        if (strcmp(word, "game") == 0) {
            new_board();
            word = strtok(NULL, " \t\r\n");
            mine = word != NULL && strcmp(word, "black") == 0 ? BLACK : WHITE;
            turn = BLACK;
            for (int skipped = 0; skipped < 4 && word != NULL; skipped++) word = strtok(NULL, " \t\r\n");
            while (word != NULL && (word = strtok(NULL, " \t\r\n")) != NULL) {
                if (strcmp(word, "pass") != 0) {
                    char *second = strtok(NULL, " \t\r\n");
                    if (second == NULL) break;
                    turn_discs(turn, atoi(word), atoi(second), 1);
                }
                turn = other(turn);
            }
        } else {
            char *second = strtok(NULL, " \t\r\n");
            if (second != NULL) turn_discs(other(mine), atoi(word), atoi(second), 1);
            turn = mine;
        }
        if (turn == mine && (can_move(mine) || can_move(other(mine)))) answer(mine);
    }
    return 0;
}
