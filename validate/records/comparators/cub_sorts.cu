// CUB's sorts, as the toolkit has them: ALGORITHM N [INPUT [REPETITIONS]], see timed_sort.cuh.
//   radix      cub::DeviceRadixSort::SortKeys with what CUB chooses for the GPU that it is compiled for: on sm_60 and
//              later one kernel a digit of 8 bits, whose blocks wait for sums of those before them
//   radix-300, radix-350, radix-500
//              the same with what CUB 1.6.4 chose for compute capability 3.0, 3.5 and 5.0: counting, scanning and
//              scattering are kernels of their own
//   merge      cub::DeviceMergeSort with a comparator; thrust::sort is the same where it may not sort by radix
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#include <map>

#include "timed_sort.cuh"

namespace {

using comparators::Key;

struct Ascending {
    __device__ bool operator()(Key a, Key b) const { return a < b; }
};

using Published = cub::detail::radix::policy_hub<Key, cub::NullType, std::uint32_t>;

/// A policy of CUB 1.6.4 from its constants: shapes of the kernels, and bits a pass. What `Maxwell` is asked for instead
/// are kernels that do not run: sorts of one tile, of segments, of one sweep.
using Maxwell = Published::Policy500;  // 1.6.4 has the same constants

template <int ptx_version, int bits, class Counting, class AltCounting, class Scattering, class AltScattering>
struct OlderPolicy : cub::ChainedPolicy<ptx_version, OlderPolicy<ptx_version, bits, Counting, AltCounting, Scattering, AltScattering>,
                                        OlderPolicy<ptx_version, bits, Counting, AltCounting, Scattering, AltScattering>> {
    enum {
        PRIMARY_RADIX_BITS = bits,
        SINGLE_TILE_RADIX_BITS = Maxwell::SINGLE_TILE_RADIX_BITS,
        SEGMENTED_RADIX_BITS = Maxwell::SEGMENTED_RADIX_BITS,
        ONESWEEP = 0,
        ONESWEEP_RADIX_BITS = Maxwell::ONESWEEP_RADIX_BITS
    };
    using HistogramPolicy = Maxwell::HistogramPolicy;
    using ExclusiveSumPolicy = Maxwell::ExclusiveSumPolicy;
    using OnesweepPolicy = Maxwell::OnesweepPolicy;
    using ScanPolicy = cub::AgentScanPolicy<1024, 4, std::uint32_t, cub::BLOCK_LOAD_VECTORIZE, cub::LOAD_DEFAULT, cub::BLOCK_STORE_VECTORIZE,
                                            cub::BLOCK_SCAN_WARP_SCANS>;
    using UpsweepPolicy = Counting;
    using AltUpsweepPolicy = AltCounting;
    using DownsweepPolicy = Scattering;
    using AltDownsweepPolicy = AltScattering;
    using SingleTilePolicy = Maxwell::SingleTilePolicy;
    using SegmentedPolicy = Maxwell::SegmentedPolicy;
    using AltSegmentedPolicy = Maxwell::AltSegmentedPolicy;
};

template <int threads, int keys_a_thread, int bits>
using Counting300 = cub::AgentRadixSortUpsweepPolicy<threads, keys_a_thread, Key, cub::LOAD_DEFAULT, bits>;
template <int bits>
using Scattering300 =
    cub::AgentRadixSortDownsweepPolicy<128, 14, Key, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::LOAD_DEFAULT, cub::RADIX_RANK_BASIC, cub::BLOCK_SCAN_WARP_SCANS, bits>;
template <int threads, int keys_a_thread, int bits>
using Both350 =
    cub::AgentRadixSortDownsweepPolicy<threads, keys_a_thread, Key, cub::BLOCK_LOAD_DIRECT, cub::LOAD_LDG, cub::RADIX_RANK_MEMOIZE, cub::BLOCK_SCAN_WARP_SCANS, bits>;

struct Of300 {
    using MaxPolicy = OlderPolicy<300, 5, Counting300<256, 7, 5>, Counting300<256, 7, 4>, Scattering300<5>, Scattering300<4>>;
};
struct Of350 {
    using MaxPolicy = OlderPolicy<350, 5, Both350<64, 18, 5>, Both350<128, 11, 4>, Both350<64, 18, 5>, Both350<128, 11, 4>>;
};
struct Of500 {
    using MaxPolicy = Maxwell;
};

/// A function of CUB: (temporary memory or null, its size, from, to, n).
using Function = std::function<cudaError_t(void*, std::size_t&, Key*, Key*, std::size_t)>;

cudaError_t radix(void* storage, std::size_t& bytes, Key* from, Key* to, std::size_t n) {
    return cub::DeviceRadixSort::SortKeys(storage, bytes, from, to, static_cast<std::uint32_t>(n));
}

template <class Policies>
cudaError_t radix_with(void* storage, std::size_t& bytes, Key* from, Key* to, std::size_t n) {
    using Dispatch = cub::DispatchRadixSort<cub::SortOrder::Ascending, Key, cub::NullType, std::uint32_t, cub::detail::identity_decomposer_t, Policies>;
    cub::DoubleBuffer<Key> keys(from, to);
    cub::DoubleBuffer<cub::NullType> none;
    constexpr bool overwrites = false;  // the result is then in `to`, as SortKeys has it
    return Dispatch::Dispatch(storage, bytes, keys, none, static_cast<std::uint32_t>(n), 0, 8 * sizeof(Key), overwrites, nullptr);
}

cudaError_t merge(void* storage, std::size_t& bytes, Key* from, Key* to, std::size_t n) {
    return cub::DeviceMergeSort::SortKeysCopy(storage, bytes, from, to, static_cast<std::uint32_t>(n), Ascending{});
}

}  // namespace

int main(int count, char** words) {
    const std::map<std::string, Function> sorts{{"radix", radix},
                                                {"radix-300", radix_with<Of300>},
                                                {"radix-350", radix_with<Of350>},
                                                {"radix-500", radix_with<Of500>},
                                                {"merge", merge}};
    const std::string name = count > 2 ? words[1] : "";
    const auto found = sorts.find(name);
    if (found == sorts.end()) {
        std::fprintf(stderr, "usage: %s radix|radix-300|radix-350|radix-500|merge N [INPUT [REPETITIONS]]\n", words[0]);
        return 2;
    }
    const Function& sort = found->second;
    const std::size_t n = std::strtoull(words[2], nullptr, 10);
    std::size_t bytes = 0;
    comparators::check(sort(nullptr, bytes, nullptr, nullptr, n), "asking how much temporary memory is needed");
    const comparators::DeviceArray<char> storage(bytes);
    return comparators::time_sort(name, n, count > 3 ? words[3] : "random", count > 4 ? std::atoi(words[4]) : 1, [&](Key* from, Key* to, std::size_t keys) {
        comparators::check(sort(storage.get(), bytes, from, to, keys), name.c_str());
    });
}
