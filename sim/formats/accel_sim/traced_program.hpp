// The instructions of a traced kernel, found by pc, and the program that stands for its code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/result.hpp"
#include "isa/sass/instruction.hpp"
#include "sim/formats/accel_sim/instruction_line.hpp"

namespace sassafras::sim::accel_sim {

class TracedProgram {
  public:
    /// Takes note of the line's instruction. Errors as word_of()'s, or bad_input: a pc that no code has.
    [[nodiscard]] Result<void> add(const InstructionLine& line);

    /// After the last add(): each instruction at pc / 16, as in its kernel; those whose pc another one has (functions
    /// that are called count from 0 too) behind all others; NOP where nothing executed; an EXIT at the end.
    void finish();

    [[nodiscard]] const std::vector<isa::Word128>& code() const { return code_; }
    /// Where the line's instruction is in code(); add() had it.
    [[nodiscard]] std::uint32_t index_of(const InstructionLine& line) const;
    [[nodiscard]] bool reuses_addresses() const { return !moved_.empty(); }

  private:
    /// One text at a pc.
    struct Site {
        std::string instruction;
        std::int64_t immediate = 0;
        isa::Word128 word;
        std::uint32_t index = 0;
    };
    [[nodiscard]] const Site* find(const InstructionLine& line) const;

    std::vector<std::vector<Site>> sites_;                      ///< by pc / 16
    std::vector<std::pair<std::uint32_t, std::size_t>> moved_;  ///< pc / 16 and number there, in the order they came
    std::vector<isa::Word128> code_;
};

}  // namespace sassafras::sim::accel_sim
