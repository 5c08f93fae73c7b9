// CUB's sorts, as the toolkit has them: ALGORITHM N [INPUT [REPETITIONS]], see timed_sort.cuh.
//   radix      cub::DeviceRadixSort::SortKeys with what CUB chooses for the GPU that it is compiled for: on sm_60 and
//              later one sweep a digit of 8 bits, blocks waiting for sums of those before them
//   radix-500  the same with what CUB has for Maxwell (its Policy500): counting, scanning and scattering are kernels of
//              their own, 7 and 6 bits a pass, which is how CUB 1.6.4 sorted on the GPUs of its time
//   merge      cub::DeviceMergeSort with a comparator; thrust::sort is the same where it may not sort by radix
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include "timed_sort.cuh"

namespace {

using comparators::Key;

struct Ascending {
    __device__ bool operator()(Key a, Key b) const { return a < b; }
};

using Published = cub::detail::radix::policy_hub<Key, cub::NullType, std::uint32_t>;

/// CUB's policies up to Maxwell's.
struct OnlyMaxwell {
    using MaxPolicy = Published::Policy500;
};

using MaxwellRadixSort = cub::DispatchRadixSort<cub::SortOrder::Ascending, Key, cub::NullType, std::uint32_t, cub::detail::identity_decomposer_t, OnlyMaxwell>;

/// A function of CUB: (temporary memory or null, its size, from, to, n).
using Function = std::function<cudaError_t(void*, std::size_t&, Key*, Key*, std::size_t)>;

cudaError_t radix(void* storage, std::size_t& bytes, Key* from, Key* to, std::size_t n) {
    return cub::DeviceRadixSort::SortKeys(storage, bytes, from, to, static_cast<std::uint32_t>(n));
}

cudaError_t radix_of_maxwell(void* storage, std::size_t& bytes, Key* from, Key* to, std::size_t n) {
    cub::DoubleBuffer<Key> keys(from, to);
    cub::DoubleBuffer<cub::NullType> none;
    constexpr bool overwrites = false;  // the result is then in `to`, as SortKeys has it
    return MaxwellRadixSort::Dispatch(storage, bytes, keys, none, static_cast<std::uint32_t>(n), 0, 8 * sizeof(Key), overwrites, nullptr);
}

cudaError_t merge(void* storage, std::size_t& bytes, Key* from, Key* to, std::size_t n) {
    return cub::DeviceMergeSort::SortKeysCopy(storage, bytes, from, to, static_cast<std::uint32_t>(n), Ascending{});
}

}  // namespace

int main(int count, char** words) {
    const std::string name = count > 1 ? words[1] : "";
    const Function sort = name == "radix" ? radix : name == "radix-500" ? radix_of_maxwell : name == "merge" ? merge : Function{};
    if (count < 3 || !sort) {
        std::fprintf(stderr, "usage: %s radix|radix-500|merge N [INPUT [REPETITIONS]]\n", words[0]);
        return 2;
    }
    const std::size_t n = std::strtoull(words[2], nullptr, 10);
    std::size_t bytes = 0;
    comparators::check(sort(nullptr, bytes, nullptr, nullptr, n), "asking how much temporary memory is needed");
    const comparators::DeviceArray<char> storage(bytes);
    return comparators::time_sort(name, n, count > 3 ? words[3] : "random", count > 4 ? std::atoi(words[4]) : 1, [&](Key* from, Key* to, std::size_t keys) {
        comparators::check(sort(storage.get(), bytes, from, to, keys), name.c_str());
    });
}
