// Kernels of several streams beside each other: when a kernel that is simulated alone begins and ends where others have
// places and units already.
//
// What an H200 does (validate/records/h200/probes/kernels_together.cu, kernels_mixed.cu), and so does this:
// - Blocks go to the emptiest SMs, where the SM has places for them and as much shared memory as its first block had
//   carved out; an SM without blocks is carved anew. No kernel's block begins while blocks of an earlier one wait.
// - Blocks that waited fill the first SM that gets free, then the next.
// - The kernel that began first keeps its pace: its warps issue first. A later one has what is left. Accesses to shared
//   memory and L1 take turns, so that there the first ends with the later; its end is told by then, but its places are
//   held for as long as the later loses.
// - Where one kernel has as many requests as L2 or device memory takes, accesses of another wait behind them in the SM.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <vector>

#include "cudart/kernel_load.hpp"
#include "cudart/memory_room.hpp"

namespace sassafras::cudart {

class KernelRoom {
  public:
    struct Span {
        double begin = 0;
        double end = 0;
        double lost = 0;  ///< nanoseconds, in taking turns with others that in truth end later for it, too
    };

    /// Puts a kernel that takes so long alone, from `earliest` on (nanoseconds). All loads are of one GPU. Until its
    /// first block begins, and behind its last, it takes nothing of it.
    Span place(double earliest, double nanoseconds, const KernelLoad& load);
    /// When a kernel that is to be placed will begin.
    [[nodiscard]] double first_begin(double earliest, const KernelLoad& load) const;
    /// No kernel will begin before this time any more.
    void forget_before(double time);

    /// Shares are fractions: sums of them may be off by their last digits.
    static constexpr double slack = 1e-9;

  private:
    static constexpr double forever = std::numeric_limits<double>::infinity();
    static constexpr std::size_t most_states = 4096;  ///< the earliest are given up
    static constexpr int most_pieces = 32;            ///< of a kernel whose blocks find places at different times

    /// SMs that have the same.
    struct Group {
        double sms = 0;
        Places taken{};
        SmBusy busy{};
        double carve_out = 1;
        double waits_for_memory = 0;  ///< the most of its kernels
        bool fills_memory = false;    ///< one of its kernels does
        double blocks = 0;            ///< of the kernel that is being placed, an SM
        double places = 0;            ///< for blocks of that kernel
    };
    /// Of the GPU, from one time to the next.
    struct State {
        std::vector<Group> groups;  ///< none: nothing runs
        bool blocks_wait = false;   ///< of a kernel that was put earlier
    };
    using States = std::map<double, State>;  ///< by their begin; the last is idle

    /// So many SMs have so many blocks each of the kernel that is being placed.
    struct Share {
        double sms = 0;
        double blocks = 0;
    };
    /// Blocks of the kernel that is being placed, on the SMs of a state.
    struct Laid {
        std::vector<Group> groups;
        double blocks = 0;
    };
    /// So many blocks of a kernel that go on together.
    struct Course {
        const KernelLoad& load;
        double blocks = 0;             ///< at a time, if there are places for all
        double share = 1;              ///< of the kernel
        bool all_at_once = false;      ///< else fewer places only make it slower
        bool fills = false;            ///< one SM after the other
        std::vector<Share> stay = {};  ///< where they are, once they have begun
        Places held{};                 ///< that others keep, on its SMs, until `held_until`
        double held_until = 0;
    };
    struct Pace {
        double rate = 0;    ///< of the whole, as a share of that alone, with L2 and device memory for itself
        double most = 1;    ///< of an SM's blocks
        double blocks = 0;  ///< of all blocks together, if there were places for all
    };

    static Laid lay(const State& state, const Course& course);
    static void split(std::vector<Group>& groups, std::size_t group, double sms);
    static void spread(Laid& laid, const KernelLoad& load, double wanted);
    static double put(std::vector<Group>& groups, const KernelLoad& load, const Share& share);
    static void fill(Laid& laid, const KernelLoad& load, double wanted);
    static void merge(std::vector<Group>& groups);
    static std::vector<Share> shares_of(const Laid& laid);
    static void put_back(Laid& laid, const Course& course);
    static void shrink(Laid& laid, const LoadPart& part);
    static bool takes_turns(Course& course, const Laid& laid, const LoadPart& part);
    static double pace_on(const Group& group, const Course& course, const LoadPart& part);
    static Pace pace_of(const Laid& laid, const Course& course, const LoadPart& part);
    static void take(State& state, Laid&& laid, const Course& course, const LoadPart& part, const Pace& pace,
                     double rate, bool held);
    States::iterator containing(double time) { return std::prev(states_.upper_bound(time)); }
    States::iterator at(double time);
    [[nodiscard]] double end_of(States::iterator state) const;
    Span run(double time, double nanoseconds, Course course);
    Span place_one_wave(double earliest, double nanoseconds, const KernelLoad& load);

    States states_{{0.0, {}}};
    MemoryRoom memory_;
};

}  // namespace sassafras::cudart
