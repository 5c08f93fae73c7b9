// Kernels of several streams beside each other on the SMs of a GPU, forward in time: what each of them takes alone is
// known, and how it goes on follows from what the others take meanwhile.
//
// What an H200 does (validate/records/h200/probes/kernels_together.cu, kernels_mixed.cu, kernels_small.cu), and so does
// this:
// - Blocks go to the emptiest SMs, where the SM has places for them and as much shared memory as its first block had
//   carved out; an SM without blocks is carved anew. No kernel's block begins while blocks of an earlier one wait.
// - Blocks that waited fill the first SM that gets free, then the next. A kernel none of whose blocks has begun
//   begins half a microsecond behind the first place that gets free for it (sharing_blocks.cu).
//   On an SM it begins 0.3 us behind another one's begin there, or later (reading_pairs.cu).
// - On an SM the kernel that began first keeps its pace: its warps issue first. A later one has what is left. Accesses
//   to shared memory and L1 take turns.
// - L2 and device memory serve all kernels alike: where these together ask for twice what a unit takes, each goes on
//   at half its pace.
// - Where one kernel has as many requests as L2 or device memory takes, accesses of another wait behind them in the SM.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "cudart/kernel_load.hpp"

namespace sassafras::cudart {

class KernelRoom {
  public:
    /// A kernel's first block has begun, or its last one has ended.
    struct Change {
        std::uint64_t kernel = 0;
        bool has_ended = false;
    };
    static constexpr double never = std::numeric_limits<double>::infinity();

    /// A kernel whose blocks can begin from now on, of `nanoseconds` alone from its first block to its last. All loads
    /// are of one GPU.
    void add(std::uint64_t kernel, double nanoseconds, const KernelLoad& load);
    /// Nanoseconds until a kernel begins or ends, or goes on otherwise than now; `never` while nothing runs.
    [[nodiscard]] double until_change();
    /// Time passes, and no more of it than until_change() says.
    void pass(double nanoseconds);
    /// What has changed since the last call, in that order.
    [[nodiscard]] std::vector<Change> take_changes() { return std::exchange(changes_, {}); }

  private:
    /// Shares are fractions: sums of them may be off by their last digits.
    static constexpr double slack = 1e-9;
    static constexpr std::size_t most_pieces = 32;  ///< of a kernel whose blocks find places at different times
    static constexpr std::size_t most_groups = 8;   ///< of SMs on which blocks that begin together go on unlike

    struct Sm {
        Places taken{};
        double carve_out = 1;
        double blocks = 0;
        double begun = -never;  ///< when a kernel last began here
    };
    /// So many blocks on an SM.
    struct Share {
        std::size_t sm = 0;
        double blocks = 0;
    };
    using Shares = std::vector<Share>;
    /// Blocks of a kernel that go on together: they began at the same time, on SMs that had the same.
    struct Piece {
        double share = 1;      ///< of the kernel
        double blocks = 0;     ///< at a time, if there are places for all
        double placed = 1;     ///< share of these that have, or had when the last of them began
        std::size_t part = 0;  ///< of the load
        double left = 0;       ///< nanoseconds of its time alone in this part
        double rate = 0;       ///< nanoseconds of its time alone that pass in one
        Shares on{};           ///< where they are
    };
    struct Kernel {
        std::uint64_t id = 0;
        double nanoseconds = 0;
        KernelLoad load;
        bool follow = false;  ///< its blocks follow each other: with fewer places it takes longer. Else each block
                              ///< takes the kernel's time
        double waiting = 0;   ///< blocks without places
        bool has_waited = false;
        bool has_begun = false;
        double begins_in = never;  ///< nanoseconds, when it has waited, and there are places for it
        std::size_t pieces_begun = 0;
        std::vector<Piece> pieces{};
    };
    struct Paces;

    void settle();
    // kernel_room_places.cpp
    void find_places();
    static void begin_part(const Kernel& kernel, Piece& piece, std::size_t part);
    [[nodiscard]] bool wants_places(const Kernel& kernel) const;
    [[nodiscard]] bool may_begin(Kernel& kernel) const;
    [[nodiscard]] double until_others_have_begun(const Kernel& kernel, const Shares& shares) const;
    [[nodiscard]] Shares lay(const Kernel& kernel, double wanted) const;
    [[nodiscard]] double capacity(const Sm& sm, const KernelLoad& load) const;
    [[nodiscard]] Shares spread(const KernelLoad& load, double wanted) const;
    [[nodiscard]] Shares fill(const KernelLoad& load, double wanted) const;
    static void grow(Kernel& kernel, const Shares& shares);
    void begin_pieces(Kernel& kernel, const Shares& shares);
    void take(const KernelLoad& load, const Shares& shares);
    void give_back(const KernelLoad& load, const Shares& shares);
    void shrink(const KernelLoad& load, Piece& piece);
    // kernel_room_paces.cpp
    void find_paces();
    [[nodiscard]] static double waits_at_xu(const Paces& paces, const Share& share, const LoadPart& part,
                                            const std::vector<SmBusy>& asked);

    std::vector<Sm> sms_;
    std::vector<Kernel> kernels_;  ///< in the order of their calls
    bool is_settled_ = true;
    double now_ = 0;  ///< nanoseconds
    std::vector<Change> changes_;
};

}  // namespace sassafras::cudart
