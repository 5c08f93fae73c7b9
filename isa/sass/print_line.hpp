// Building blocks of the printer: one line of nvdisasm's syntax, grown from left to right.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "isa/sass/fields.hpp"
#include "isa/sass/instruction.hpp"
#include "isa/sass/table.hpp"

namespace sassafras::isa {

/// How an immediate is read.
enum class ImmediateType : std::uint8_t {
    signed_integer,
    unsigned_integer,
    float32,
    float64_high,
    half_pair,
    bfloat_pair
};

class PrintLine {
  public:
    PrintLine(const Instruction& instruction, std::uint64_t pc)
        : instruction_(instruction), word_(instruction.word), pc_(pc) {}

    [[nodiscard]] const Instruction& instruction() const { return instruction_; }
    [[nodiscard]] const Word128& word() const { return word_; }
    [[nodiscard]] std::uint64_t pc() const { return pc_; }
    [[nodiscard]] std::uint64_t get(Field field) const { return word_.get(field); }
    [[nodiscard]] bool is(Field field) const { return word_.get(field) != 0; }
    [[nodiscard]] std::string take() && {
        while (!text_.empty() && text_.back() == ' ') text_.pop_back();
        return std::move(text_);
    }

    /// Text as it is: mnemonics and modifiers.
    PrintLine& raw(std::string_view text);
    /// A modifier if the field is not zero.
    PrintLine& flag(Field field, std::string_view modifier);
    /// The modifier that the field's value selects; "" prints nothing, values beyond the list print ".INVALID<value>".
    PrintLine& choice(Field field, std::initializer_list<std::string_view> modifiers);
    PrintLine& choice(std::uint64_t value, std::initializer_list<std::string_view> modifiers);

    /// An operand: separated by " " from the mnemonic and by ", " from each other.
    PrintLine& operand(std::string_view text);
    PrintLine& vector(Field field, int slot = -1);
    PrintLine& uniform(Field field);
    PrintLine& destination();
    /// Logical source 0, 1 or 2, with its signs and reuse flag.
    PrintLine& source(int index, ImmediateType type, std::string_view suffix = "");
    /// Constants of this line are "c[0x0] [0x170].H0_H0", as nvdisasm writes those of which a part is read.
    PrintLine& space_in_constants() {
        constant_space_ = true;
        return *this;
    }
    PrintLine& predicate_out(Field field);
    PrintLine& predicate_in(Field field, Field negate);
    PrintLine& uniform_predicate_out(Field field);
    PrintLine& uniform_predicate_in(Field field, Field negate);
    PrintLine& hexadecimal(std::uint64_t value);
    PrintLine& signed_hexadecimal(std::int64_t value);

  private:
    const Instruction& instruction_;
    Word128 word_;
    std::uint64_t pc_ = 0;
    std::string text_;
    bool has_operand_ = false;
    bool constant_space_ = false;
};

std::string register_name(std::uint64_t number);
std::string uniform_register_name(std::uint64_t number);
std::string predicate_name(std::uint64_t number, bool uniform);
std::string signed_hexadecimal_text(std::int64_t value);
std::string immediate_text(std::uint32_t bits, ImmediateType type);
/// "|x|", "-x", "~x" around a register or constant.
std::string with_signs(std::string text, bool negate, bool absolute, bool complement);

}  // namespace sassafras::isa
