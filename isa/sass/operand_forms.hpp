// The operand forms that families of operations share, and what one entry of the instruction list says.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "isa/sass/table.hpp"

namespace sassafras::isa::table {

/// A kind of operands, as bits of the opcode key.
struct OperandForm {
    std::uint16_t nibble = 0;  ///< key bits 12..9, with bit 8 as in the family's base
    std::array<Source, 3> sources{};
    std::uint8_t second_port = 1;  ///< OpcodeRow::second_port
};

using enum Source;

// d = f(a, b, c): any of b and c may be outside the register file.
inline constexpr std::array three_forms{OperandForm{0x0200, {a, b, c}},         OperandForm{0x0400, {a, c, immediate}},
                                        OperandForm{0x0600, {a, c, constant}},  OperandForm{0x1600, {a, c, bindless}},
                                        OperandForm{0x0800, {a, immediate, c}}, OperandForm{0x0a00, {a, constant, c}},
                                        OperandForm{0x1a00, {a, bindless, c}},  OperandForm{0x1c00, {a, uniform_b, c}},
                                        OperandForm{0x1e00, {a, c, uniform_b}}};
// d = f(a, b, c): only b may be outside.
inline constexpr std::array middle_forms{OperandForm{0x0200, {a, b, c}}, OperandForm{0x0800, {a, immediate, c}},
                                         OperandForm{0x0a00, {a, constant, c}}, OperandForm{0x1a00, {a, bindless, c}},
                                         OperandForm{0x1c00, {a, uniform_b, c}}};
inline constexpr std::array two_forms{OperandForm{0x0200, {a, b}}, OperandForm{0x0800, {a, immediate}},
                                      OperandForm{0x0a00, {a, constant}}, OperandForm{0x1a00, {a, bindless}},
                                      OperandForm{0x1c00, {a, uniform_b}}};
// The second source is coded as if it were the third, the addend, and goes through its register port.
inline constexpr std::array addend_b_forms{OperandForm{0x0200, {a, b}, 2}, OperandForm{0x0400, {a, immediate}, 2},
                                           OperandForm{0x0600, {a, constant}, 2}, OperandForm{0x1600, {a, bindless}, 2},
                                           OperandForm{0x1e00, {a, uniform_b}, 2}};
inline constexpr std::array addend_c_forms{OperandForm{0x0200, {a, c}, 2}, OperandForm{0x0400, {a, immediate}, 2},
                                           OperandForm{0x0600, {a, constant}, 2}, OperandForm{0x1600, {a, bindless}, 2},
                                           OperandForm{0x1e00, {a, uniform_b}, 2}};
inline constexpr std::array unary_forms{OperandForm{0x0200, {b}}, OperandForm{0x0800, {immediate}},
                                        OperandForm{0x0a00, {constant}}, OperandForm{0x1a00, {bindless}},
                                        OperandForm{0x1c00, {uniform_b}}};
// Variable-latency operations have bit 8 set.
inline constexpr std::array unary_variable_forms{OperandForm{0x0300, {b}}, OperandForm{0x0900, {immediate}},
                                                 OperandForm{0x0b00, {constant}}, OperandForm{0x1b00, {bindless}},
                                                 OperandForm{0x1d00, {uniform_b}}};
inline constexpr std::array two_variable_forms{OperandForm{0x0300, {a, b}}, OperandForm{0x0900, {a, immediate}},
                                               OperandForm{0x0b00, {a, constant}}, OperandForm{0x1b00, {a, bindless}},
                                               OperandForm{0x1d00, {a, uniform_b}}};
inline constexpr std::array uniform_three_forms{OperandForm{0x1200, {uniform_a, uniform_b, uniform_c}},
                                                OperandForm{0x1400, {uniform_a, uniform_c, immediate}},
                                                OperandForm{0x1800, {uniform_a, immediate, uniform_c}}};
inline constexpr std::array uniform_two_forms{OperandForm{0x1200, {uniform_a, uniform_b}},
                                              OperandForm{0x1800, {uniform_a, immediate}}};
inline constexpr std::array uniform_unary_forms{OperandForm{0x1200, {uniform_b}}, OperandForm{0x1800, {immediate}}};

/// All forms of a family; or the sources of the one form that the whole key of an entry stands for.
class Operands {
  public:
    template <std::size_t count>
    constexpr Operands(const std::array<OperandForm, count>& family) : family_(family) {}
    constexpr Operands(Source first = none, Source second = none, Source third = none)
        : single_{.sources = {first, second, third}} {}

    [[nodiscard]] constexpr std::size_t count() const { return family_.empty() ? 1 : family_.size(); }
    [[nodiscard]] constexpr const OperandForm& form(std::size_t index) const {
        return family_.empty() ? single_ : family_[index];
    }

  private:
    std::span<const OperandForm> family_;
    OperandForm single_;
};

/// One operation, or some of its encodings. What few entries say is appended: Entry{...}.since(sm_80).
struct Entry {
    Opcode opcode = Opcode::invalid;
    std::uint16_t key = 0;  ///< key bits that all forms share
    Operands operands;
    Destination destination = Destination::none;
    Pipe pipe = Pipe::none;
    LatencyClass latency = LatencyClass::fixed;
    Properties properties = no_properties;
    Architecture first = Architecture::sm_75;
    Architecture last = Architecture::sm_90;
    Form encoding = Form::plain;
    const char* mnemonic = nullptr;  ///< null: the name in C++
    Opcode vector_twin = Opcode::invalid;

    [[nodiscard]] constexpr Entry since(Architecture architecture) const {
        Entry entry = *this;
        entry.first = architecture;
        return entry;
    }
    [[nodiscard]] constexpr Entry until(Architecture architecture) const {
        Entry entry = *this;
        entry.last = architecture;
        return entry;
    }
    [[nodiscard]] constexpr Entry form(Form form) const {
        Entry entry = *this;
        entry.encoding = form;
        return entry;
    }
    /// nvdisasm's mnemonic, where the name in C++ is another. Said once an operation.
    [[nodiscard]] constexpr Entry named(const char* name) const {
        Entry entry = *this;
        entry.mnemonic = name;
        return entry;
    }
    /// The uniform datapath's equivalent of an operation on vectors. Said once an operation.
    [[nodiscard]] constexpr Entry like(Opcode vector) const {
        Entry entry = *this;
        entry.vector_twin = vector;
        return entry;
    }
};

}  // namespace sassafras::isa::table
