// The merge's baselines on the CPU: the sequential merge and, where the compiler has OpenMP, the merge by co-ranks on
// 1, 2, 4 ... threads.
//   bench_merge [N [REPETITIONS]]      N keys in both arrays together (default 10^7), random; medians
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "workloads/merge/co_rank.hpp"
#include "workloads/merge/merge.hpp"

namespace {

using namespace sassafras::workloads::merge;

double median_seconds(int repetitions, const std::function<void()>& work) {
    std::vector<double> seconds;
    for (int i = 0; i < repetitions; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
}

}  // namespace

int main(int argument_count, char** arguments) {
    const std::uint64_t n = argument_count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 10'000'000;
    const int repetitions = argument_count > 2 ? std::max(1, std::atoi(arguments[2])) : 5;
    const auto [a, b] = make_runs("random", n / 2, n - n / 2, 1);
    const Keys expected = reference(a, b);
    Keys merged(n);
    std::printf("%-12s %8s %10s %12s %8s\n", "merge", "threads", "ms", "keys/s", "right");
    bool right = true;
    const auto print = [&](const char* name, int threads, double seconds) {
        right = right && merged == expected;
        std::printf("%-12s %8d %10.2f %12.3g %8s\n", name, threads, seconds * 1e3, static_cast<double>(n) / seconds,
                    merged == expected ? "yes" : "NO");
        std::fill(merged.begin(), merged.end(), 0xcdcdcdcdU);
    };
    print("sequential", 1, median_seconds(repetitions, [&] { merge_sequentially(a, b, merged); }));
#ifdef _OPENMP
    for (int threads = 1; threads <= omp_get_max_threads(); threads *= 2) {
        const double seconds = median_seconds(repetitions, [&] {
#pragma omp parallel for num_threads(threads) schedule(static, 1)
            for (int part = 0; part < threads; ++part)
                merge_part(a, b, merged, static_cast<std::size_t>(part), static_cast<std::size_t>(threads));
        });
        print("OpenMP", threads, seconds);
    }
#else
    std::printf("OpenMP: this compiler has none\n");
#endif
    return right ? 0 : 1;
}
