// What the multiway mergesorts share: tasks of K runs, their cuts into parts that one warp each merges, and a warp's streams of blocks of w
// elements out of K runs. Lane i knows run i, so K is at most w.
#pragma once

#include "elements.cuh"

constexpr unsigned w = 32;
constexpr unsigned whole_warp = 0xffffffffU;

/// A round: runs of `run` elements, K of them a task of `task` elements; the last of each may be shorter. A task's output is cut into `parts` of
/// `part` elements, the last of which may be shorter or empty. multiway.cpp has the same.
struct Round {
    unsigned n;
    unsigned run;
    unsigned task;
    unsigned parts;
    unsigned part;
};

/// Elements in run `lane` of the task that begins at `begin`.
template <int K>
__device__ inline unsigned run_length(unsigned begin, unsigned lane, Round round) {
    const unsigned long long before = static_cast<unsigned long long>(lane) * round.run;
    if (lane >= K || before >= round.n - begin) return 0;
    return min(round.run, round.n - begin - static_cast<unsigned>(before));
}

/// How many elements of run `lane % K` are among the `rank` least of the task's K runs; on ties, earlier runs go first. Each run has w / K lanes,
/// and each lane takes a pivot out of the window in which its run's cut may still lie. What precedes a pivot is known but for the gaps
/// between the other runs' pivots: if enough elements surely do, it is out, and what follows it in its run; if too few can, it is in. The
/// greatest or the least pivot is always decided, commonly all but one of a run.
template <class Order, int K>
__device__ inline unsigned cut(const typename Order::Element* list, unsigned length, unsigned rank, unsigned lane) {
    using T = typename Order::Element;
    constexpr unsigned pivots = w / K;  // of a run
    const unsigned run = lane % K;
    unsigned left = 0;
    unsigned right = length;
#pragma unroll 1
    while (true) {
        const bool open = left < right;
        const unsigned open_lanes = __ballot_sync(whole_warp, open);
        if (open_lanes == 0) return left;
        const auto window = static_cast<unsigned long long>(right - left);
        const unsigned at = left + static_cast<unsigned>(window * (lane / K + 1) / (pivots + 1));  // below right
        const T pivot = open ? list[at] : Order::greatest();
        unsigned least = at;  // of the task's elements that precede the pivot, at least and at most these
        unsigned most = at;
#pragma unroll 2
        for (unsigned other = 0; other < K; ++other) {
            unsigned before = __shfl_sync(whole_warp, left, other);
            unsigned up_to = __shfl_sync(whole_warp, right, other);
            const bool open_there = (open_lanes >> other & 1U) != 0;
#pragma unroll
            for (unsigned i = pivots; i-- > 0;) {  // descending: the last that precedes stays in `before`
                const T there = __shfl_sync(whole_warp, pivot, i * K + other);
                const unsigned at_there = __shfl_sync(whole_warp, at, i * K + other);
                const bool precedes = Order::less(there, pivot) || (other < run && !Order::less(pivot, there));
                if (open_there && precedes) before = max(before, at_there + 1);
                if (open_there && !precedes) up_to = at_there;
            }
            if (other == run) continue;
            least += before;
            most += up_to;
        }
        if (open && least >= rank)
            right = at;
        else if (open && most < rank)
            left = at + 1;
#pragma unroll
        for (unsigned distance = K; distance < w; distance *= 2) {
            left = max(left, __shfl_xor_sync(whole_warp, left, distance));
            right = min(right, __shfl_xor_sync(whole_warp, right, distance));
        }
    }
}

/// splits[(task (parts + 1) + boundary) K + i]: where part `boundary` begins in run i of the task. One warp a boundary.
template <class Order, int K>
__device__ inline void partition(const typename Order::Element* in, Round round, unsigned* splits) {
    const unsigned lane = threadIdx.x;
    const unsigned task = blockIdx.x / (round.parts + 1);
    const unsigned boundary = blockIdx.x % (round.parts + 1);
    const unsigned begin = task * round.task;
    const unsigned length = run_length<K>(begin, lane % K, round);
    const unsigned rank = boundary * round.part;  // beyond the task's end, everything precedes
    const unsigned split = cut<Order, K>(in + (length == 0 ? 0 : begin + lane % K * round.run), length, rank, lane);
    if (lane < K) splits[blockIdx.x * K + lane] = split;
}

/// A warp's part of a task: what it reads of each run, and where its output goes.
template <class T, int K>
struct Part {
    const T* runs;    ///< run i begins at runs + i run
    unsigned run;
    unsigned next;    ///< lane i's: where run i goes on
    unsigned end;     ///< lane i's: where this part of it ends
    T* out;
    unsigned count;   ///< outputs

    /// Without splits, a task is one part.
    __device__ Part(const T* in, T* to, Round round, const unsigned* splits) : run(round.run) {
        const unsigned lane = threadIdx.x;
        const unsigned task = blockIdx.x / round.parts;
        const unsigned index = blockIdx.x % round.parts;
        const unsigned begin = task * round.task;
        const unsigned outputs = min(round.n - begin, round.task);
        const unsigned before = min(index * round.part, outputs);
        runs = in + begin;
        out = to + begin + before;
        count = min(round.part, outputs - before);
        if (round.parts == 1) {
            next = 0;
            end = run_length<K>(begin, lane, round);
        } else {
            const unsigned* const mine = splits + (task * (round.parts + 1) + index) * K + min(lane, K - 1U);
            next = lane < K ? mine[0] : 0;
            end = lane < K ? mine[K] : 0;
        }
    }

    /// This lane's element of the next w of run `list`; the greatest where it has ended. A coalesced read.
    template <class Order>
    __device__ T read_block(unsigned list) {
        const unsigned lane = threadIdx.x;
        const unsigned from = __shfl_sync(whole_warp, next, list) + lane;
        const unsigned to = __shfl_sync(whole_warp, end, list);
        if (lane == list) next = min(next + w, end);
        return from < to ? runs[list * run + from] : Order::greatest();
    }
};
