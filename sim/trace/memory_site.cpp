#include "sim/trace/memory_site.hpp"

#include "isa/sass/fields.hpp"

namespace sassafras::sim {

namespace {

std::uint32_t load_store_width(const isa::Instruction& instruction) {
    using isa::fields::AccessSize;
    switch (static_cast<AccessSize>(instruction.word.get(isa::fields::access_size))) {
        case AccessSize::u8:
        case AccessSize::s8: return 1;
        case AccessSize::u16:
        case AccessSize::s16: return 2;
        case AccessSize::b32: return 4;
        case AccessSize::b64: return 8;
        case AccessSize::b128: return 16;
    }
    return 4;
}

/// Floating-point atomics of sm_90 have their own keys and a wider type field.
bool has_float_type(std::uint16_t key) {
    constexpr std::uint16_t form_bits = 0x1ff;
    const auto operation = static_cast<std::uint16_t>(key & form_bits);
    return operation == 0x1a2 || operation == 0x1a3 || operation == 0x1a6;
}

std::uint32_t atomic_width(const isa::Instruction& instruction) {
    constexpr std::uint64_t float_type_f64 = 15;
    if (has_float_type(instruction.key))
        return instruction.word.get(isa::fields::atomic_float_type) == float_type_f64 ? 8 : 4;
    using isa::fields::AtomicType;
    switch (static_cast<AtomicType>(instruction.word.get(isa::fields::atomic_type))) {
        case AtomicType::u64:
        case AtomicType::s64: return 8;
        case AtomicType::b128: return 16;
        default: return 4;
    }
}

}  // namespace

MemorySite memory_site(const isa::Instruction& instruction) {
    using isa::Opcode;
    switch (instruction.opcode) {
        case Opcode::LDG: return {MemorySpace::global, SharedAccessKind::load, load_store_width(instruction)};
        case Opcode::STG: return {MemorySpace::global, SharedAccessKind::store, load_store_width(instruction)};
        case Opcode::LDS: return {MemorySpace::shared, SharedAccessKind::load, load_store_width(instruction)};
        case Opcode::STS: return {MemorySpace::shared, SharedAccessKind::store, load_store_width(instruction)};
        case Opcode::LDL: return {MemorySpace::local, SharedAccessKind::load, load_store_width(instruction)};
        case Opcode::STL: return {MemorySpace::local, SharedAccessKind::store, load_store_width(instruction)};
        case Opcode::LD: return {MemorySpace::generic, SharedAccessKind::load, load_store_width(instruction)};
        case Opcode::ST: return {MemorySpace::generic, SharedAccessKind::store, load_store_width(instruction)};
        case Opcode::ATOMG:
        case Opcode::RED: return {MemorySpace::global, SharedAccessKind::atomic, atomic_width(instruction)};
        case Opcode::ATOMS: return {MemorySpace::shared, SharedAccessKind::atomic, atomic_width(instruction)};
        case Opcode::ATOM: return {MemorySpace::generic, SharedAccessKind::atomic, atomic_width(instruction)};
        default: return {};
    }
}

}  // namespace sassafras::sim
