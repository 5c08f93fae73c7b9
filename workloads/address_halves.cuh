// Addresses as the code of GPUs before Volta makes them. A 64-bit address takes two instructions there, its halves; sm_90 has one
// (IMAD.WIDE). Kernels that are here as a source prints them, and whose instructions it counted on a Fermi or Maxwell GPU, say the halves.
#pragma once

/// &first[index], index >= 0, as low word and high word.
__device__ inline unsigned long long element(const float* first, int index) {
    const unsigned long long start = __cvta_generic_to_global(first);
    unsigned low;
    unsigned high;
    asm("{\n\t.reg .u32 bytes;\n\tshl.b32 bytes, %2, 2;\n\tadd.cc.u32 %0, bytes, %3;\n\taddc.u32 %1, 0, %4;\n\t}"
        : "=r"(low), "=r"(high)
        : "r"(index), "r"(static_cast<unsigned>(start)), "r"(static_cast<unsigned>(start >> 32)));
    return static_cast<unsigned long long>(high) << 32 | low;
}

/// The element `after` the one at the address (-1, 0 or 1). Nothing has written it: no order is kept.
template <int after = 0>
__device__ inline float read(unsigned long long address) {
    float value;
    asm("ld.global.f32 %0, [%1 + %2];" : "=f"(value) : "l"(address), "n"(after * 4));
    return value;
}

__device__ inline void write(unsigned long long address, float value) {
    asm volatile("st.global.f32 [%0], %1;" ::"l"(address), "f"(value) : "memory");
}
