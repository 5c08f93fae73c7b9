// Dependences through registers where hardware tracks them: an instruction waits until every register, uniform register
// and predicate that it reads or writes has its last value (read after write, write after write). Sources are read at
// issue and in order, so a write never waits for a read.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/program/program.hpp"
#include "sim/metrics/stall.hpp"

namespace sassafras::sim {

/// The registers of every instruction of a kernel, numbered from zero over all files; worked out once a launch.
class RegisterDependences {
  public:
    explicit RegisterDependences(const isa::Program& program);

    /// What it reads or writes, without repetition.
    [[nodiscard]] std::span<const std::uint16_t> touched(std::uint32_t pc) const {
        return {numbers_.data() + uses_[pc].first, uses_[pc].touched};
    }
    [[nodiscard]] std::span<const std::uint16_t> written(std::uint32_t pc) const {
        return {numbers_.data() + uses_[pc].first, uses_[pc].written};
    }
    [[nodiscard]] std::uint32_t register_count() const { return register_count_; }

  private:
    struct Use {
        std::uint32_t first = 0;
        std::uint16_t written = 0;  ///< they come before those that are only read
        std::uint16_t touched = 0;
    };
    std::vector<Use> uses_;
    std::vector<std::uint16_t> numbers_;
    std::uint32_t register_count_ = 0;
};

/// When the registers of each warp of an SM are there. Allocates nothing after construction.
class RegisterScoreboard {
  public:
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    struct Wait {
        std::uint64_t until = 0;  ///< first cycle at which the instruction may issue; never: nobody knows yet
        Stall reason = Stall::wait;
    };

    RegisterScoreboard(const RegisterDependences& dependences, std::size_t warps);

    /// A new warp: no register waits for anything.
    void clear(std::size_t warp);
    [[nodiscard]] Wait wait(std::size_t warp, std::uint32_t pc) const;
    /// What the instruction writes is there at `time`.
    void written_at(std::size_t warp, std::uint32_t pc, std::uint64_t time, Stall reason);
    /// What the instruction writes is there after one more release().
    void hold(std::size_t warp, std::uint32_t pc);
    void release(std::size_t warp, std::uint32_t pc, std::uint64_t now);

  private:
    struct Register {
        std::uint64_t ready = 0;
        std::uint32_t outstanding = 0;
        Stall reason = Stall::wait;
    };
    Register* of(std::size_t warp) { return registers_.data() + warp * dependences_.register_count(); }
    [[nodiscard]] const Register* of(std::size_t warp) const {
        return registers_.data() + warp * dependences_.register_count();
    }

    const RegisterDependences& dependences_;
    std::vector<Register> registers_;
};

}  // namespace sassafras::sim
