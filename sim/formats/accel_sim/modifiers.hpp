// What an opcode's modifiers say, as fields of a machine word: those that timing asks for.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "isa/sass/opcode.hpp"
#include "isa/sass/word.hpp"

namespace sassafras::sim::accel_sim {

void put(isa::Word128& word, isa::Field field, std::uint64_t value);

/// "LDG.E.64" as LDG, E, 64.
class Modifiers {
  public:
    explicit Modifiers(std::string_view opcode);
    [[nodiscard]] std::string_view name() const { return words_.front(); }
    [[nodiscard]] bool has(std::string_view word) const;
    /// Index of the first of `names` that is there, or `otherwise`.
    [[nodiscard]] std::uint64_t choose(std::initializer_list<std::string_view> names, std::uint64_t otherwise) const;
    [[nodiscard]] const std::vector<std::string_view>& all() const { return words_; }

  private:
    std::vector<std::string_view> words_;
};

/// F2F, F2I, I2F, FRND; one with a value of 64 bits has an encoding of its own.
[[nodiscard]] bool is_conversion(isa::Opcode opcode);
[[nodiscard]] bool is_wide_conversion(const Modifiers& modifiers);

/// `immediate` is the trace's: the number of groups that DEPBAR leaves.
void put_modifiers(isa::Word128& word, isa::Opcode opcode, const Modifiers& modifiers, std::int64_t immediate);

}  // namespace sassafras::sim::accel_sim
