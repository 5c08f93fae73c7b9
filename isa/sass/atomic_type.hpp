// What an atomic or reduction works on, wherever its architecture encodes it.
#pragma once

#include <array>
#include <cstdint>

#include "isa/sass/fields.hpp"
#include "isa/sass/instruction.hpp"

namespace sassafras::isa {

struct AtomicDatum {
    bool floating = false;
    unsigned type = 0;  ///< fields::AtomicFloatType if floating, else fields::AtomicType; may be a number of neither
};

/// Before sm_90 one field of three bits holds both kinds of types: U32, S32, 64, F32.FTZ.RN, F16x2.RN, S64, F64.RN.
[[nodiscard]] constexpr AtomicDatum atomic_datum(const Instruction& instruction) {
    using Float = fields::AtomicFloatType;
    using Integer = fields::AtomicType;
    constexpr auto number = [](auto type) { return static_cast<unsigned>(type); };
    constexpr unsigned invalid = 7;
    constexpr std::array<AtomicDatum, 8> before_sm_90{{{false, number(Integer::u32)},
                                                       {false, number(Integer::s32)},
                                                       {false, number(Integer::u64)},
                                                       {true, number(Float::f32_flush)},
                                                       {true, number(Float::f16x2)},
                                                       {false, number(Integer::s64)},
                                                       {true, number(Float::f64)},
                                                       {false, invalid}}};
    const auto type = static_cast<unsigned>(instruction.word.get(fields::atomic_type));
    if (instruction.architecture < Architecture::sm_90) return before_sm_90[type];
    if (instruction.form == Form::floating)
        return {true, static_cast<unsigned>(instruction.word.get(fields::atomic_float_type))};
    return {false, type};
}

}  // namespace sassafras::isa
