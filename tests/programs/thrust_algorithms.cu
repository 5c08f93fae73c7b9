// Thrust, as the toolkit has it.
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/merge.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

#include "check.cuh"

struct ByLowBits {
    __host__ __device__ bool operator()(unsigned a, unsigned b) const { return (a & 0xffffu) != (b & 0xffffu) ? (a & 0xffffu) < (b & 0xffffu) : a < b; }
};
struct Small {
    __host__ __device__ unsigned operator()(unsigned x) const { return x % 1000u / 3u; }
};
struct IsOdd {
    __host__ __device__ bool operator()(unsigned x) const { return (x & 1u) != 0; }
};

template <class Vector>
void show_vector(const char* name, const Vector& device) {
    std::vector<typename Vector::value_type> host(device.size());
    thrust::copy(device.begin(), device.end(), host.begin());
    show(name, host);
}

int main() {
    constexpr int n = 20000;
    std::vector<unsigned> keys(n);
    for (int i = 0; i < n; ++i) keys[static_cast<unsigned>(i)] = static_cast<unsigned>(mix(static_cast<std::uint64_t>(i)));

    thrust::device_vector<unsigned> a(keys.begin(), keys.end());
    thrust::sort(a.begin(), a.end(), ByLowBits());
    show_vector("sort with a comparator", a);
    a.assign(keys.begin(), keys.end());
    thrust::sort(a.begin(), a.end());
    show_vector("sort", a);
    a.assign(keys.begin(), keys.end());
    thrust::device_vector<int> values(n);
    thrust::sequence(values.begin(), values.end());
    thrust::sort_by_key(a.begin(), a.end(), values.begin(), thrust::greater<unsigned>());
    show_vector("sort by key", values);
    a.assign(keys.begin(), keys.end());
    thrust::stable_sort_by_key(a.begin(), a.end(), values.begin(), ByLowBits());
    show_vector("stable sort by key with a comparator", values);

    thrust::device_vector<unsigned> left(keys.begin(), keys.begin() + 7000);
    thrust::device_vector<unsigned> right(keys.begin() + 7000, keys.end());
    thrust::sort(left.begin(), left.end());
    thrust::sort(right.begin(), right.end());
    thrust::device_vector<unsigned> merged(n);
    thrust::merge(left.begin(), left.end(), right.begin(), right.end(), merged.begin());
    show_vector("merge", merged);

    a.assign(keys.begin(), keys.end());
    std::printf("reduce: %u\n", thrust::reduce(a.begin(), a.end()));
    std::printf("max: %u\n", thrust::reduce(a.begin(), a.end(), 0u, thrust::maximum<unsigned>()));
    thrust::device_vector<unsigned> scanned(n);
    thrust::inclusive_scan(a.begin(), a.end(), scanned.begin());
    show_vector("inclusive scan", scanned);
    thrust::exclusive_scan(a.begin(), a.end(), scanned.begin(), 7u, thrust::maximum<unsigned>());
    show_vector("exclusive scan", scanned);
    thrust::device_vector<unsigned> small(n);
    thrust::transform(a.begin(), a.end(), small.begin(), Small());
    thrust::sort(small.begin(), small.end());
    thrust::device_vector<unsigned> unique = small;
    unique.resize(static_cast<std::size_t>(thrust::unique(unique.begin(), unique.end()) - unique.begin()));
    show_vector("unique", unique);
    thrust::device_vector<unsigned> counts(unique.size());
    thrust::device_vector<unsigned> heads(unique.size());
    thrust::reduce_by_key(small.begin(), small.end(), a.begin(), heads.begin(), counts.begin());
    show_vector("reduce by key", counts);
    thrust::device_vector<unsigned> odd(n);
    odd.resize(static_cast<std::size_t>(thrust::copy_if(a.begin(), a.end(), odd.begin(), IsOdd()) - odd.begin()));
    show_vector("copy if", odd);
    thrust::device_vector<unsigned> common(n);
    common.resize(static_cast<std::size_t>(
        thrust::set_intersection(left.begin(), left.end(), merged.begin(), merged.end(), common.begin()) - common.begin()));
    show_vector("set intersection", common);
    thrust::device_vector<int> places(1000);
    thrust::lower_bound(merged.begin(), merged.end(), a.begin(), a.begin() + 1000, places.begin());
    show_vector("lower bound", places);
}
