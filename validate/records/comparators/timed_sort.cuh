// What the programs of this folder share: keys, time by events, and the check on the host.
//
// A program takes  ALGORITHM N [INPUT [REPETITIONS]]  and prints a line
//   algorithm,n,input,microseconds,sorted
// Microseconds are the median of REPETITIONS (default 1). With more than one, a first sort is not counted: a real GPU
// loads a kernel when it is launched first. A modelled one does not, and a second sort would double what is simulated.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace comparators {

using Key = std::uint32_t;

/// Ends the program: nothing here can go on after a call that failed.
inline void check(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    std::exit(1);
}

/// Device memory that goes with its scope.
template <class T>
class DeviceArray {
public:
    explicit DeviceArray(std::size_t count) {
        check(cudaMalloc(&data_, std::max<std::size_t>(count, 1) * sizeof(T)), "cudaMalloc");
    }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    ~DeviceArray() { cudaFree(data_); }
    [[nodiscard]] T* get() const { return data_; }

private:
    T* data_ = nullptr;
};

/// The same numbers everywhere: splitmix64.
inline std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
}

inline std::vector<Key> keys_of(const std::string& input, std::size_t n) {
    std::vector<Key> keys(n);
    for (std::size_t i = 0; i < n; ++i) keys[i] = static_cast<Key>(mixed(i));
    if (input == "random") return keys;
    if (input == "sorted" || input == "reverse") {
        std::sort(keys.begin(), keys.end());
        if (input == "reverse") std::reverse(keys.begin(), keys.end());
    } else if (input == "equal") {
        std::fill(keys.begin(), keys.end(), 7);
    } else if (input == "few-distinct") {
        for (Key& key : keys) key %= 8;
    } else if (input == "greatest") {  // keys that padding must not be taken for
        for (Key& key : keys) key |= 0xfffffffeU;
    } else {
        std::fprintf(stderr, "no input \"%s\": random, sorted, reverse, equal, few-distinct or greatest\n", input.c_str());
        std::exit(2);
    }
    return keys;
}

/// Sorts `n` keys at `from` into `to`; the keys at `from` may be lost.
using Sort = std::function<void(Key* from, Key* to, std::size_t n)>;

/// Runs and checks `sort`, and prints its line. The program's exit status: 0, or 1 if the result is not what
/// std::sort gives.
inline int time_sort(const std::string& algorithm, std::size_t n, const std::string& input, int repetitions, const Sort& sort) {
    const std::vector<Key> keys = keys_of(input, n);
    const DeviceArray<Key> from(n);
    const DeviceArray<Key> to(n);
    cudaEvent_t begin{};
    cudaEvent_t end{};
    check(cudaEventCreate(&begin), "cudaEventCreate");
    check(cudaEventCreate(&end), "cudaEventCreate");
    std::vector<float> times;
    for (int i = repetitions > 1 ? -1 : 0; i < repetitions; ++i) {
        check(cudaMemcpy(from.get(), keys.data(), n * sizeof(Key), cudaMemcpyHostToDevice), "copying the keys");
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        check(cudaEventRecord(begin), "cudaEventRecord");
        sort(from.get(), to.get(), n);
        check(cudaEventRecord(end), "cudaEventRecord");
        check(cudaEventSynchronize(end), algorithm.c_str());
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
        if (i >= 0) times.push_back(milliseconds);
    }
    std::vector<Key> result(n);
    check(cudaMemcpy(result.data(), to.get(), n * sizeof(Key), cudaMemcpyDeviceToHost), "copying the result");
    std::vector<Key> expected = keys;
    std::sort(expected.begin(), expected.end());
    std::sort(times.begin(), times.end());
    constexpr double microseconds = 1000;
    std::printf("%s,%zu,%s,%.1f,%s\n", algorithm.c_str(), n, input.c_str(), microseconds * times[times.size() / 2],
                result == expected ? "yes" : "no");
    return result == expected ? 0 : 1;
}

}  // namespace comparators
