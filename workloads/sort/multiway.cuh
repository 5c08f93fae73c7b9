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

/// How many elements of run `lane` are among the `rank` least of the task's K runs; on ties, earlier runs go first. Each step takes the middle of
/// every run's window as pivot. If enough elements are known to precede it, it is out, and so is what follows in its run; if few enough can
/// precede it, it is in. At least one window halves, commonly half of them.
template <class Order, int K>
__device__ inline unsigned cut(const typename Order::Element* list, unsigned length, unsigned rank, unsigned lane) {
    using T = typename Order::Element;
    unsigned left = 0;
    unsigned right = length;
#pragma unroll 1
    while (true) {
        const bool open = left < right;
        const unsigned open_runs = __ballot_sync(whole_warp, open);
        if (open_runs == 0) return left;
        const unsigned middle = (left + right) / 2;
        const T pivot = open ? list[middle] : Order::greatest();
        unsigned least = middle;  // of the task's elements that precede the pivot, at least and at most these
        unsigned most = middle;
#pragma unroll 4
        for (unsigned other = 0; other < K; ++other) {
            const T pivot_there = __shfl_sync(whole_warp, pivot, other);
            const unsigned left_there = __shfl_sync(whole_warp, left, other);
            const unsigned right_there = __shfl_sync(whole_warp, right, other);
            if (other == lane) continue;
            const bool open_there = (open_runs >> other & 1U) != 0;
            const bool before =
                open_there && (Order::less(pivot_there, pivot) || (other < lane && !Order::less(pivot, pivot_there)));
            const unsigned middle_there = (left_there + right_there) / 2;
            least += before ? middle_there + 1 : left_there;
            most += open_there && !before ? middle_there : right_there;
        }
        if (open && least >= rank)
            right = middle;
        else if (open && most < rank)
            left = middle + 1;
    }
}

/// splits[(task (parts + 1) + boundary) K + i]: where part `boundary` begins in run i of the task. One warp a boundary.
template <class Order, int K>
__device__ inline void partition(const typename Order::Element* in, Round round, unsigned* splits) {
    const unsigned lane = threadIdx.x;
    const unsigned task = blockIdx.x / (round.parts + 1);
    const unsigned boundary = blockIdx.x % (round.parts + 1);
    const unsigned begin = task * round.task;
    const unsigned length = run_length<K>(begin, lane, round);
    const unsigned rank = boundary * round.part;  // beyond the task's end, everything precedes
    const unsigned split = cut<Order, K>(in + (length == 0 ? 0 : begin + lane * round.run), length, rank, lane);
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
