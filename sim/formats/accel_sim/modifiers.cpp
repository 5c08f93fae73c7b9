#include "sim/formats/accel_sim/modifiers.hpp"

#include <algorithm>

#include "isa/sass/fields.hpp"

namespace sassafras::sim::accel_sim {

namespace {

using isa::Field;
using isa::Opcode;
using isa::Word128;
namespace fields = isa::fields;

void put_memory(Word128& word, Opcode opcode, const Modifiers& modifiers) {
    using fields::AccessSize;
    const auto order = [&] {
        if (!modifiers.has("STRONG")) return modifiers.has("CONSTANT") ? std::uint64_t{4} : std::uint64_t{0};
        return modifiers.has("SYS") ? std::uint64_t{10} : modifiers.has("GPU") ? std::uint64_t{7} : std::uint64_t{5};
    };
    const auto promotion = [&] { return modifiers.choose({"", "LTC64B", "LTC128B", "LTC256B"}, 0); };
    switch (opcode) {
        case Opcode::LDG:
        case Opcode::LD:
        case Opcode::STG:
        case Opcode::ST:
        case Opcode::LDGSTS:
        case Opcode::ATOMG:
        case Opcode::ATOM:
        case Opcode::RED:
            put(word, fields::cache_policy, modifiers.choose({"EF", "", "EL", "LU", "EU", "NA"}, 1));
            break;
        default: break;
    }
    switch (opcode) {
        case Opcode::LDG:
        case Opcode::LD:
        case Opcode::STG:
        case Opcode::ST:
        case Opcode::LDGSTS:
            if (opcode == Opcode::LDGSTS)
                put(word, fields::ldgsts_sector_promotion, promotion());
            else
                put(word, fields::address_64, modifiers.has("E") ? 1 : 0);
            if (opcode == Opcode::LDG || opcode == Opcode::LD) put(word, fields::sector_promotion, promotion());
            put(word, fields::memory_order, order());
            [[fallthrough]];
        case Opcode::LDS:
        case Opcode::STS:
        case Opcode::LDL:
        case Opcode::STL:
        case Opcode::LDC:
        case Opcode::ULDC:
            put(word, fields::access_size,
                modifiers.choose({"U8", "S8", "U16", "S16", "32", "64", "128"},
                                 static_cast<std::uint64_t>(AccessSize::b32)));
            if (opcode == Opcode::LDGSTS) put(word, fields::ldgsts_access, modifiers.has("BYPASS") ? 0 : 1);
            break;
        case Opcode::ATOMG:
        case Opcode::ATOM:
        case Opcode::RED:
            put(word, fields::address_64, modifiers.has("E") ? 1 : 0);
            put(word, fields::memory_order, order());
            [[fallthrough]];
        case Opcode::ATOMS: {
            const bool wide = modifiers.has("64") || modifiers.has("U64") || modifiers.has("F64");
            put(word, fields::atomic_type,
                modifiers.has("128")   ? static_cast<std::uint64_t>(fields::AtomicType::b128)
                : modifiers.has("S64") ? static_cast<std::uint64_t>(fields::AtomicType::s64)
                : wide                 ? static_cast<std::uint64_t>(fields::AtomicType::u64)
                                       : static_cast<std::uint64_t>(fields::AtomicType::u32));
            const std::uint64_t operation =
                modifiers.choose({"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR", "EXCH"}, 0);
            if (opcode == Opcode::RED)
                put(word, fields::reduction_operation, operation);
            else if (modifiers.has("POPC"))
                put(word, fields::atomic_operation, fields::atomics_popc_inc(isa::Architecture::sm_90));
            else if (!modifiers.has("CAS"))
                put(word, fields::atomic_operation, operation);
            break;
        }
        case Opcode::LDSM:
        case Opcode::STSM: put(word, fields::ldsm_count, modifiers.choose({"1", "2", "4"}, 0)); break;
        default: break;
    }
}

void put_synchronisation(Word128& word, Opcode opcode, const Modifiers& modifiers, std::int64_t immediate) {
    constexpr Field write_barrier{110, 3};
    constexpr std::uint64_t of_copies = 1;  // loads count on scoreboard 0 where registers are tracked (timing_op.cpp)
    switch (opcode) {
        case Opcode::BAR:
            put(word, fields::barrier_mode, modifiers.choose({"SYNC", "ARV", "RED", "SCAN", "SYNCALL"}, 0));
            break;
        case Opcode::MEMBAR:
            put(word, fields::membar_scope, modifiers.choose({"CTA", "SM", "GPU", "SYS"}, modifiers.has("VC") ? 5 : 2));
            break;
        case Opcode::LDGDEPBAR: put(word, write_barrier, of_copies); break;
        case Opcode::DEPBAR:
            put(word, fields::depbar_less_equal, 1);
            put(word, fields::depbar_scoreboard, of_copies);
            put(word, fields::depbar_count, static_cast<std::uint64_t>(std::clamp<std::int64_t>(immediate, 0, 63)));
            break;
        default: break;
    }
}

/// log2 of the bytes that a conversion's modifier names; 0xff: none.
std::uint64_t size_of(std::string_view modifier) {
    if (modifier.size() < 2 || (modifier[0] != 'F' && modifier[0] != 'S' && modifier[0] != 'U')) return 0xff;
    const std::string_view bits = modifier.substr(1);
    return bits == "8" ? 0 : bits == "16" ? 1 : bits == "32" ? 2 : bits == "64" ? 3 : 0xff;
}

/// "F2I.S64.F64.TRUNC": destination, then source; a 32-bit integer or float goes without saying.
void put_conversion(Word128& word, Opcode opcode, const Modifiers& modifiers) {
    if (!is_wide_conversion(modifiers)) return;
    std::uint64_t destination = 2;
    std::uint64_t source = 2;
    bool first = true;
    for (const std::string_view modifier : modifiers.all()) {
        const std::uint64_t size = size_of(modifier);
        if (size == 0xff) continue;
        const bool is_float = modifier[0] == 'F';
        const bool is_destination = opcode == Opcode::F2I   ? !is_float
                                    : opcode == Opcode::I2F ? is_float
                                                            : first && opcode == Opcode::F2F;
        (is_destination ? destination : source) = size;
        first = false;
    }
    put(word, fields::convert_destination_size, destination);
    put(word, fields::convert_source_size, source);
}

/// The text does not say which register it is. SRZ: of it no wavefront is counted, as for what a block has in common.
constexpr std::uint64_t unknown_special_register = 255;

void put_arithmetic(Word128& word, Opcode opcode, const Modifiers& modifiers) {
    switch (opcode) {
        case Opcode::LEA:
        case Opcode::ULEA: put(word, fields::lea_high, modifiers.has("HI") ? 1 : 0); break;
        case Opcode::S2R: put(word, fields::special_register, unknown_special_register); break;
        case Opcode::CS2R: put(word, fields::cs2r_64, modifiers.has("32") ? 0 : 1); break;
        case Opcode::MATCH: put(word, fields::match_64, modifiers.has("U64") ? 1 : 0); break;
        case Opcode::MUFU:
            put(word, fields::mufu_function,
                modifiers.choose({"COS", "SIN", "EX2", "LG2", "RCP", "RSQ", "RCP64H", "RSQ64H", "SQRT", "TANH"}, 0));
            break;
        case Opcode::HMMA: {
            const std::uint64_t shape = modifiers.choose({"1688", "16816", "1684"}, 0);
            put(word, fields::hmma_shape_low, shape & 1U);
            put(word, fields::hmma_shape_high, shape >> 1U);
            put(word, fields::hmma_float32, modifiers.has("F32") ? 1 : 0);
            put(word, fields::hmma_source_type, modifiers.has("BF16") ? 1 : modifiers.has("TF32") ? 2 : 0);
            break;
        }
        case Opcode::IMMA: {
            const std::uint64_t shape = modifiers.choose({"8816", "", "8832", "", "16816", "16832", "16864"}, 0);
            put(word, fields::imma_shape_low, shape & 1U);
            put(word, fields::imma_shape_high, shape >> 1U);
            break;
        }
        case Opcode::DMMA: put(word, fields::dmma_shape, modifiers.choose({"884", "1684", "1688", "16816"}, 0)); break;
        default: break;
    }
    if (is_conversion(opcode)) put_conversion(word, opcode, modifiers);
}

}  // namespace

void put(Word128& word, Field field, std::uint64_t value) {
    for (int i = 0; i < field.width; ++i) {
        const int at = field.first + i;
        std::uint64_t& half = at < 64 ? word.low : word.high;
        const std::uint64_t bit = std::uint64_t{1} << (at % 64);
        half = (value >> i & 1U) != 0 ? half | bit : half & ~bit;
    }
}

Modifiers::Modifiers(std::string_view opcode) {
    for (std::size_t begin = 0; begin <= opcode.size();) {
        const std::size_t end = std::min(opcode.find('.', begin), opcode.size());
        words_.push_back(opcode.substr(begin, end - begin));
        begin = end + 1;
    }
}

bool Modifiers::has(std::string_view word) const {
    return std::find(words_.begin() + 1, words_.end(), word) != words_.end();
}

std::uint64_t Modifiers::choose(std::initializer_list<std::string_view> names, std::uint64_t otherwise) const {
    std::uint64_t index = 0;
    for (const std::string_view name : names) {
        if (has(name)) return index;
        ++index;
    }
    return otherwise;
}

bool is_conversion(Opcode opcode) {
    return opcode == Opcode::F2F || opcode == Opcode::F2I || opcode == Opcode::I2F || opcode == Opcode::FRND;
}

bool is_wide_conversion(const Modifiers& modifiers) {
    return modifiers.has("F64") || modifiers.has("S64") || modifiers.has("U64");
}

void put_modifiers(Word128& word, Opcode opcode, const Modifiers& modifiers, std::int64_t immediate) {
    put_memory(word, opcode, modifiers);
    put_arithmetic(word, opcode, modifiers);
    put_synchronisation(word, opcode, modifiers, immediate);
}

}  // namespace sassafras::sim::accel_sim
