// The kernel by which a real GPU's L2 is emptied: it reads a buffer that is larger. What was written before goes to DRAM
// meanwhile, and what stays is clean, as after the invalidation by Nsight Compute. A memory set would leave L2 full of
// written lines, which the next kernel's reads would have to wait for (16 MiB took an H200 10 us longer:
// validate/records/h200/probes/uneven.txt).
#pragma once

namespace sassafras::sim::cuda {

/// PTX, as it is for whatever GPU is there; the driver compiles it. `evict(from, bytes, never)`: `bytes` is a multiple of
/// 16; no sum is `never`, which is not a sum of zeros.
inline constexpr char eviction_ptx[] = R"(
.version 6.3
.target sm_75
.address_size 64
.visible .entry evict(.param .u64 from, .param .u64 bytes, .param .u32 never)
{
    .reg .pred %more, %stop;
    .reg .b32 %sum, %a, %b, %c, %d, %thread, %block, %threads, %blocks, %n;
    .reg .b64 %at, %end, %step;
    ld.param.u64 %at, [from];
    ld.param.u64 %end, [bytes];
    ld.param.u32 %n, [never];
    cvta.to.global.u64 %at, %at;
    add.u64 %end, %end, %at;
    mov.u32 %thread, %tid.x;
    mov.u32 %block, %ctaid.x;
    mov.u32 %threads, %ntid.x;
    mov.u32 %blocks, %nctaid.x;
    mad.lo.u32 %thread, %block, %threads, %thread;
    mul.wide.u32 %step, %thread, 16;
    add.u64 %at, %at, %step;
    mul.lo.u32 %blocks, %blocks, %threads;
    mul.wide.u32 %step, %blocks, 16;
    mov.u32 %sum, 0;
next:
    setp.lt.u64 %more, %at, %end;
    @!%more bra done;
    ld.global.v4.u32 {%a, %b, %c, %d}, [%at];
    add.u32 %sum, %sum, %a;
    add.u32 %sum, %sum, %b;
    add.u32 %sum, %sum, %c;
    add.u32 %sum, %sum, %d;
    add.u64 %at, %at, %step;
    bra next;
done:
    setp.ne.u32 %stop, %sum, %n;
    @%stop exit;
    ld.param.u64 %at, [from];
    cvta.to.global.u64 %at, %at;
    st.global.u32 [%at], %sum;
    ret;
}
)";
inline constexpr char eviction_entry[] = "evict";
inline constexpr unsigned eviction_never = 1;  ///< the buffer is of zeros

}  // namespace sassafras::sim::cuda
