// Runs a kernel whose loop body is replaced by each of many bodies, word by word, and prints registers of lane 0 of the first warp after the last of 32 trips: clocks, as a
// rule. fetch_words.py, lsu_bursts.py and pipe_words.py make template and bodies, and say what a row is.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o word_values word_values.cu
//   ./word_values template.cubin bodies.bin words registers warps...
// FIRST=n in the environment leaves out the first n bodies. A body that faults ends the run, with its name and `fault`, and status 3.
// A row: the body's name, warps (0: one alone, else so many in each sub-core), cycles of a trip, then the first of the registers in hexadecimal, less the first of them
// in decimal for the rest.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)

// Where the template has its placeholders: FFMAs with an immediate that numbers them.
std::vector<std::size_t> places(const std::vector<char>& cubin, std::size_t words) {
    std::vector<std::size_t> at(words, 0);
    for (std::size_t i = 0; i + 8 <= cubin.size(); i += 8) {
        std::uint64_t word;
        std::memcpy(&word, &cubin[i], 8);
        const auto immediate = static_cast<std::uint32_t>(word >> 32);
        if ((word & 0xffff) == 0x7823 && immediate >> 16 == 0x3f00 && (immediate & 0xffff) < words) at[immediate & 0xffff] = i;
    }
    for (std::size_t n = 0; n < words; ++n)
        if (at[n] == 0) { std::printf("no place for word %zu\n", n); std::exit(1); }
    return at;
}

int main(int argc, char** argv) {
    if (argc < 6) return 1;
    std::ifstream cubin_file(argv[1], std::ios::binary), bodies(argv[2], std::ios::binary);
    const std::vector<char> cubin((std::istreambuf_iterator<char>(cubin_file)), {});
    const std::size_t words = std::strtoul(argv[3], nullptr, 10);
    const int registers = std::atoi(argv[4]);
    const std::vector<std::size_t> at = places(cubin, words);
    float *from, *to;
    long long* spent;
    CHECK(cudaMalloc(&from, 1 << 16));
    CHECK(cudaMemset(from, 0, 1 << 16));
    CHECK(cudaMalloc(&to, 1 << 20));
    CHECK(cudaMalloc(&spent, 1024));
    char name[64];
    std::vector<char> body(16 * words);
    std::vector<long long> clocks(64);
    std::vector<std::uint32_t> values(40 * 1024);
    const char* first_body = std::getenv("FIRST");
    if (first_body != nullptr) bodies.seekg(std::atoll(first_body) * static_cast<long long>(64 + body.size()));
    while (bodies.read(name, 64) && bodies.read(body.data(), static_cast<std::streamsize>(body.size()))) {
        std::vector<char> image = cubin;
        for (std::size_t n = 0; n < words; ++n) std::memcpy(&image[at[n]], &body[16 * n], 16);
        cudaLibrary_t library;
        cudaKernel_t kernel;
        CHECK(cudaLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
        CHECK(cudaLibraryGetKernel(&kernel, library, "body"));
        for (int a = 5; a < argc; ++a) {
            const int warps = std::atoi(argv[a]), all = warps == 0 ? 1 : 4 * warps;
            double least = 1e30;
            for (int launch = 0; launch < 2; ++launch) {
                void* arguments[] = {&from, &to, &spent};
                CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(32 * all), arguments, 0, nullptr));
                if (const cudaError_t error = cudaMemcpy(clocks.data(), spent, 16 * all, cudaMemcpyDeviceToHost); error != cudaSuccess) {
                    std::printf("%s,fault,%s\n", name, cudaGetErrorString(error));
                    return 3;
                }
                long long first = clocks[0], last = 0;
                for (int w = 0; w < all; ++w) { first = std::min(first, clocks[2 * w]); last = std::max(last, clocks[2 * w + 1]); }
                least = std::min(least, double(last - first) / 32.0);
            }
            CHECK(cudaMemcpy(values.data(), to, values.size() * 4, cudaMemcpyDeviceToHost));
            std::printf("%s,%d,%.2f,%08x", name, warps, least, values[0]);
            for (int k = 1; k < registers; ++k) std::printf(",%d", static_cast<int>(values[1024 * k] - values[0]));
            std::printf("\n");
        }
        CHECK(cudaLibraryUnload(library));
    }
}
