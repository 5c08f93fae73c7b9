#include "sim/access/memory_site.hpp"

#include <bit>

#include "isa/sass/atomic_type.hpp"
#include "isa/sass/fields.hpp"
#include "sim/trace/address_windows.hpp"

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

std::uint32_t atomic_width(const isa::Instruction& instruction) {
    const isa::AtomicDatum datum = isa::atomic_datum(instruction);
    if (datum.floating) return datum.type == static_cast<unsigned>(isa::fields::AtomicFloatType::f64) ? 8 : 4;
    using isa::fields::AtomicType;
    switch (static_cast<AtomicType>(datum.type)) {
        case AtomicType::u64:
        case AtomicType::s64: return 8;
        case AtomicType::b128: return 16;
        default: return 4;
    }
}

bool counts_lanes(const isa::Instruction& instruction) {
    return instruction.form == isa::Form::lane_count && instruction.word.get(isa::fields::atomic_operation) ==
                                                            isa::fields::atomics_popc_inc(instruction.architecture);
}

SharedAccessKind atomic_kind(const isa::Instruction& instruction) {
    if (counts_lanes(instruction)) return SharedAccessKind::count;
    if (instruction.form != isa::Form::compare_and_swap) return SharedAccessKind::atomic;
    return instruction.word.get(isa::fields::atomic_operation) == isa::fields::atomic_cast_spin
               ? SharedAccessKind::try_swap
               : SharedAccessKind::swap;
}

}  // namespace

std::uint8_t access_records(isa::Opcode opcode) {
    if (!isa::is_memory_access(opcode)) return 0;
    return opcode == isa::Opcode::LDGSTS ? 2 : 1;
}

/// LDSM and STSM: the lanes of the record give rows of eight halves.
MemorySite matrix_site(SharedAccessKind kind) {
    constexpr std::uint32_t row_bytes = 16;
    return {.space = MemorySpace::shared,
            .kind = kind,
            .width = row_bytes,
            .returns = kind == SharedAccessKind::matrix_load,
            .records = 1};
}

MemorySite memory_site(const isa::Instruction& instruction) {
    using isa::Opcode;
    const auto site = [&](MemorySpace space, SharedAccessKind kind) {
        MemorySite result{.space = space, .kind = kind};
        result.width = is_shared_atomic(kind) ? atomic_width(instruction) : load_store_width(instruction);
        result.returns = kind != SharedAccessKind::store && instruction.opcode != Opcode::RED;
        result.copies_to_shared = instruction.opcode == Opcode::LDGSTS;
        result.records = access_records(instruction.opcode);
        return result;
    };
    switch (instruction.opcode) {
        case Opcode::LDG:
        case Opcode::LDGSTS: return site(MemorySpace::global, SharedAccessKind::load);
        case Opcode::STG: return site(MemorySpace::global, SharedAccessKind::store);
        case Opcode::LDS: return site(MemorySpace::shared, SharedAccessKind::load);
        case Opcode::STS: return site(MemorySpace::shared, SharedAccessKind::store);
        case Opcode::LDL: return site(MemorySpace::local, SharedAccessKind::load);
        case Opcode::STL: return site(MemorySpace::local, SharedAccessKind::store);
        case Opcode::LD: return site(MemorySpace::generic, SharedAccessKind::load);
        case Opcode::ST: return site(MemorySpace::generic, SharedAccessKind::store);
        case Opcode::ATOMG:
        case Opcode::RED: return site(MemorySpace::global, SharedAccessKind::atomic);
        case Opcode::ATOMS: return site(MemorySpace::shared, atomic_kind(instruction));
        case Opcode::ATOM: return site(MemorySpace::generic, SharedAccessKind::atomic);
        case Opcode::LDSM: return matrix_site(SharedAccessKind::matrix_load);
        case Opcode::STSM: return matrix_site(SharedAccessKind::store);
        // Barriers in memory: lanes that name the same one are one access.
        case Opcode::SYNCS:
            return {.space = MemorySpace::shared,
                    .kind = SharedAccessKind::load,
                    .width = 4,
                    .returns = true,
                    .records = access_records(instruction.opcode)};
        default: return {.records = access_records(instruction.opcode)};
    }
}

LanesBySpace lanes_by_space(MemorySpace space, const AccessRecord& access) {
    switch (space) {
        case MemorySpace::none: return {};
        case MemorySpace::global: return {.global = access.mask};
        case MemorySpace::shared: return {.shared = access.mask};
        case MemorySpace::local: return {.local = access.mask};
        case MemorySpace::generic: break;
    }
    LanesBySpace lanes;
    for (std::uint32_t rest = access.mask; rest != 0; rest &= rest - 1) {
        const std::uint64_t address = access.address[static_cast<std::size_t>(std::countr_zero(rest))];
        const std::uint32_t bit = rest & (~rest + 1);
        if (in_shared_window(address))
            lanes.shared |= bit;
        else if (in_local_window(address))
            lanes.local |= bit;
        else
            lanes.global |= bit;
    }
    return lanes;
}

}  // namespace sassafras::sim
