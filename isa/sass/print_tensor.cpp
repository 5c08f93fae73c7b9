// Matrix multiply-accumulate.
#include <fmt/format.h>

#include "isa/sass/print_groups.hpp"

namespace sassafras::isa {

bool print_tensor(PrintLine& line) {
    using enum Opcode;
    const auto sources = [&] {
        line.destination();
        for (int index = 0; index < 3; ++index) line.source(index, ImmediateType::unsigned_integer);
    };
    const auto uniform_predicate = [&] {
        const auto coded = line.get(fields::mma_predicate);
        if (coded != 0) line.operand(((coded & 8U) != 0 ? "!" : "") + predicate_name(7U - (coded & 7U), true));
    };
    switch (line.instruction().opcode) {
        case HMMA:
            line.flag(fields::mma_sparse, ".SP");
            line.choice(line.get(fields::hmma_shape_low) | (line.get(fields::hmma_shape_high) << 1U),
                        {".1688", ".16816", ".1684", ".INVALID3"});
            line.raw(line.is(fields::hmma_float32) ? ".F32" : ".F16")
                .choice(fields::hmma_source_type, {"", ".BF16", ".TF32", ".INVALID3"});
            sources();
            if (line.is(fields::mma_sparse))
                line.vector(fields::mma_metadata).hexadecimal(line.get(fields::mma_metadata_selector));
            uniform_predicate();
            return true;
        case IMMA: {
            const auto format = [&](std::uint64_t value) {
                constexpr std::string_view names[8] = {".U8", ".S8", ".INVALID2", ".INVALID3",
                                                       ".U4", ".S4", ".INVALID6", ".INVALID7"};
                return names[value & 7U];
            };
            line.choice(line.get(fields::imma_shape_low) | (line.get(fields::imma_shape_high) << 1U),
                        {".8816", ".INVALID1", ".8832", ".INVALID3", ".16816", ".16832", ".16864", ".INVALID7"});
            const auto operand_format = [&](int high, int low) {
                return line.word().bits(low, 2) | (line.word().bits(high, 1) << 2U);
            };
            line.raw(format(operand_format(83, 76))).raw(format(operand_format(84, 78)));
            line.flag(fields::imma_saturate, ".SAT");
            line.destination()
                .source(0, ImmediateType::unsigned_integer, ".ROW")
                .source(1, ImmediateType::unsigned_integer, ".COL");
            line.source(2, ImmediateType::unsigned_integer);
            uniform_predicate();
            return true;
        }
        case BMMA:
            line.choice(fields::bmma_shape, {".88128", ".168128", ".168256", ".INVALID3"})
                .raw(line.is(fields::bmma_and) ? ".AND.POPC" : ".XOR.POPC");
            line.destination()
                .source(0, ImmediateType::unsigned_integer, ".ROW")
                .source(1, ImmediateType::unsigned_integer, ".COL");
            line.source(2, ImmediateType::unsigned_integer);
            uniform_predicate();
            return true;
        case DMMA:
            if (line.instruction().architecture < Architecture::sm_90 && line.get(fields::dmma_shape) == 0)
                line.raw(".884");
            else
                line.choice(fields::dmma_shape, {".8x8x4", ".16x8x4", ".16x8x8", ".16x8x16"});
            line.choice(fields::rounding, {"", ".RM", ".RP", ".RZ"});
            sources();
            uniform_predicate();
            return true;
        default: return false;
    }
}

}  // namespace sassafras::isa
