#include "sim/what_if/shortened_program.hpp"

#include <unordered_map>
#include <utility>

#include "isa/sass/fields.hpp"
#include "sim/what_if/stall_counts.hpp"

namespace sassafras::sim {

namespace {

/// Waits of instructions that are gone, on their way to those that are left.
class PassedWaits {
  public:
    void leave_out(const isa::Instruction& gone) {
        const std::uint8_t waits = gone.control.wait_mask;
        switch (gone.opcode) {
            // A value that is no longer put away is waited for by whoever would have fetched it, not by who puts it
            // away: with a register more it could come as late as that (probes/what_if.cu: 48 loads behind each other).
            case isa::Opcode::STL: put_away_[place_of(gone)] = waits; break;
            case isa::Opcode::LDL: {
                next_ |= waits;
                if (const auto found = put_away_.find(place_of(gone)); found != put_away_.end()) {
                    next_ |= found->second;
                    put_away_.erase(found);
                }
                break;
            }
            default: next_ |= waits;
        }
    }
    /// What the next one that is left waits for, besides its own.
    std::uint8_t keep(const isa::Instruction& kept) {
        // Its scoreboards are other instructions' from here on.
        for (const std::uint8_t taken : {kept.control.write_barrier, kept.control.read_barrier})
            for (auto& [place, waits] : put_away_) waits = static_cast<std::uint8_t>(waits & ~(1U << taken));
        return std::exchange(next_, std::uint8_t{0});
    }

  private:
    /// Of a word of local memory: by its address as it is written.
    static std::uint64_t place_of(const isa::Instruction& access) {
        return access.word.get(isa::fields::register_a) << 32U | access.word.get(isa::fields::memory_offset);
    }

    std::unordered_map<std::uint64_t, std::uint8_t> put_away_;
    std::uint8_t next_ = 0;
};

}  // namespace

ShortenedProgram shorten(const isa::Program& program, const WhatIf& what_if, const LatenciesOf& latencies_of) {
    isa::Program replaced = program;
    std::vector<bool> is_gone;
    is_gone.reserve(program.instructions.size());
    for (isa::Instruction& instruction : replaced.instructions) {
        is_gone.push_back(what_if.drops != nullptr && what_if.drops(instruction));
        if (what_if.replaces != nullptr) what_if.replaces(instruction);
    }
    const std::vector<std::uint8_t> stalls = stall_counts(program, is_gone, latencies_of(replaced));
    ShortenedProgram result;
    result.program.kernel = program.kernel;
    std::vector<isa::Instruction>& left = result.program.instructions;
    PassedWaits waits;
    for (std::size_t i = 0; i < replaced.instructions.size(); ++i) {
        result.kept_before.push_back(static_cast<std::uint32_t>(left.size()));
        const isa::Instruction& instruction = replaced.instructions[i];
        if (is_gone[i]) {
            waits.leave_out(instruction);
            continue;
        }
        left.push_back(instruction);
        left.back().control.stall = stalls[i];
        left.back().control.wait_mask |= waits.keep(instruction);
    }
    result.kept_before.push_back(static_cast<std::uint32_t>(left.size()));
    return result;
}

}  // namespace sassafras::sim
