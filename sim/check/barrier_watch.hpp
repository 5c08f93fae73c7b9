// Whether the threads of a block come to its barriers together, as synccheck looks for it, and whether some go around
// one.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/types.hpp"
#include "isa/program/program.hpp"
#include "sim/execute/execution_observer.hpp"

namespace sassafras::sim {

/// Synccheck's classes.
enum class BarrierFault : std::uint8_t {
    divergent_warp,   ///< not all living lanes of the warp come together
    divergent_block,  ///< the block's threads are at different barriers, or some never come to this one
    arguments,        ///< __syncwarp() of a lane that its mask does not name
    missing_init,     ///< of a barrier in shared memory, or one that the thread need not have seen
    missing_wait,     ///< arrives there again without knowing that the last phase is over
};

/// A barrier of the whole block that let its threads go although some had gone around it.
struct BarrierGoneAround {
    std::uint32_t instruction = 0;  ///< of the barrier
    std::uint32_t warp = 0;         ///< the first that went around
    std::uint32_t lanes = 0;
};

/// Whether the barrier is a copy that nvcc makes for warps which are not converged, instead of the one that they leave
/// out: BAR R, R behind BRA.DIV; before sm_90, what BRA.CONV has called if it does not branch: WARPSYNC, BAR, RET.
[[nodiscard]] bool stands_for_others(const isa::Program& program, std::uint32_t instruction);

class BarrierWatch {
  public:
    void start(std::uint32_t threads);

    /// True if the barrier is of the whole block and others have come to it at another instruction. `anywhere`: the
    /// instruction stands for others.
    [[nodiscard]] bool reach(const ExecutionPlace& place, std::uint32_t barrier, std::uint32_t expected, bool waits,
                             bool anywhere);
    void exit(const ExecutionPlace& place);
    [[nodiscard]] bool is_of_block(std::uint32_t barrier, std::uint64_t threads) const {
        return barriers_[barrier].expected == 0 || barriers_[barrier].expected >= threads;
    }
    /// The barrier lets its threads go. Threads that have exited may be missing if they did so where the barrier cannot
    /// lead: an early return. Others have gone around it, as in `if (condition) __syncthreads();`.
    [[nodiscard]] std::optional<BarrierGoneAround> complete(std::uint32_t barrier, const isa::Program& program);

  private:
    struct Barrier {
        std::uint32_t expected = 0;
        std::uint32_t instruction = 0;
        bool reached = false;
        bool anywhere = false;                    ///< no other instruction so far
        std::array<std::uint32_t, 32> arrived{};  ///< lanes, by warp
    };
    struct Exit {
        std::uint32_t instruction = 0;
        std::uint32_t warp = 0;
        std::uint32_t lanes = 0;
    };
    std::uint32_t threads_ = 0;
    std::array<Barrier, 16> barriers_{};
    std::vector<Exit> exits_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool>
        leads_;  ///< from one instruction to another, as far as asked
};

}  // namespace sassafras::sim
