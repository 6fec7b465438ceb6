// 2048's tables on a graphics processor: the steps of benchmarks/tiles_training.py, in some thousand games at once.
//
//     nvcc -O3 -arch=sm_90 -o tiles benchmarks/cuda/tiles.cu
//     ./tiles FOLDER TUPLES SECONDS GAMES:MOVES:RATE ...        # such as 64:20M:1 512:400M:1 2112:40G:1 2112:4G:0.1
//
// FOLDER then has state/weights.npy, state/memory.npy and state/counts.json, from which the Python script goes on, ships
// or plays games, and log.jsonl. A phase ends after so many moves of all games; all of them share SECONDS, of which the last
// phase keeps its share. Weights are float32, steps are by temporal coherence, targets are TD(lambda) over parts of 1,024
// moves, as in plywright/learning/self_play.py; the sums are in another order, and games write as they come.
//
// Without nvcc it is plain C++, one game at a time and with the sums in the order of the Python code, so that a test can
// hold both against each other:  g++ -O2 -x c++ -o tiles benchmarks/cuda/tiles.cu
//
// On the card a warp plays a game: each of its 32 lanes looks up its share of the tables for every move.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/stat.h>
#include <vector>

#ifdef __CUDACC__
#define BOTH __host__ __device__ __forceinline__
#define LANES 32
typedef float real;
#else
#define BOTH inline
#define LANES 1
typedef double real;
#endif

typedef uint64_t word;

const int PARTS = 1024;       // moves that are learned from together
const int MOST_TUPLES = 8;
const int CELLS = 6;
const int TABLE = 1 << 4 * CELLS;
const double LAMBDA = 0.5;

struct Record { word board; double value; };
struct GameState { word board, anchor, rng; int length, fresh; };
struct Tally { double utility, squares; unsigned long long games, moves, steps, reached[16]; };
struct Everything {
    float *weights, *memory;          // [TUPLES * TABLE], [2 * TUPLES * TABLE] sums of errors and of their sizes
    const uint16_t *left;             // [65536] what becomes of a row
    const float *worth;               // [65536] what its tiles are worth
    Record *records;                  // [games, PARTS]
    GameState *games;
    Tally *tally;
    int shifts[MOST_TUPLES][CELLS];   // bits of the cells of each tuple, lowest first
    int tuples;
    double rate;
};

// -- boards: four bits a cell, the first row lowest ----------------------------------------------------------

BOTH word traded(word b, word cells, int by) { return (b & cells) << by | (b >> by & cells); }
BOTH word transposed(word b) {
    b = (b & 0xF0F00F0FF0F00F0FULL) | traded(b, 0x0000F0F00000F0F0ULL, 12);
    return (b & 0xFF00FF0000FF00FFULL) | traded(b, 0x00000000FF00FF00ULL, 24);
}
BOTH word mirrored(word b) { return traded(traded(b, 0x00FF00FF00FF00FFULL, 8), 0x0F0F0F0F0F0F0F0FULL, 4); }
BOTH word upended(word b) { return traded(traded(b, 0x0000FFFF0000FFFFULL, 16), 0x00000000FFFFFFFFULL, 32); }

// The images of a board, in the order of TilesKnowledge.boards.
BOTH word image(word b, int n) {
    if (n & 1) b = transposed(b);
    if (n & 2) b = mirrored(b);
    if (n & 4) b = upended(b);
    return b;
}

BOTH int lane_number() {
#ifdef __CUDA_ARCH__
    return threadIdx.x & 31;
#else
    return 0;
#endif
}

// Where the weights of a lane's share of a board are: on the card always the same tuple of 32 / T images at a time.
template <int T> struct Lane {
    static const int SHARE = 8 * T / LANES;
    int number, tuple, shifts[LANES == 1 ? 1 : CELLS];
    BOTH Lane(const Everything &all);
    BOTH void places(const Everything &all, word b, int *found) const;
};

#ifdef __CUDACC__
template <int T> BOTH Lane<T>::Lane(const Everything &all) : number(lane_number()), tuple(number % T) {
    for (int i = 0; i < CELLS; i++) shifts[i] = all.shifts[tuple][i];
}
template <int T> BOTH void Lane<T>::places(const Everything &all, word b, int *found) const {
    word first = image(b, number / T);
#pragma unroll
    for (int k = 0; k < SHARE; k++) {
        word seen = k ? upended(first) : first;  // image number / T + 4 k of eight tuples
        int index = tuple * TABLE;
        for (int i = 0; i < CELLS; i++) index += (int)(seen >> shifts[i] & 15) << 4 * i;
        found[k] = index;
    }
}
#else
template <int T> BOTH Lane<T>::Lane(const Everything &) : number(0), tuple(0) {}
template <int T> BOTH void Lane<T>::places(const Everything &all, word b, int *found) const {
    for (int n = 0; n < SHARE; n++) {
        word seen = image(b, n / T);
        int index = n % T * TABLE;
        for (int i = 0; i < CELLS; i++) index += (int)(seen >> all.shifts[n % T][i] & 15) << 4 * i;
        found[n] = index;
    }
}
#endif

BOTH word draw64(word &rng) {
    word z = rng += 0x9E3779B97F4A7C15ULL;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
    return z ^ z >> 31;
}

// A new tile on a free cell, each as likely: a 2 nine times of ten, or a 4.
BOTH word with_tile(word b, word &rng) {
    word filled = b | b >> 1 | b >> 2 | b >> 3, left = ~filled & 0x1111111111111111ULL;
#ifdef __CUDA_ARCH__
    int empty = __popcll(left);
#else
    int empty = __builtin_popcountll(left);
#endif
    double x = ((double)(draw64(rng) >> 12) + 0.5) * (1.0 / (1ULL << 52)) * empty;
    int n = (int)x;
    if (n >= empty) n = empty - 1;
    bool four = x - n >= 0.9;
    for (int i = 0; i < n; i++) left &= left - 1;
    word cell = left & (~left + 1);
    return b | cell << (four ? 1 : 0);
}

BOTH int row_of(word b, int n) { return (int)(b >> 16 * n & 0xFFFF); }

template <class N> BOTH N of_row(const N *table, int row) {
#ifdef __CUDA_ARCH__
    return __ldg(table + row);
#else
    return table[row];
#endif
}

BOTH word slid(const Everything &all, word b, int move) {  // left, up, right, down
    if (move & 1) b = transposed(b);
    if (move & 2) b = mirrored(b);
    word after = 0;
    for (int n = 0; n < 4; n++) after |= (word)of_row(all.left, row_of(b, n)) << 16 * n;
    if (move & 2) after = mirrored(after);
    if (move & 1) after = transposed(after);
    return after;
}

BOTH double utility(const Everything &all, word b) {
    const float *worth = all.worth;
    return (double)of_row(worth, row_of(b, 0)) + of_row(worth, row_of(b, 1)) + of_row(worth, row_of(b, 2)) +
           of_row(worth, row_of(b, 3));
}

// -- the tables -----------------------------------------------------------------------------------------------

BOTH real added_up(real x) {  // over the lanes
#ifdef __CUDA_ARCH__
    for (int by = 16; by; by >>= 1) x += __shfl_xor_sync(~0u, x, by);
#endif
    return x;
}

BOTH float read(const float *at) {  // not from the first cache, which may be behind
#ifdef __CUDA_ARCH__
    return __ldcg(at);
#else
    return *at;
#endif
}

template <int T> BOTH real sum(const Everything &all, word b, const Lane<T> &lane) {
    int found[Lane<T>::SHARE];
    lane.places(all, b, found);
    real total = 0;
    for (int n = 0; n < Lane<T>::SHARE; n++) total += read(all.weights + found[n]);
    return total;
}

// One step with temporal coherence, as models/packed.py takes it.
template <int T> BOTH void adjust(const Everything &all, word b, double target, const Lane<T> &lane, double &squares) {
    int found[Lane<T>::SHARE];
    lane.places(all, b, found);
    real total = 0;
    for (int n = 0; n < Lane<T>::SHARE; n++) total += read(all.weights + found[n]);
    double error = target - utility(all, b) - added_up(total);
    double step = all.rate * error / (8 * T);
    for (int n = 0; n < Lane<T>::SHARE; n++) {
        size_t at = found[n];
#ifdef __CUDA_ARCH__
        float2 sums = __ldcg((const float2 *)all.memory + at);
        float share = sums.y > 0 ? fabsf(sums.x) / sums.y : 1.0f;
        atomicAdd(all.weights + at, share * (float)step);
        atomicAdd((float2 *)all.memory + at, make_float2((float)error, fabsf((float)error)));
#else
        float signs = all.memory[2 * at], sizes = all.memory[2 * at + 1];
        double share = sizes > 0 ? fabs((double)signs) / sizes : 1.0;
        all.weights[at] = (float)(all.weights[at] + share * step);
        all.memory[2 * at] = (float)(signs + error);
        all.memory[2 * at + 1] = (float)(sizes + fabs(error));
#endif
    }
    squares += error * error;
}

// From the last board to the first: the value that looking ahead found, and by lambda what came of it.
template <int T>
BOTH void learn(const Everything &all, const Record *records, int length, const Lane<T> &lane, double &squares) {
    double target = 0;
    for (int n = length - 1; n >= 0; n--) {
        double value = records[n].value;
        target = n == length - 1 ? value : value + LAMBDA * (target - value);
        adjust(all, records[n].board, target, lane, squares);
    }
}

// -- games ----------------------------------------------------------------------------------------------------

BOTH void append(Record *records, int length, word board, double value) {
    if (lane_number() == 0) records[length] = Record{board, value};
}

BOTH void in_step() {
#ifdef __CUDA_ARCH__
    __syncwarp();
#endif
}

// Go on with a game, and with those after it, for so many moves (and to the end of a game where `games` counts them).
template <int T> BOTH void play(const Everything &all, int number, long long moves, long long games) {
    Lane<T> lane(all);
    GameState now = all.games[number];
    Record *records = all.records + (size_t)number * PARTS;
    double squares = 0, utilities = 0;
    unsigned long long ended = 0, steps = 0, made = 0;
    while ((long long)made < moves && (long long)ended < games) {
        if (now.fresh) {
            draw64(now.rng);  // the random opening that 2048 has none of
            now.anchor = now.board = 0;
            now.board = with_tile(with_tile(now.board, now.rng), now.rng);
            now.length = now.fresh = 0;
        }
        if (now.length == PARTS) {
            in_step();
            learn(all, records, now.length, lane, squares);
            steps += now.length;
            now.length = 0;
        }
        word after[4];
        real total[4];
        for (int move = 0; move < 4; move++) {
            after[move] = slid(all, now.board, move);
            total[move] = sum(all, after[move], lane);
        }
        double best = -1e300;
        word chosen = 0;
        for (int move = 0; move < 4; move++) {
            double value = utility(all, after[move]) + added_up(total[move]);
            value = fmin(fmax(value, 8e6 / (1 << 30)), 8e6 * (1 - 1.0 / 4096));
            if (after[move] != now.board && value > best) {
                best = value;
                chosen = after[move];
            }
        }
        if (best < 0) {  // nothing moves: what the board is worth is the value of the one before the last tile
            double end = utility(all, now.board);
            append(records, now.length++, now.anchor, end);
            in_step();
            learn(all, records, now.length, lane, squares);
            steps += now.length;
            utilities += end;
            ended++;
            int largest = 0;
            for (int cell = 0; cell < 16; cell++) if ((int)(now.board >> 4 * cell & 15) > largest) largest = (int)(now.board >> 4 * cell & 15);
            if (lane.number == 0) {
#ifdef __CUDA_ARCH__
                atomicAdd(&all.tally->reached[largest], 1ULL);
#else
                all.tally->reached[largest]++;
#endif
            }
            now.fresh = 1;
            continue;
        }
        made++;
        append(records, now.length++, now.anchor, best);
        now.anchor = chosen;
        now.board = with_tile(chosen, now.rng);
    }
    in_step();
    if (lane.number == 0) {
        all.games[number] = now;
#ifdef __CUDA_ARCH__
        atomicAdd(&all.tally->utility, utilities);
        atomicAdd(&all.tally->squares, squares);
        atomicAdd(&all.tally->games, ended);
        atomicAdd(&all.tally->moves, made);
        atomicAdd(&all.tally->steps, steps);
#else
        all.tally->utility += utilities, all.tally->squares += squares;
        all.tally->games += ended, all.tally->moves += made, all.tally->steps += steps;
#endif
    }
}

#ifdef __CUDACC__
template <int T> __global__ void play_all(Everything all, int games, long long moves) {
    int number = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (number < games) play<T>(all, number, moves, 1LL << 60);
}
#endif

// -- host -----------------------------------------------------------------------------------------------------

const int CELL_LISTS[MOST_TUPLES][CELLS] = {  // the four that ship, and four more
    {0, 1, 2, 4, 5, 6}, {1, 2, 5, 6, 9, 13}, {0, 1, 2, 3, 4, 5}, {0, 1, 5, 6, 7, 10},
    {0, 1, 2, 5, 9, 10}, {0, 1, 5, 9, 13, 14}, {0, 1, 5, 8, 9, 13}, {0, 1, 2, 4, 6, 10},
};

static void row_tables(std::vector<uint16_t> &left, std::vector<float> &worth) {
    left.resize(65536), worth.resize(65536);
    for (int row = 0; row < 65536; row++) {
        int made[4] = {0, 0, 0, 0}, count = 0, joined = 0, value = 0;
        for (int i = 0; i < 4; i++) {
            int cell = row >> 4 * i & 15;
            if (cell) value += (cell - 1) << cell;
            if (!cell) continue;
            if (count && !joined && made[count - 1] == cell && cell < 15) made[count - 1]++, joined = 1;
            else made[count++] = cell, joined = 0;
        }
        left[row] = made[0] | made[1] << 4 | made[2] << 8 | made[3] << 12;
        worth[row] = value;
    }
}

static double number_of(const std::string &text) {
    double factor = text.back() == 'G' ? 1e9 : text.back() == 'M' ? 1e6 : 1;
    return atof(text.c_str()) * factor;
}

static void save(const std::string &path, const float *data, size_t count) {
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(count) + ",), }";
    while ((10 + header.size() + 1) % 64) header += ' ';
    header += '\n';
    FILE *file = fopen(path.c_str(), "wb");
    uint16_t size = header.size();
    bool good = file && fwrite("\x93NUMPY\x01\x00", 1, 8, file) == 8 && fwrite(&size, 2, 1, file) == 1;
    good = good && fwrite(header.data(), 1, header.size(), file) == header.size();
    good = good && fwrite(data, 4, count, file) == count && fclose(file) == 0;
    if (!good) { fprintf(stderr, "cannot write %s\n", path.c_str()); exit(2); }
}

static bool load(const std::string &path, std::vector<float> &data) {
    FILE *file = fopen(path.c_str(), "rb");
    if (!file) return false;
    uint16_t size = 0;
    bool good = fseek(file, 8, SEEK_SET) == 0 && fread(&size, 2, 1, file) == 1 && fseek(file, 10 + size, SEEK_SET) == 0;
    good = good && fread(data.data(), 4, data.size(), file) == data.size();
    fclose(file);
    if (!good) { fprintf(stderr, "%s is not what was asked for\n", path.c_str()); exit(2); }
    return true;
}

static double seconds() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

#ifdef __CUDACC__
#define CHECK(call) do { cudaError_t e = (call); if (e) { fprintf(stderr, "%s\n", cudaGetErrorString(e)); exit(3); } } while (0)
template <class T> static T *on_card(const T *from, size_t count) {
    T *to;
    CHECK(cudaMalloc(&to, count * sizeof(T)));
    CHECK(from ? cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice) : cudaMemset(to, 0, count * sizeof(T)));
    return to;
}
#else
template <class T> static T *on_card(const T *from, size_t count) {
    T *to = (T *)calloc(count, sizeof(T));
    if (from) memcpy(to, from, count * sizeof(T));
    return to;
}
#endif

static void fetch(void *to, const void *from, size_t bytes) {
#ifdef __CUDACC__
    CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
#else
    memcpy(to, from, bytes);
#endif
}

template <int T> static void run(const Everything &all, int games, long long moves, long long whole) {
#ifdef __CUDACC__
    play_all<T><<<(games + 3) / 4, 128>>>(all, games, moves);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
#else
    for (int number = 0; number < games; number++) play<T>(all, number, moves, whole);
#endif
}

static word scrambled(word z) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
    return z ^ z >> 31;
}

int main(int count, char **words) {
    if (count < 5) { fprintf(stderr, "tiles FOLDER TUPLES SECONDS GAMES:MOVES:RATE ...\n"); return 2; }
    std::string folder = words[1], state = folder + "/state";
    mkdir(folder.c_str(), 0777), mkdir(state.c_str(), 0777);
    Everything all = {};
    all.tuples = atoi(words[2]);
    if (all.tuples != 4 && all.tuples != 8) { fprintf(stderr, "4 or 8 tuples\n"); return 2; }
    double limit = atof(words[3]), began = seconds();
    size_t size = (size_t)all.tuples * TABLE;
    for (int t = 0; t < all.tuples; t++)
        for (int i = 0; i < CELLS; i++) all.shifts[t][i] = 4 * CELL_LISTS[t][i];
    std::vector<float> weights(size), memory(2 * size), worth;
    std::vector<uint16_t> left;
    row_tables(left, worth);
    bool goes_on = load(state + "/weights.npy", weights) && load(state + "/memory.npy", memory);
    all.weights = on_card(goes_on ? weights.data() : nullptr, size);
    all.memory = on_card(goes_on ? memory.data() : nullptr, 2 * size);
    all.left = on_card(left.data(), left.size()), all.worth = on_card(worth.data(), worth.size());
    all.tally = on_card<Tally>(nullptr, 1);
    int most = 1;
    for (int n = 4; n < count; n++) most = std::max(most, atoi(words[n]));
    std::vector<GameState> games(most);
    word seed = getenv("SEED") ? strtoull(getenv("SEED"), nullptr, 10) : 1;
    long long whole = getenv("GAMES") ? atoll(getenv("GAMES")) : 1LL << 60;  // so many games of each, for the test
    for (int n = 0; n < most; n++) games[n] = GameState{0, 0, scrambled(seed * 1000 + n), 0, 1};
    all.games = on_card(games.data(), most);
    all.records = on_card<Record>(nullptr, (size_t)most * PARTS);
    FILE *log = fopen((folder + "/log.jsonl").c_str(), "a");
    Tally before = {};
    for (int n = 4; n < count; n++) {
        std::string phase = words[n];
        size_t one = phase.find(':'), two = phase.rfind(':');
        int together = atoi(phase.c_str());
        double end = (double)before.moves + number_of(phase.substr(one + 1, two - one - 1));
        all.rate = atof(phase.substr(two + 1).c_str());
        double share = n == count - 1 ? 1.0 : n == count - 2 ? 0.88 : 0.85;  // the last phase keeps an eighth
        while ((double)before.moves < end && seconds() - began < share * limit) {
            double started = seconds();
            double left_over = (end - (double)before.moves) / together;
            long long each = (long long)std::max(1.0, std::min(8192.0, left_over));
            if (whole < 1LL << 60) each = 1LL << 60;
            all.tuples == 4 ? run<4>(all, together, each, whole) : run<8>(all, together, each, whole);
            Tally now;
            fetch(&now, all.tally, sizeof now);
            static double told = 0;
            static Tally last = {};
            if (seconds() - told > 5 || (double)now.moves >= end || whole < 1LL << 60) {
                double played = std::max(1.0, (double)(now.games - last.games));
                double most_of = 0;
                char line[512];
                for (int tile = 14; tile < 16; tile++) most_of += (double)(now.reached[tile] - last.reached[tile]);
                snprintf(line, sizeof line,
                    "{\"moves\": %llu, \"games\": %llu, \"seconds\": %.1f, \"mean_utility\": %.0f, \"root_square\": %.1f, "
                    "\"together\": %d, \"rate\": %g, \"reached_16384\": %.3f, \"reached_32768\": %.3f, \"speed\": %.0f}",
                    now.moves, now.games, seconds() - began, (now.utility - last.utility) / played,
                    sqrt((now.squares - last.squares) / std::max(1.0, (double)(now.steps - last.steps))), together,
                    all.rate, most_of / played, (double)(now.reached[15] - last.reached[15]) / played,
                    (double)(now.moves - before.moves) / (seconds() - started));
                fprintf(log, "%s\n", line), fflush(log), printf("%s\n", line), fflush(stdout);
                told = seconds(), last = now;
            }
            before = now;
            if (whole < 1LL << 60) break;
        }
    }
    fetch(weights.data(), all.weights, 4 * size), fetch(memory.data(), all.memory, 8 * size);
    save(state + "/weights.npy", weights.data(), size), save(state + "/memory.npy", memory.data(), 2 * size);
    FILE *counts = fopen((state + "/counts.json").c_str(), "w");
    fprintf(counts, "{\"processor\": %.1f, \"seconds\": %.1f}", seconds() - began, seconds() - began);
    fclose(counts), fclose(log);
    return 0;
}
