// How the threads of a block use barriers in shared memory (mbarrier, cuda::barrier), as synccheck looks at it: whoever
// arrives must know that the barrier was initialised, and before arriving again that the phase of the last arrival is
// over.
//
// Known is what is ordered before: by a wait of the thread itself, or by one of another thread that it has met since.
// So a producer that never waits at the barrier that it fills, but at another that its consumers arrive at, is right.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/check/block_clock.hpp"
#include "sim/check/hazard.hpp"

namespace sassafras::sim {

class PhaseWatch {
  public:
    void start(std::uint32_t threads);

    /// Lanes that did not know of the barrier's initialisation, and lanes that did not know that their last phase was
    /// over.
    struct Faults {
        std::uint32_t missing_init = 0;
        std::uint32_t missing_wait = 0;
    };

    /// `word`: the barrier as it is after the instruction, of the lanes whose barrier this is.
    void initialise(const WarpAccess& access, std::uint64_t barrier, std::uint64_t word, const BlockClock& clock);
    [[nodiscard]] Faults arrive(const WarpAccess& access, std::uint32_t lanes, std::uint64_t barrier,
                                std::uint64_t word, const BlockClock& clock);
    /// The lanes have found the phase over that they waited for.
    void wait(const WarpAccess& access, std::uint32_t lanes, std::uint64_t barrier, std::uint64_t word,
              const BlockClock& clock);
    /// Copies arrive there, too: who has arrived how often says nothing.
    void copies_arrive(std::uint64_t barrier) { barriers_[barrier].takes_copies = true; }

  private:
    /// Something that a thread knows from then on, with whoever is ordered behind it.
    struct Event {
        std::uint32_t stamp = 0;
        std::uint32_t thread = 0;
        std::uint32_t phases = 0;  ///< that were over
    };
    struct Thread {
        std::uint32_t arrived = 0;  ///< phase of the last arrival + 1; 0: none
        std::uint32_t known = 0;    ///< phases that it has seen to be over
    };
    struct Barrier {
        bool is_initialised = false;
        bool takes_copies = false;
        Event initialised;
        std::uint32_t phases = 0;  ///< that are over
        std::uint64_t word = 0;    ///< as last seen
        std::vector<Event> ends;   ///< by whom and when a phase was seen or made to be over; the newest last
        std::vector<Thread> threads;
    };
    void see(Barrier& barrier, const Event& event, std::uint64_t word);
    static void remember(Barrier& barrier, const Event& event);
    [[nodiscard]] bool knows_end(const Barrier& barrier, std::uint32_t thread, const BlockClock& clock) const;

    std::uint32_t threads_ = 0;
    std::unordered_map<std::uint64_t, Barrier> barriers_;  ///< by shared address
};

}  // namespace sassafras::sim
