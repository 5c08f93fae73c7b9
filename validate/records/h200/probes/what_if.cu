// Times the pairs of kernels that tests/fixtures/what_if has: one that one cost slows down, and the same without it. Prints CSV, a row a
// pair: medians in microseconds, L2 holding nothing of the kernel's before each launch, less what two events are apart with nothing between;
// and how many times as fast the mended kernel is.
//   nvcc -O3 -std=c++17 -arch=sm_90 -cudart shared -o what_if what_if.cu
//   ./what_if [launches of each, 21]
// The kernels are the fixture's, so a simulator says what it thinks of them, and what it foretells from the first of each pair:
//   sassafras exec --cache-control all -- ./what_if 1
//   sassafras diagnose --all-what-ifs exec -- ./what_if 1
// With one launch of each, nothing is launched but the kernels themselves.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "../../../../tests/fixtures/what_if/launches.hpp"
#include "../../../../tests/fixtures/what_if/what_if.cu"

#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::printf("%s: %s\n", #x, cudaGetErrorString(e)); std::exit(1); } } while (0)

using Function = void (*)(const float*, float*, unsigned, unsigned, unsigned, unsigned);
struct Named { const char* name; Function function; };
#define NAMED(kernel) {#kernel, kernel}
const Named kernels[] = {
    NAMED(transpose_unpadded), NAMED(transpose_padded), NAMED(copy_scattered), NAMED(copy_in_order), NAMED(array_of_structures),
    NAMED(structure_of_arrays), NAMED(values_spilled), NAMED(values_in_registers), NAMED(literals_of_double), NAMED(literals_of_float),
    NAMED(few_warps), NAMED(many_warps), NAMED(transpose_padded_by_16), NAMED(values_spilled_beside_work), NAMED(values_in_registers_beside_work), NAMED(literals_of_double_among_16), NAMED(literals_of_float_among_16),
    NAMED(barriers_of_block), NAMED(barriers_of_warp), NAMED(sweep_all), NAMED(sweep_blocked),
    NAMED(sweep_all_beside_hits), NAMED(sweep_blocked_beside_hits),
    NAMED(sums_in_one_word), NAMED(sums_apart),
};

Function find(const char* name) {
    for (const Named& kernel : kernels)
        if (std::string(kernel.name) == name) return kernel.function;
    std::printf("no kernel %s\n", name);
    std::exit(1);
}

// Reads, so that L2 is full of lines that need not be written back: those of cudaMemset would have to go first.
__global__ void read_all(const float4* from, std::size_t count, float* to) {
    float sum = 0;
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count; i += gridDim.x * std::size_t{blockDim.x})
        sum += __ldcg(from + i).x;
    if (sum == 1234) *to = sum;
}

class Timer {
  public:
    Timer(int launches, int sms) : launches_(launches), sms_(sms) {
        CHECK(cudaMalloc(&other_, other_bytes));
        if (launches > 1) CHECK(cudaMemset(other_, 0, other_bytes));
        CHECK(cudaEventCreate(&begin_));
        CHECK(cudaEventCreate(&end_));
    }
    double median(const std::function<void()>& launch) {
        std::vector<float> times;
        for (int i = 0; i < launches_; ++i) {
            if (launches_ > 1) read_all<<<8 * sms_, 256>>>(reinterpret_cast<const float4*>(other_), other_bytes / sizeof(float4), other_);
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaEventRecord(begin_));
            launch();
            CHECK(cudaEventRecord(end_));
            CHECK(cudaDeviceSynchronize());
            float milliseconds = 0;
            CHECK(cudaEventElapsedTime(&milliseconds, begin_, end_));
            times.push_back(milliseconds * 1000);
        }
        std::sort(times.begin(), times.end());
        return times[times.size() / 2];
    }

  private:
    static constexpr std::size_t other_bytes = 256u << 20;
    int launches_, sms_;
    float* other_;
    cudaEvent_t begin_, end_;
};

int main(int argc, char** argv) {
    const int launches = argc > 1 ? std::atoi(argv[1]) : 21;
    int sms = 0;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    std::size_t most_words = 0;
    for (const auto& pair : what_if_fixture::pairs) most_words = std::max(most_words, std::size_t{pair.elements_an_sm} * sms * pair.from_words);
    float *from, *to;
    CHECK(cudaMalloc(&from, most_words * 4));
    CHECK(cudaMalloc(&to, most_words * 4));
    CHECK(cudaMemset(from, 0, most_words * 4));
    Timer timer(launches, sms);
    const double of_events = timer.median([] {});
    std::printf("what_if,costly,mended,events_us,costly_us,mended_us,speed_up\n");
    for (const auto& pair : what_if_fixture::pairs) {
        const unsigned n = pair.elements_an_sm * sms;
        double times[2];
        for (const bool is_mended : {false, true}) {
            const auto& arguments = is_mended ? pair.of_mended : pair.of_costly;
            const Function kernel = find(is_mended ? pair.mended : pair.costly);
            CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, arguments.dynamic_shared));
            times[is_mended] = timer.median([&] {
                kernel<<<pair.blocks_an_sm * sms, pair.block_threads, arguments.dynamic_shared>>>(
                    from, to, n, what_if_fixture::value_of(arguments.step, n), what_if_fixture::value_of(arguments.other, n), pair.rounds);
                CHECK(cudaGetLastError());
            }) - of_events;
        }
        std::printf("%s,%s,%s,%.2f,%.2f,%.2f,%.3f\n", pair.what_if, pair.costly, pair.mended, of_events, times[0], times[1], times[0] / times[1]);
        std::fflush(stdout);
    }
}
