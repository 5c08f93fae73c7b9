// Cooperative groups within a block.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "check.cuh"

namespace cg = cooperative_groups;

__global__ void groups(unsigned* out) {
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<8>(block);
    const auto warp = cg::tiled_partition<32>(block);
    unsigned* to = out + block.thread_rank() * 12;
    const unsigned x = static_cast<unsigned>(block.thread_rank()) * 2654435761u >> 7;
    to[0] = static_cast<unsigned>(tile.thread_rank() * 100 + tile.meta_group_rank());
    to[1] = tile.shfl(x, 3);
    to[2] = tile.ballot(x & 1);
    to[3] = cg::reduce(tile, x, cg::plus<unsigned>());
    to[4] = cg::reduce(warp, x, cg::greater<unsigned>());
    to[5] = cg::inclusive_scan(tile, x);
    to[6] = cg::exclusive_scan(warp, x, cg::plus<unsigned>());
    to[7] = to[8] = to[9] = 0;
    if (block.thread_rank() % 3 == 0) {
        const cg::coalesced_group active = cg::coalesced_threads();
        to[7] = static_cast<unsigned>(active.thread_rank() * 64 + active.size());
        to[8] = active.shfl(x, 0);
        active.sync();
        to[9] = cg::reduce(active, x, cg::bit_xor<unsigned>());
    }
    const auto labelled = cg::labeled_partition(warp, static_cast<int>(block.thread_rank() / 5 % 3));
    to[10] = static_cast<unsigned>(labelled.size() * 64 + labelled.thread_rank());
    block.sync();
    const auto binary = cg::binary_partition(warp, (x & 2) != 0);
    to[11] = static_cast<unsigned>(binary.num_threads());
}

int main() {
    DeviceArray<unsigned> results(256 * 12);
    groups<<<1, 256>>>(results.data);
    CHECK(cudaDeviceSynchronize());
    const auto host = results.host();
    for (unsigned column = 0; column < 12; ++column) {
        std::vector<unsigned> values;
        for (unsigned thread = 0; thread < 256; ++thread) values.push_back(host[thread * 12 + column]);
        std::printf("%u ", column);
        show("column", values);
    }
}
