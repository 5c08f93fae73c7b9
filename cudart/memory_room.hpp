// L2 and device memory under kernels of several streams: what all of them ask for over time, and how far one gets that
// is put among them.
//
// Requests take turns whoever came first: where all kernels together ask for twice what a unit takes, each goes on at
// half its pace. What is known of a kernel that was put before is its end, which stays; but what it asks for moves on,
// so that for one that is put later memory is busy for as long as it takes to do all that is asked for.
#pragma once

#include <cstddef>
#include <deque>

#include "cudart/kernel_load.hpp"

namespace sassafras::cudart {

class MemoryRoom {
  public:
    struct Progress {
        double time = 0;  ///< nanoseconds
        double done = 0;  ///< nanoseconds of the kernel's time alone
    };
    /// A kernel that asks for these shares of the units when it goes on as alone, and which for other reasons can go on
    /// at `rate` of that pace: from `time` on until it has done `left` nanoseconds of its time alone, or until `until`.
    Progress run(double time, double until, double left, double rate, const GpuBusy& wanted);
    /// No kernel will begin before this time any more.
    void forget_before(double time);

  private:
    struct Piece {
        double length = 0;
        GpuBusy wanted{};  ///< may be more than 1
    };
    using Pieces = std::deque<Piece>;
    static constexpr std::size_t most_pieces = 4096;  ///< the earliest are given up
    Pieces::iterator begin_piece_at(double time);
    void absorb(Pieces::iterator piece, double delay);

    double origin_ = 0;
    Pieces pieces_;  ///< one behind the other from `origin_` on; nothing is asked for behind the last
};

}  // namespace sassafras::cudart
