// Told what the threads of a launch do that other threads may see, in the order in which it happens. sim/check listens;
// without an observer, execution has nothing to do for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sassafras::sim {

struct Fault;

/// The lanes of a warp that execute an instruction.
struct ExecutionPlace {
    std::uint32_t slot = 0;         ///< of the block, among those that are resident
    std::uint32_t warp = 0;         ///< in the block
    std::uint32_t instruction = 0;  ///< index
    std::uint32_t lanes = 0;
    std::uint32_t alive = 0;  ///< lanes of the warp that have not exited
};

/// An executed memory instruction.
struct ObservedAccess {
    ExecutionPlace at;
    /// Its access records as WarpTrace buffers them: one, of LDGSTS two.
    std::span<const std::uint64_t> records;
    /// For instructions that store registers: word w of lane l is stored[32 * w + l]. Otherwise null.
    const std::uint32_t* stored = nullptr;
    const std::byte* shared = nullptr;          ///< host pointer of the block's shared address 0
    const std::uint32_t* predicates = nullptr;  ///< as in ObservedValues, after it
};

/// An instruction that computes, or one that steers, before it executes.
struct ObservedValues {
    ExecutionPlace at;
    const std::uint32_t* predicates = nullptr;  ///< P0..P6, PT, UP0..UP6, UPT: lanes in which each holds
    const std::uint32_t* a = nullptr;           ///< sources of ISETP, by lane
    const std::uint32_t* b = nullptr;
};

/// Shared addresses of a block.
struct SharedExtent {
    std::uint32_t begin = 0;           ///< first that the program may use
    std::uint32_t end = 0;             ///< first behind all that it may use
    std::uint32_t variables_end = 0;   ///< first behind its variables, what comes with the launch included
    std::uint32_t reserved_begin = 0;  ///< what cooperative groups' own code uses, which is there from the start;
    std::uint32_t reserved_end = 0;    ///< nothing if the two are the same
};

class ExecutionObserver {
  public:
    ExecutionObserver() = default;
    ExecutionObserver(const ExecutionObserver&) = delete;
    ExecutionObserver& operator=(const ExecutionObserver&) = delete;
    virtual ~ExecutionObserver() = default;

    /// Slots are small numbers, used again once their block has finished.
    virtual void block_started(std::uint32_t slot, std::uint64_t block, std::uint32_t warps,
                               const SharedExtent& shared) = 0;
    virtual void block_finished(std::uint32_t slot) = 0;

    /// The access has taken effect. Returns whether computing() and branching() are to be called for this warp, until
    /// this or computing() says otherwise.
    [[nodiscard]] virtual bool accessed(const ObservedAccess& access) = 0;
    /// The access was illegal; the launch ends.
    virtual void faulted(const ObservedAccess& access, const Fault& fault) = 0;
    /// A fault ends the launch. Of an illegal access faulted() has told before, unless it was to constant memory.
    virtual void stopped(const ExecutionPlace& place, const Fault& fault) = 0;
    /// MEMBAR, LDGDEPBAR or DEPBAR.
    virtual void ordered(const ExecutionPlace& place) = 0;

    /// ARRIVES: the lanes' asynchronous copies so far arrive at barriers in shared memory; barrier[l] is the address of
    /// lane l's.
    virtual void copies_arrive(const ExecutionPlace& place, const std::uint32_t* barrier) = 0;

    /// Returns whether it is to be called again.
    [[nodiscard]] virtual bool computing(const ObservedValues& values) = 0;
    /// A branch, an exit, BSYNC, BAR, ...; the lanes are those of the running group.
    virtual void branching(const ObservedValues& values) = 0;

    /// WARPSYNC: lane l has come with the mask named[l].
    virtual void warp_barrier_reached(const ExecutionPlace& place, const std::uint32_t* named) = 0;
    /// Lanes that have met at WARPSYNC, or at a NOP that stands for __syncwarp().
    virtual void warp_synchronised(std::uint32_t slot, std::uint32_t warp, std::uint32_t lanes) = 0;

    /// BAR; `expected` threads, 0 for the whole block. Without `waits` the lanes only arrive.
    virtual void barrier_reached(const ExecutionPlace& place, std::uint32_t barrier, std::uint32_t expected,
                                 bool waits) = 0;
    virtual void barrier_completed(std::uint32_t slot, std::uint32_t barrier) = 0;
    /// EXIT.
    virtual void exited(const ExecutionPlace& place) = 0;
    /// The lanes of `place` wait at a barrier that nobody will complete. Called for each group that waits.
    virtual void deadlocked(const ExecutionPlace& place) = 0;
};

}  // namespace sassafras::sim
