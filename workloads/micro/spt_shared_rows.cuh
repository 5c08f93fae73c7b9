// What the kernels of micro_spt.cu and micro_spt_loop.cu have in common: their launch bounds, and the rows of shared memory that their chains follow.
#pragma once

constexpr unsigned most_threads = 1024;  // a block
constexpr unsigned blocks_of_them = 2;   // an SM: 32 registers a thread, so that 2048 threads are resident
constexpr unsigned rows = 8;             // of shared memory that a chain passes through; see spt.cpp

struct SharedRows {
    unsigned column;     ///< address of the thread's word of the first row
    unsigned row_bytes;  ///< from a row to the next
};

/// In each row, the address of the row that follows it, which `next` names. A thread has a column to itself: whatever the rows, the lanes of a warp
/// read 32 banks.
__device__ inline SharedRows fill_rows(const unsigned* next) {
    extern __shared__ unsigned cells[];
    const unsigned row_bytes = (blockDim.x + 31) / 32 * 32 * 4;
    const unsigned column = static_cast<unsigned>(__cvta_generic_to_shared(cells)) + threadIdx.x * 4;
    for (unsigned row = 0; row < rows; ++row)
        asm volatile("st.shared.u32 [%0], %1;" : : "r"(column + row * row_bytes), "r"(column + next[row] * row_bytes) : "memory");
    __syncthreads();
    return {column, row_bytes};
}
