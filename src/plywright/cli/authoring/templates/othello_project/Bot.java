import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

/**
 * A bot for Othello that speaks `x y` lines: x from the left, y from the bottom, or `pass`.
 *
 * Compile it with `javac Bot.java && jar cfe bot.jar Bot Bot.class`: the referee shows a program the files that its
 * command names, so it is to be one file. Then: plywright match "xy:java -jar java/bot.jar" random --game othello
 * It reads `game black 4 0 0` (colour, plies, seconds a move, seconds a game; 0 where none applies), at whose end may
 * stand `moves 6 4 6 3`, then its opponent's moves, and writes its own. Print anything else to standard error.
 */
public class Bot {
    static final int EMPTY = 0, BLACK = 1, WHITE = 2;
    static int size = 8;
    static int[][] board;

    static int other(int colour) {
        return BLACK + WHITE - colour;
    }

    static void newBoard() {
        board = new int[size + 2][size + 2];
        int low = size / 2, high = size / 2 + 1;
        board[low][high] = board[high][low] = WHITE;
        board[low][low] = board[high][high] = BLACK;
    }

    /** The discs that a move turns; none means that it is not legal. */
    static List<int[]> turned(int colour, int x, int y) {
        List<int[]> found = new ArrayList<>();
        if (x < 1 || y < 1 || x > size || y > size || board[x][y] != EMPTY) return found;
        for (int dx = -1; dx <= 1; dx++) {
            for (int dy = -1; dy <= 1; dy++) {
                if (dx == 0 && dy == 0) continue;
                List<int[]> run = new ArrayList<>();
                int a = x + dx, b = y + dy;
                while (board[a][b] == other(colour)) {
                    run.add(new int[] {a, b});
                    a += dx;
                    b += dy;
                }
                if (board[a][b] == colour) found.addAll(run);
            }
        }
        return found;
    }

    static List<int[]> legal(int colour) {
        List<int[]> found = new ArrayList<>();
        for (int y = size; y >= 1; y--) {
            for (int x = 1; x <= size; x++) {
                if (!turned(colour, x, y).isEmpty()) found.add(new int[] {x, y});
            }
        }
        return found;
    }

    static void play(int colour, int x, int y) {
        for (int[] disc : turned(colour, x, y)) board[disc[0]][disc[1]] = colour;
        board[x][y] = colour;
    }

    /** Your idea goes here. For now: a corner if there is one, else the move that turns the fewest discs. */
    static int[] choose(int colour, List<int[]> moves) {
        int[] best = null;
        int fewest = Integer.MAX_VALUE;
        for (int[] move : moves) {
            boolean corner = (move[0] == 1 || move[0] == size) && (move[1] == 1 || move[1] == size);
            int count = corner ? -1 : turned(colour, move[0], move[1]).size();
            if (count < fewest) {
                fewest = count;
                best = move;
            }
        }
        return best;
    }

    static void answer(int colour) {
        List<int[]> moves = legal(colour);
        if (moves.isEmpty()) {
            System.out.println("pass");
        } else {
            int[] move = choose(colour, moves);
            play(colour, move[0], move[1]);
            System.out.println(move[0] + " " + move[1]);
        }
        System.out.flush();
    }

    public static void main(String[] arguments) {
        if (arguments.length > 0) size = Integer.parseInt(arguments[0]); // java Bot 6 plays on 6x6
        newBoard();
        Scanner lines = new Scanner(System.in);
        int mine = BLACK, turn = BLACK;
        while (lines.hasNextLine()) {
            String line = lines.nextLine().trim();
            if (line.isEmpty()) continue;
            String[] words = line.split("\\s+");
            if (words[0].equals("game")) {
                newBoard();
                mine = words[1].equals("black") ? BLACK : WHITE;
                turn = BLACK;
                for (int i = 6; i < words.length; turn = other(turn)) {
                    if (words[i].equals("pass")) {
                        i += 1;
                    } else {
                        play(turn, Integer.parseInt(words[i]), Integer.parseInt(words[i + 1]));
                        i += 2;
                    }
                }
            } else {
                if (!words[0].equals("pass")) {
                    play(other(mine), Integer.parseInt(words[0]), Integer.parseInt(words[1]));
                }
                turn = mine;
            }
            if (turn == mine && !(legal(mine).isEmpty() && legal(other(mine)).isEmpty())) answer(mine);
        }
    }
}
