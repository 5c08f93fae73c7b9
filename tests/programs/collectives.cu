// Warp intrinsics whose lanes come from several places, and barriers of parts of a warp.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "../fixtures/execute/warp_meetings.cu"
#include "check.cuh"

namespace cg = cooperative_groups;

/// As vote_from_two_places, for others than the ballot: all lanes name all lanes.
__global__ void from_two_places(unsigned* out) {
    const unsigned lane = threadIdx.x;
    const bool low = lane < 16;
    unsigned result = 0;
    if (low) result = __any_sync(~0u, 0);
    else { asm volatile(""); result = __any_sync(~0u, lane == 20); }
    out[32 + lane] = result;
    if (low) result = __all_sync(~0u, 1);
    else { asm volatile(""); result = __all_sync(~0u, lane != 20); }
    out[64 + lane] = result;
    if (low) result = __match_any_sync(~0u, lane & 3);
    else { asm volatile(""); result = __match_any_sync(~0u, (lane + 1) & 3); }
    out[96 + lane] = result;
    if (low) result = __shfl_sync(~0u, lane, 20);
    else { asm volatile(""); result = __shfl_sync(~0u, lane * 3, 4); }
    out[128 + lane] = result;
#if __CUDA_ARCH__ >= 800
    if (low) result = __reduce_add_sync(~0u, lane);
    else { asm volatile(""); result = __reduce_add_sync(~0u, lane * 2); }
    out[160 + lane] = result;
#endif
}

/// Lanes from four places, each quarter with results of its own before.
__global__ void from_four_places(unsigned* out) {
    const unsigned lane = threadIdx.x;
    unsigned result = 0;
    switch (lane / 8) {
        case 0: result = __ballot_sync(0xff, lane & 1); result += __ballot_sync(~0u, result != 0); break;
        case 1: result = __shfl_xor_sync(0xff00, lane, 3); result += __ballot_sync(~0u, lane & 1); break;
        case 2: result = lane; result += __ballot_sync(~0u, lane & 4); break;
        default: __syncwarp(0xff000000); result = __ballot_sync(~0u, lane == 30); break;
    }
    out[lane] = result;
}

/// Groups by label within what is left of a warp.
__global__ void labels(const int* in, int* out, int n) {
    const int i = static_cast<int>(threadIdx.x);
    if (i >= n) return;
    const auto active = cg::coalesced_threads();
    const auto labelled = cg::labeled_partition(active, in[i] % 5);
    out[3 * i] = cg::inclusive_scan(labelled, in[i]);
    out[3 * i + 1] = cg::reduce(labelled, in[i], cg::plus<int>());
    const auto binary = cg::binary_partition(active, (in[i] & 1) != 0);
    out[3 * i + 2] = static_cast<int>(binary.size() * 100 + binary.thread_rank());
}

int main() {
    DeviceArray<unsigned> results(192);
    CHECK(cudaMemset(results.data, 0, 192 * sizeof(unsigned)));
    vote_from_two_places<<<1, 32>>>(results.data);
    from_two_places<<<1, 32>>>(results.data);
    const auto two = results.host();
    for (int row = 0; row < 6; ++row)
        if (row < 5 || two[160] != 0) std::printf("two places, %d: %08x %08x\n", row, two[32 * row], two[32 * row + 16]);
    from_four_places<<<1, 32>>>(results.data);
    show("four places", results.host());
    for (const unsigned half : {4u, 16u, 20u}) {
        part_and_whole<<<1, 32>>>(results.data, half);
        show("halves", results.host());
    }
    for (const int n : {3, 8, 20, 32}) {
        std::vector<int> keys(32);
        for (int i = 0; i < 32; ++i) keys[i] = (992 + i) * 7919 % 1013;
        DeviceArray<int> in(keys);
        DeviceArray<int> out(96);
        CHECK(cudaMemset(out.data, 0, 96 * sizeof(int)));
        labels<<<1, 32>>>(in.data, out.data, n);
        show("labels", out.host());
    }
    CHECK(cudaDeviceSynchronize());
}
