// L1: which sectors a load brings, how many lines there is room for, and who must go. One warp loads one word at a time, a clock before and behind each load.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o l1_sets l1_sets.cu
//   ./l1_sets > l1_sets.csv; sassafras exec -- ./l1_sets quick
// Rows:
//   fill,sector,c0,c1,c2,c3           after a load of this sector of a line, cycles of loads of sector 0 to 3, the means of 16 lines (each of a launch of its own; the sector itself last)
//   again,shared,lines,order,m1,m2    so many lines side by side (order: up; down: every second pass from the end; mixed: at random of 64 MiB) are loaded three times: misses of the second and third
//   after,shared,others,touched,misses,of    victims, 8 lines at random, then so many other lines at random of 64 MiB: how many victims miss, of so many. touched: the victims were
//                                     loaded once more after half of the others. Least recently used in sets of W ways: a step, of a width that says W; touched moves it by half of
//                                     the others, where the first come goes it does not
//   where,shared,lines,from,hits      of so many lines, loaded one after the other, which of 16 from `from` on, a stride of lines/16, are there (1) or not, in order
// shared: bytes of dynamic shared memory, which decide what is left for L1.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)
constexpr unsigned all_lines = 64U << 13U;  // of 128 bytes

__global__ void replay(const char* base, const unsigned* sectors, unsigned count, unsigned short* took) {
    extern __shared__ unsigned unused[];
    unsigned long long zero = 0;
    for (unsigned from = 0; from < count; from += 32) {
        unsigned mine, times = 0;
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(mine) : "l"(sectors + from + threadIdx.x));
        for (unsigned k = 0; k < 32 && from + k < count; ++k) {
            const unsigned sector = __shfl_sync(~0U, mine, k);
            const char* at = base + sector * 32ULL + zero;
            asm volatile("" : "+l"(at));
            const unsigned begin = clock();
            unsigned v;
            asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(at) : "memory");
            zero += v;
            asm volatile("" : "+l"(zero));
            const unsigned cycles = static_cast<unsigned>(clock()) - begin + static_cast<unsigned>(zero);
            if (threadIdx.x == k) times = cycles;
        }
        if (from + threadIdx.x < count) took[from + threadIdx.x] = static_cast<unsigned short>(min(times, 65535U));
    }
    if (zero != 0) took[0] = static_cast<unsigned short>(unused[0]);
}

char* base;
unsigned* device_sectors;
unsigned short* device_took;
std::vector<unsigned> sectors;
std::vector<unsigned short> took;
unsigned missed = 100;  // cycles from which on a load has missed
void run(int shared) {
    took.resize(sectors.size());
    CHECK(cudaMemcpy(device_sectors, sectors.data(), sectors.size() * 4, cudaMemcpyHostToDevice));
    replay<<<1, 32, shared>>>(base, device_sectors, static_cast<unsigned>(sectors.size()), device_took);
    CHECK(cudaMemcpy(took.data(), device_took, sectors.size() * 2, cudaMemcpyDeviceToHost));
}
unsigned random_state = 1;
unsigned random_line() {
    random_state = random_state * 1664525U + 1013904223U;
    return (random_state >> 8U) % all_lines;
}
int misses(std::size_t from, std::size_t count) {
    int sum = 0;
    for (std::size_t i = from; i < from + count; ++i) sum += took[i] >= missed;
    return sum;
}

int main(int argc, char** argv) {
    const bool quick = argc > 1;
    const std::size_t most = 1 << 16;
    CHECK(cudaMalloc(&base, all_lines * 128ULL));
    CHECK(cudaMemset(base, 0, all_lines * 128ULL));
    CHECK(cudaMalloc(&device_sectors, most * 4));
    CHECK(cudaMalloc(&device_took, most * 2));
    CHECK(cudaFuncSetAttribute(replay, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
    for (unsigned sector = 0; sector < 4; ++sector) {
        double mean[4] = {};
        for (unsigned k = 0; k < 16; ++k) {
            for (int pass = 0; pass < 2; ++pass) {  // the second finds all in L2
                const unsigned line = 1000 + k * 977;
                sectors = {line * 4 + sector};
                for (unsigned s = 1; s <= 4; ++s) sectors.push_back(line * 4 + (sector + s) % 4);
                run(0);
                if (pass == 1) for (unsigned s = 1; s <= 4; ++s) mean[(sector + s) % 4] += took[s] / 16.0;
            }
        }
        std::printf("fill,%u,%.1f,%.1f,%.1f,%.1f\n", sector, mean[0], mean[1], mean[2], mean[3]);
    }
    const int shapes[] = {200704, 65536, 135168, 0}, capacities[] = {224, 480, 736, 1984};
    for (int shape = 0; shape < (quick ? 1 : 4); ++shape) {
        const int shared = shapes[shape], capacity = capacities[shape];
        for (const char* order : {"up", "down", "mixed"}) {
            for (int lines = capacity / 8; lines <= capacity + capacity / 4; lines += std::max(4, capacity / (quick ? 4 : 28))) {
                sectors.clear();
                std::vector<unsigned> once;
                for (int i = 0; i < lines; ++i) once.push_back(4 * (order[0] == 'm' ? random_line() : 4096 + i));
                for (int pass = 0; pass < 3; ++pass) {
                    if (pass != 0 && order[0] == 'd') std::reverse(once.begin(), once.end());
                    sectors.insert(sectors.end(), once.begin(), once.end());
                }
                run(shared);
                std::printf("again,%d,%d,%s,%d,%d\n", shared, lines, order, misses(lines, lines), misses(2 * lines, lines));
            }
        }
        const int repeats = quick ? 1 : shape < 2 ? 32 : 12;
        for (int touched = 0; touched < 2; ++touched) {
            for (int others = 0; others <= capacity * 2; others += std::max(4, capacity / (quick ? 4 : 28)) / 2 * 2) {
                int lost = 0;
                for (int repeat = 0; repeat < repeats; ++repeat) {
                    unsigned victims[8];
                    sectors.clear();
                    for (unsigned& victim : victims) sectors.push_back(victim = 4 * random_line());
                    for (int i = 0; i < others; ++i) {
                        if (touched != 0 && i == others / 2) sectors.insert(sectors.end(), victims, victims + 8);
                        sectors.push_back(4 * random_line());
                    }
                    const std::size_t from = sectors.size();
                    sectors.insert(sectors.end(), victims, victims + 8);
                    run(shared);
                    lost += misses(from, 8);
                }
                std::printf("after,%d,%d,%d,%d,%d\n", shared, others, touched, lost, repeats * 8);
            }
        }
        for (const int lines : {capacity * 3 / 4, capacity * 3 / 2}) {
            for (int from = 0; from < lines / 16; from += quick ? 8 : std::max(1, lines / 16 / 24)) {
                sectors.clear();
                for (int i = 0; i < lines; ++i) sectors.push_back(4 * (8192 + i));
                for (int k = 15; k >= 0; --k) sectors.push_back(4 * (8192 + from + k * (lines / 16)));
                run(shared);
                std::printf("where,%d,%d,%d,", shared, lines, from);
                for (int k = 15; k >= 0; --k) std::printf("%d", took[lines + k] < missed ? 1 : 0);
                std::printf("\n");
            }
        }
    }
}
