/* A bot for Othello that speaks `x y` lines: x from the left, y from the bottom, or `pass`.
 *
 * Try it: plywright match "xy:node javascript/bot.js" random --game othello --games 2
 * It reads `game black 4 0 0` (colour, plies, seconds a move, seconds a game; 0 where none applies), at whose end may
 * stand `moves 6 4 6 3`, then its opponent's moves, and writes its own. Print anything else to standard error.
 */
"use strict";

const size = Number(process.argv[2] || 8); // node bot.js 6 plays on 6x6
const other = (colour) => (colour === "black" ? "white" : "black");
let board = newBoard();
let mine = "black";

/** Rows and columns from 1; nothing stands outside the board. */
function newBoard() {
  const empty = Array.from({ length: size + 2 }, () => Array(size + 2).fill(null));
  const low = size / 2;
  const high = low + 1;
  empty[low][high] = empty[high][low] = "white";
  empty[low][low] = empty[high][high] = "black";
  return empty;
}

/** The discs that a move turns; none means that it is not legal. */
function turned(colour, x, y) {
  const found = [];
  if (x < 1 || y < 1 || x > size || y > size || board[x][y] !== null) return found;
  for (let dx = -1; dx <= 1; dx++) {
    for (let dy = -1; dy <= 1; dy++) {
      if (dx === 0 && dy === 0) continue;
      const run = [];
      let [a, b] = [x + dx, y + dy];
      while (board[a][b] === other(colour)) {
        run.push([a, b]);
        [a, b] = [a + dx, b + dy];
      }
      if (board[a][b] === colour) found.push(...run);
    }
  }
  return found;
}

function legal(colour) {
  const found = [];
  for (let y = size; y >= 1; y--) {
    for (let x = 1; x <= size; x++) {
      if (turned(colour, x, y).length > 0) found.push([x, y]);
    }
  }
  return found;
}

function play(colour, x, y) {
  for (const [a, b] of turned(colour, x, y)) board[a][b] = colour;
  board[x][y] = colour;
}

/** Your idea goes here. For now: a corner if there is one, else the move that turns the fewest discs. */
function choose(colour, moves) {
  const corner = moves.find(([x, y]) => (x === 1 || x === size) && (y === 1 || y === size));
  const cost = ([x, y]) => turned(colour, x, y).length;
  return corner || moves.reduce((best, move) => (cost(move) < cost(best) ? move : best));
}

function answer(colour) {
  const moves = legal(colour);
  if (moves.length === 0) {
    process.stdout.write("pass\n");
    return;
  }
  const [x, y] = choose(colour, moves);
  play(colour, x, y);
  process.stdout.write(`${x} ${y}\n`);
}

/** Play the moves of an opening; returns whose turn it is. */
function replay(words) {
  let colour = "black";
  for (let i = 0; i < words.length; colour = other(colour)) {
    if (words[i] === "pass") {
      i += 1;
    } else {
      play(colour, Number(words[i]), Number(words[i + 1]));
      i += 2;
    }
  }
  return colour;
}

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const words = line.trim().split(/\s+/);
    if (words[0] === "") return;
    let turn = mine;
    if (words[0] === "game") {
      board = newBoard();
      mine = words[1];
      turn = replay(words.slice(6));
    } else if (words[0] !== "pass") {
      play(other(mine), Number(words[0]), Number(words[1]));
    }
    if (turn === mine && (legal(mine).length > 0 || legal(other(mine)).length > 0)) answer(mine);
  });
