// What the kernels of merge_co_rank.cu and merge_printed.cu have in common: their options, their shared memory, and what a block merges.
#pragma once

extern __shared__ unsigned shared_words[];

struct Plain {
    static constexpr bool half = false;    ///< each thread computes one co-rank and takes the other from its neighbour
    static constexpr bool select = false;  ///< selection instead of branches
};
struct Half : Plain {
    static constexpr bool half = true;
};
struct Select : Plain {
    static constexpr bool select = true;
};
struct HalfSelect : Half {
    static constexpr bool select = true;
};

/// A block's part of the output and of the inputs.
struct BlockPart {
    int begin;
    int count;
    int a_begin;
    int a_count;
    int b_begin;
    int b_count;
};
