// CUB, as the toolkit has it: device-wide algorithms.
#include <cub/cub.cuh>

#include "check.cuh"

template <class Algorithm>
void with_storage(Algorithm algorithm) {
    std::size_t bytes = 0;
    CHECK(algorithm(nullptr, bytes));
    void* storage = nullptr;
    CHECK(cudaMalloc(&storage, bytes));
    CHECK(algorithm(storage, bytes));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(storage));
}

struct Less {
    __device__ bool operator()(int a, int b) const { return a < b; }
};
struct Larger {
    __device__ double operator()(double x, double y) const { return x > y ? x : y; }
};
struct Even {
    __device__ bool operator()(int x) const { return x % 2 == 0; }
};

int main() {
    constexpr int n = 30000;
    std::vector<unsigned> keys(n);
    std::vector<int> numbers(n);
    std::vector<double> reals(n);
    for (int i = 0; i < n; ++i) {
        const auto at = static_cast<unsigned>(i);
        keys[at] = static_cast<unsigned>(mix(at * 3));
        numbers[at] = static_cast<int>(mix(at) % 2000) - 1000;
        reals[at] = static_cast<double>(numbers[at]) * 0.25;
    }
    DeviceArray<unsigned> in(keys);
    DeviceArray<unsigned> out(n);
    DeviceArray<int> values(numbers);
    DeviceArray<int> values_out(n);
    DeviceArray<double> doubles(reals);
    DeviceArray<double> doubles_out(n);
    DeviceArray<int> count(1);

    with_storage([&](void* t, std::size_t& b) { return cub::DeviceRadixSort::SortKeys(t, b, in.data, out.data, n); });
    show("radix sort of keys", out.host());
    with_storage([&](void* t, std::size_t& b) {
        return cub::DeviceRadixSort::SortPairsDescending(t, b, in.data, out.data, values.data, values_out.data, n);
    });
    show("radix sort of pairs", values_out.host());
    with_storage([&](void* t, std::size_t& b) { return cub::DeviceRadixSort::SortKeys(t, b, doubles.data, doubles_out.data, n); });
    show("radix sort of doubles", doubles_out.host());
    with_storage([&](void* t, std::size_t& b) { return cub::DeviceMergeSort::SortKeysCopy(t, b, values.data, values_out.data, n, Less()); });
    show("merge sort", values_out.host());
    with_storage([&](void* t, std::size_t& b) { return cub::DeviceScan::InclusiveSum(t, b, values.data, values_out.data, n); });
    show("inclusive sum", values_out.host());
    with_storage([&](void* t, std::size_t& b) { return cub::DeviceScan::ExclusiveSum(t, b, doubles.data, doubles_out.data, n); });
    show("exclusive sum of doubles", doubles_out.host());
    with_storage([&](void* t, std::size_t& b) { return cub::DeviceReduce::Sum(t, b, values.data, values_out.data, n); });
    std::printf("sum: %d\n", values_out.host()[0]);
    with_storage([&](void* t, std::size_t& b) { return cub::DeviceReduce::Min(t, b, doubles.data, doubles_out.data, n); });
    std::printf("min: %g\n", doubles_out.host()[0]);
    with_storage([&](void* t, std::size_t& b) {
        return cub::DeviceSelect::If(t, b, values.data, values_out.data, count.data, n, Even());
    });
    std::printf("selected: %d\n", count.host()[0]);
    show("select", values_out.host());
    with_storage([&](void* t, std::size_t& b) {
        return cub::DeviceHistogram::HistogramEven(t, b, values.data, values_out.data, 65, -1000, 1000, n);
    });
    std::vector<int> histogram = values_out.host();
    histogram.resize(64);
    show("histogram", histogram);
    with_storage([&](void* t, std::size_t& b) { return cub::DeviceRadixSort::SortKeys(t, b, values.data, values_out.data, n); });
    DeviceArray<int> unique(n);
    DeviceArray<int> lengths(n);
    with_storage([&](void* t, std::size_t& b) {
        return cub::DeviceRunLengthEncode::Encode(t, b, values_out.data, unique.data, lengths.data, count.data, n);
    });
    std::vector<int> runs = lengths.host();
    runs.resize(static_cast<unsigned>(count.host()[0]));
    show("run lengths", runs);
    with_storage([&](void* t, std::size_t& b) {
        return cub::DeviceReduce::ReduceByKey(t, b, values_out.data, unique.data, doubles.data, doubles_out.data, count.data,
                                              Larger(), n);
    });
    std::vector<double> highest = doubles_out.host();
    highest.resize(static_cast<unsigned>(count.host()[0]));
    show("reduce by key", highest);
}
