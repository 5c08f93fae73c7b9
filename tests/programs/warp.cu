// Warp intrinsics, and arithmetic of integers that the compiler has instructions for.
#include "check.cuh"

__global__ void warp(unsigned* out) {
    const unsigned lane = threadIdx.x % 32;
    const unsigned x = threadIdx.x * 2654435761u;
    unsigned* to = out + threadIdx.x * 24;
    to[0] = __shfl_sync(~0u, x, (lane * 7) % 32);
    to[1] = __shfl_up_sync(~0u, x, 3);
    to[2] = __shfl_down_sync(~0u, x, 5, 16);
    to[3] = __shfl_xor_sync(~0u, x, 9);
    to[4] = __ballot_sync(~0u, x & 4);
    to[5] = static_cast<unsigned>(__all_sync(~0u, x != 1)) * 2 + static_cast<unsigned>(__any_sync(~0u, x == 0));
    to[6] = __match_any_sync(~0u, lane / 3);
    int same = 0;
    to[7] = __match_all_sync(~0u, lane / 32, &same) + static_cast<unsigned>(same);
    to[8] = __reduce_add_sync(~0u, x);
    to[9] = __reduce_min_sync(~0u, x);
    to[10] = static_cast<unsigned>(__reduce_max_sync(~0u, static_cast<int>(x)));
    to[11] = __reduce_xor_sync(~0u, x) ^ __reduce_and_sync(~0u, x | 1) ^ __reduce_or_sync(~0u, x);
    const unsigned long long wide = __shfl_sync(~0u, (static_cast<unsigned long long>(x) << 20) + lane, 31 - lane);
    to[12] = static_cast<unsigned>(wide);
    to[13] = static_cast<unsigned>(wide >> 32);
    to[14] = __activemask();
    if (lane % 3 == 1) {
        const unsigned mask = __activemask();
        to[15] = __shfl_sync(mask, x, 4) + mask;
        __syncwarp(mask);
        to[16] = __ballot_sync(mask, lane > 10);
    } else {
        to[15] = to[16] = lane;
    }
    to[17] = __popc(x) + __clz(x) * 64 + __ffs(x) * 4096;
    to[18] = __brev(x) ^ __byte_perm(x, ~x, 0x3175);
    to[19] = __dp4a(x, 0x01020304u, lane);
    to[20] = __funnelshift_l(x, lane, lane) ^ __umulhi(x, x);
    to[21] = __vadd4(x, 0x80ff7f01u) ^ __vmaxs2(x, 0x12348765u) ^ __vabsdiffu4(x, 0x01ff80aau);
    to[22] = __usad(x, lane, 5) + __sad(static_cast<int>(x), -3, 9);
    to[23] = __uhadd(x, 77) ^ __mul24(x, 3) ^ __umul24(x, 5);
}

int main() {
    DeviceArray<unsigned> results(256 * 24);
    warp<<<1, 256>>>(results.data);
    show("warp", results.host());
    const auto host = results.host();
    for (int column = 0; column < 24; ++column) {
        std::vector<unsigned> values;
        for (int thread = 0; thread < 256; ++thread) values.push_back(host[static_cast<unsigned>(thread * 24 + column)]);
        std::printf("%d ", column);
        show("column", values);
    }
}
