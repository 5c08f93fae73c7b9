#include <cstdint>
#define FORM(name, text) \
extern "C" __global__ void name(uint32_t* out) { \
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; \
    uint16_t r; asm volatile(text " %0, %1;" : "=h"(r) : "h"((uint16_t)i)); out[i] = r; }
FORM(ex2_f16, "ex2.approx.f16")
FORM(tanh_f16, "tanh.approx.f16")
FORM(ex2_bf16, "ex2.approx.ftz.bf16")
FORM(tanh_bf16, "tanh.approx.bf16")
