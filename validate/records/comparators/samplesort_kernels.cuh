// The kernels of a sort of 32-bit keys as N. Leischner, V. Osipov and P. Sanders describe it ("GPU sample sort", IPDPS
// 2010), in code of our own: theirs was not looked at.
//
// A range of more than `largest_bucket` keys is distributed: keys drawn at random are sorted, every thirtieth is a
// splitter, and the splitters stand as an implicit search tree in shared memory. Each block counts for its tile how
// many keys go into which bucket; a prefix sum over the counts, bucket by bucket, says where; then each block walks
// the tree again and writes. Buckets that are still large are distributed anew, the others are sorted by a block each:
// by quicksort until a part fits shared memory, and there by Batcher's odd-even merge sort.
//
// If two splitters are equal, keys equal to a splitter get buckets of their own, which are not sorted further.
#pragma once

#include <cstdint>

#include "timed_sort.cuh"

namespace samplesort {

using comparators::Key;

// The paper's, for 32-bit keys.
constexpr unsigned buckets = 128;              // k
constexpr unsigned oversampling = 30;          // a
constexpr std::size_t published_bucket = 1U << 17U;  // M
constexpr unsigned threads = 256;              // t
constexpr unsigned keys_a_thread = 8;          // l
constexpr unsigned counter_sets = 8;           // threads of a block that add to a counter at once wait for each other

constexpr unsigned tree_levels = 7;  // log2 k
constexpr unsigned tile = threads * keys_a_thread;
constexpr unsigned most_buckets = 2 * buckets;  // with those of keys equal to a splitter
constexpr unsigned sample_room = 4096;          // k a = 3840 keys, padded to a power of two
constexpr unsigned sample_threads = 512;
constexpr unsigned warp = 32;
constexpr unsigned all_lanes = 0xffffffffU;
constexpr Key greatest_key = 0xffffffffU;

/// What a range is distributed by.
struct Splitters {
    Key sorted[buckets - 1];
    Key tree[buckets];  // tree[1] is the root, tree[2 j] and tree[2 j + 1] follow tree[j]
    unsigned equal;     // whether two of them are
};

/// A bucket, or what quicksort has left of one.
struct Part {
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t in;      // which of the two buffers has its keys
    std::uint32_t sorted;  // nothing is left to do but to copy it
};

/// Batcher's network on a power of two of keys in shared memory, by all threads of the block.
__device__ inline void sort_shared(Key* keys, unsigned size) {
    for (unsigned run = 1; run < size; run *= 2)
        for (unsigned stride = run; stride > 0; stride /= 2) {
            __syncthreads();
            for (unsigned pair = threadIdx.x; pair < size / 2; pair += blockDim.x) {
                // The first stride pairs key i of one run with key i of the other; later ones key i with i + stride,
                // but for the first `stride` of the two runs, which have their place.
                unsigned low = 2 * pair - (pair & (stride - 1));
                if (stride < run) {
                    low += stride;
                    if ((low & (2 * run - 1)) + stride >= 2 * run) continue;
                }
                const Key a = keys[low];
                const Key b = keys[low + stride];
                if (b < a) {
                    keys[low] = b;
                    keys[low + stride] = a;
                }
            }
        }
    __syncthreads();
}

/// One block: draws and sorts the sample of keys[0, size), and builds the tree.
__global__ void choose_splitters(const Key* keys, std::uint32_t size, std::uint32_t seed, Splitters* chosen) {
    __shared__ Key sample[sample_room];
    std::uint32_t state = seed + threadIdx.x * 0x9e3779b9U;
    for (unsigned i = threadIdx.x; i < sample_room; i += blockDim.x) {
        state = state * 1664525U + 1013904223U;
        const auto at = static_cast<std::uint32_t>((static_cast<std::uint64_t>(state) * size) >> 32U);
        sample[i] = i < buckets * oversampling ? keys[at] : greatest_key;
    }
    sort_shared(sample, sample_room);
    const auto splitter = [](unsigned i) { return (i + 1) * oversampling; };
    if (threadIdx.x == 0) chosen->equal = 0;
    __syncthreads();
    const unsigned i = threadIdx.x;
    if (i < buckets - 1) {
        chosen->sorted[i] = sample[splitter(i)];
        if (i > 0 && sample[splitter(i - 1)] == sample[splitter(i)]) chosen->equal = 1;
    }
    if (i >= 1 && i < buckets) {  // node i is the (i - 2^level)th of its level, each over k / 2^level buckets
        const unsigned level = 31U - static_cast<unsigned>(__clz(static_cast<int>(i)));
        const unsigned width = buckets >> level;
        chosen->tree[i] = sample[splitter((i - (1U << level)) * width + width / 2 - 1)];
    }
}

/// The tree in shared memory, and what it says.
struct Tree {
    Key node[buckets];
    Key sorted[buckets];
    unsigned equal;

    __device__ void load(const Splitters& from) {
        for (unsigned i = threadIdx.x; i < buckets; i += blockDim.x) {
            node[i] = i > 0 ? from.tree[i] : 0;
            sorted[i] = i < buckets - 1 ? from.sorted[i] : greatest_key;
        }
        if (threadIdx.x == 0) equal = from.equal;
        __syncthreads();
    }
    __device__ unsigned count() const { return equal != 0 ? most_buckets : buckets; }
    __device__ unsigned bucket_of(Key key) const {
        unsigned j = 1;
#pragma unroll
        for (unsigned level = 0; level < tree_levels; ++level) j = 2 * j + (key > node[j] ? 1 : 0);
        const unsigned bucket = j - buckets;  // splitters that are less than the key
        if (equal == 0) return bucket;
        return 2 * bucket + (bucket < buckets - 1 && key == sorted[bucket] ? 1 : 0);
    }
};

/// counts[bucket * tiles + block]: keys of the block's tile that go into the bucket.
__global__ void count_keys(const Key* keys, std::uint32_t size, const Splitters* splitters, std::uint32_t* counts) {
    __shared__ Tree tree;
    __shared__ std::uint32_t counters[counter_sets * most_buckets];
    for (unsigned i = threadIdx.x; i < counter_sets * most_buckets; i += threads) counters[i] = 0;
    tree.load(*splitters);
    const std::uint32_t first = blockIdx.x * tile + threadIdx.x;
    std::uint32_t* const own = counters + (threadIdx.x % counter_sets) * most_buckets;
    for (unsigned i = 0; i < keys_a_thread; ++i)
        if (first + i * threads < size) atomicAdd(&own[tree.bucket_of(keys[first + i * threads])], 1U);
    __syncthreads();
    for (unsigned bucket = threadIdx.x; bucket < tree.count(); bucket += threads) {
        std::uint32_t sum = 0;
        for (unsigned set = 0; set < counter_sets; ++set) sum += counters[set * most_buckets + bucket];
        counts[bucket * gridDim.x + blockIdx.x] = sum;
    }
}

/// Exclusive sum of a value a thread over the block, and the block's total.
__device__ inline std::uint32_t sum_before(std::uint32_t value, std::uint32_t* total) {
    __shared__ std::uint32_t sums[threads / warp];
    std::uint32_t sum = value;
    for (unsigned distance = 1; distance < warp; distance *= 2) {
        const std::uint32_t other = __shfl_up_sync(all_lanes, sum, distance);
        if (threadIdx.x % warp >= distance) sum += other;
    }
    __syncthreads();  // of an earlier call
    if (threadIdx.x % warp == warp - 1) sums[threadIdx.x / warp] = sum;
    __syncthreads();
    std::uint32_t before = 0;
    *total = 0;
    for (unsigned i = 0; i < threads / warp; ++i) {
        if (i < threadIdx.x / warp) before += sums[i];
        *total += sums[i];
    }
    return before + sum - value;
}

/// The prefix sum's three kernels: sums of tiles of counts; the sums summed by one block; each tile from its start.
__global__ void sum_tiles(const std::uint32_t* counts, std::uint32_t tiles, const Splitters* splitters, std::uint32_t* sums) {
    const std::uint32_t size = tiles * (splitters->equal != 0 ? most_buckets : buckets);
    const std::uint32_t first = blockIdx.x * tile + threadIdx.x;
    std::uint32_t sum = 0;
    for (unsigned i = 0; i < keys_a_thread; ++i)
        if (first + i * threads < size) sum += counts[first + i * threads];
    std::uint32_t total = 0;
    sum_before(sum, &total);
    if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

__global__ void sum_sums(std::uint32_t* sums, std::uint32_t size) {
    std::uint32_t start = 0;
    for (std::uint32_t first = 0; first < size; first += threads) {
        const std::uint32_t i = first + threadIdx.x;
        const std::uint32_t value = i < size ? sums[i] : 0;
        std::uint32_t total = 0;
        const std::uint32_t before = sum_before(value, &total);
        if (i < size) sums[i] = start + before;
        start += total;
    }
}

__global__ void sum_counts(std::uint32_t* counts, std::uint32_t tiles, const Splitters* splitters, const std::uint32_t* sums) {
    __shared__ std::uint32_t staged[tile];
    const std::uint32_t size = tiles * (splitters->equal != 0 ? most_buckets : buckets);
    const std::uint32_t first = blockIdx.x * tile;
    for (unsigned i = threadIdx.x; i < tile; i += threads) staged[i] = first + i < size ? counts[first + i] : 0;
    __syncthreads();
    std::uint32_t own[keys_a_thread];
    std::uint32_t sum = 0;
    for (unsigned i = 0; i < keys_a_thread; ++i) {
        own[i] = staged[threadIdx.x * keys_a_thread + i];
        sum += own[i];
    }
    std::uint32_t total = 0;
    std::uint32_t start = sums[blockIdx.x] + sum_before(sum, &total);
    for (unsigned i = 0; i < keys_a_thread; ++i) {
        staged[threadIdx.x * keys_a_thread + i] = start;
        start += own[i];
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < tile; i += threads)
        if (first + i < size) counts[first + i] = staged[i];
}

/// Writes each key into its bucket. `starts` is what the prefix sum has made of the counts; bounds[b] becomes the start
/// of bucket b, and bounds[most_buckets] whether there are buckets of one key.
__global__ void scatter_keys(const Key* from, std::uint32_t size, const Splitters* splitters, const std::uint32_t* starts, Key* to, std::uint32_t* bounds) {
    __shared__ Tree tree;
    __shared__ std::uint32_t next[most_buckets];
    tree.load(*splitters);
    for (unsigned bucket = threadIdx.x; bucket < tree.count(); bucket += threads) {
        next[bucket] = starts[bucket * gridDim.x + blockIdx.x];
        if (blockIdx.x == 0) bounds[bucket] = next[bucket];
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) bounds[most_buckets] = tree.equal;
    __syncthreads();
    const std::uint32_t first = blockIdx.x * tile + threadIdx.x;
    for (unsigned i = 0; i < keys_a_thread; ++i)
        if (first + i * threads < size) {
            const Key key = from[first + i * threads];
            to[atomicAdd(&next[tree.bucket_of(key)], 1U)] = key;
        }
}

__device__ inline Key median(Key a, Key b, Key c) { return max(min(a, b), min(max(a, b), c)); }

/// Moves the keys of a part that are less than the pivot to its start in the other buffer, greater ones to its end, and
/// writes those equal to it into the result. Gives where the less end and the greater begin.
__device__ inline uint2 partition_keys(const Part& part, const Key* from, Key* other, Key* result) {
    __shared__ std::uint32_t less_end;
    __shared__ std::uint32_t greater_begin;
    const Key pivot = median(from[part.begin], from[part.begin + (part.end - part.begin) / 2], from[part.end - 1]);
    if (threadIdx.x == 0) {
        less_end = part.begin;
        greater_begin = part.end;
    }
    __syncthreads();
    const unsigned lane = threadIdx.x % warp;
    const unsigned lanes_before = (1U << lane) - 1;
    for (std::uint32_t first = part.begin; first < part.end; first += threads) {
        const std::uint32_t at = first + threadIdx.x;
        const bool valid = at < part.end;
        const Key key = valid ? from[at] : pivot;
        const unsigned less = __ballot_sync(all_lanes, key < pivot);
        const unsigned greater = __ballot_sync(all_lanes, key > pivot);
        std::uint32_t less_start = 0;
        std::uint32_t greater_start = 0;
        if (lane == 0) {  // a warp takes room for all its lanes at once
            less_start = atomicAdd(&less_end, static_cast<std::uint32_t>(__popc(less)));
            greater_start = atomicSub(&greater_begin, static_cast<std::uint32_t>(__popc(greater)));
        }
        less_start = __shfl_sync(all_lanes, less_start, 0);
        greater_start = __shfl_sync(all_lanes, greater_start, 0);
        if (key < pivot) other[less_start + __popc(less & lanes_before)] = key;
        if (key > pivot) other[greater_start - 1 - __popc(greater & lanes_before)] = key;
    }
    __syncthreads();
    const uint2 cut{less_end, greater_begin};
    for (std::uint32_t i = cut.x + threadIdx.x; i < cut.y; i += threads) result[i] = pivot;
    __syncthreads();
    return cut;
}

/// A bucket a block: quicksort down to what fits shared memory. The parts that wait are at most one a halving, as the
/// smaller part goes first.
__global__ void sort_buckets(const Part* parts, Key* first_buffer, Key* second_buffer, Key* result) {
    constexpr unsigned room = 40;
    __shared__ Key keys[tile];
    __shared__ Part waiting[room];
    unsigned count = 1;  // the same in every thread
    if (threadIdx.x == 0) waiting[0] = parts[blockIdx.x];
    while (count > 0) {
        __syncthreads();
        const Part part = waiting[--count];
        const std::uint32_t size = part.end - part.begin;
        Key* const from = part.in == 0 ? first_buffer : second_buffer;
        if (part.sorted != 0) {
            if (from != result)
                for (std::uint32_t i = part.begin + threadIdx.x; i < part.end; i += threads) result[i] = from[i];
        } else if (size <= tile) {
            unsigned padded = 1;
            while (padded < size) padded *= 2;
            for (unsigned i = threadIdx.x; i < padded; i += threads) keys[i] = i < size ? from[part.begin + i] : greatest_key;
            sort_shared(keys, padded);
            for (unsigned i = threadIdx.x; i < size; i += threads) result[part.begin + i] = keys[i];
        } else {
            // The result may be the buffer that the part is in: what equals the pivot is written when all is moved.
            const uint2 cut = partition_keys(part, from, part.in == 0 ? second_buffer : first_buffer, result);
            Part less{part.begin, cut.x, 1 - part.in, 0};
            Part greater{cut.y, part.end, 1 - part.in, 0};
            const bool less_is_smaller = less.end - less.begin < greater.end - greater.begin;
            if (threadIdx.x == 0) {
                waiting[count] = less_is_smaller ? greater : less;
                waiting[count + 1] = less_is_smaller ? less : greater;
            }
            count += 2;
        }
    }
}

}  // namespace samplesort
