// L2 and device memory under kernels of several streams: what all of them ask for over time, and how far one gets that
// is put among them.
//
// Requests take turns whoever came first: where all kernels together ask for twice what a unit takes, each goes on at
// half its pace. What is known of a kernel that was put before is its end, which stays; but what it asks for moves on,
// so that for one that is put later memory is busy for as long as it takes to do all that is asked for.
#pragma once

#include <cstddef>
#include <list>

#include "cudart/kernel_load.hpp"

namespace sassafras::cudart {

class MemoryRoom {
    struct Piece {
        double length = 0;
        GpuBusy wanted{};  ///< may be more than 1
    };
    using Pieces = std::list<Piece>;

  public:
    struct Progress {
        double time = 0;  ///< nanoseconds
        double done = 0;  ///< nanoseconds of the kernel's time alone
    };

    /// One kernel on its way: its calls go forward in time. The last thing that it does is to put off what others ask
    /// for. Only one at a time.
    class Pass {
      public:
        explicit Pass(MemoryRoom& room) : room_(room), piece_(room.pieces_.begin()), begin_(room.origin_) {}
        ~Pass() { put_off(); }
        Pass(const Pass&) = delete;
        Pass& operator=(const Pass&) = delete;
        Pass(Pass&&) = delete;
        Pass& operator=(Pass&&) = delete;

        /// A kernel that asks for these shares of the units when it goes on as alone, and which for other reasons can
        /// go on at `rate` of that pace: from `time` on until it has done `left` nanoseconds of its time alone, or
        /// until `until`.
        Progress run(double time, double until, double left, double rate, const GpuBusy& wanted);

      private:
        void go_to(double time);
        void put_off();

        MemoryRoom& room_;
        Pieces::iterator piece_;  ///< from which on nothing was passed yet; the end: nothing is asked for any more
        double begin_ = 0;        ///< its begin
        double delay_ = 0;        ///< of all from there on, but where nothing was asked for
    };

    /// As one pass.
    Progress run(double time, double until, double left, double rate, const GpuBusy& wanted) {
        return Pass(*this).run(time, until, left, rate, wanted);
    }
    /// No kernel will begin before this time any more.
    void forget_before(double time);

  private:
    static constexpr std::size_t most_pieces = 4096;  ///< the earliest are given up

    double origin_ = 0;
    Pieces pieces_;  ///< one behind the other from `origin_` on; nothing is asked for behind the last
};

}  // namespace sassafras::cudart
