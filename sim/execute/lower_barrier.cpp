// Barriers in shared memory (mbarrier): SYNCS and ARRIVES, and the bulk copy that completes them. A barrier is a word
// of 64 bits, as the code that nvcc emits for mbarrier.init and mbarrier.pending_count has it: bits 20..1 the expected
// arrivals and 62..43 the pending ones, both as 2^20 less the count; bit 63 the phase. Between them lie, in
// bits 42..21, the bytes that copies have yet to bring; where in there an H200 keeps them is not known, and no code
// looks.
#include <algorithm>
#include <array>
#include <cstring>

#include "sim/execute/handlers.hpp"
#include "sim/execute/lowering.hpp"
#include "sim/execute/memory_access.hpp"
#include "sim/execute/memory_values.hpp"

namespace sassafras::sim {

using isa::Opcode;
namespace fields = isa::fields;

namespace {

constexpr std::uint32_t word_bytes = 8;
constexpr std::uint64_t count_mask = (std::uint64_t{1} << 20U) - 1;
constexpr std::uint64_t bytes_mask = (std::uint64_t{1} << 22U) - 1;
constexpr unsigned expected_at = 1;
constexpr unsigned bytes_at = 21;
constexpr unsigned pending_at = 43;
constexpr unsigned phase_at = 63;

/// Adds arrivals and bytes to wait for; ends the phase where neither is left.
std::uint64_t arrive(std::uint64_t word, std::uint64_t arrivals, std::uint64_t bytes, bool drops) {
    const auto field = [&](unsigned at, std::uint64_t mask) { return word >> at & mask; };
    std::uint64_t expected = field(expected_at, count_mask);
    std::uint64_t pending = (field(pending_at, count_mask) + arrivals) & count_mask;
    const std::uint64_t waited_for = (field(bytes_at, bytes_mask) + bytes) & bytes_mask;
    std::uint64_t phase = word >> phase_at;
    if (drops) expected = (expected + arrivals) & count_mask;
    if (pending == 0 && waited_for == 0) {
        phase ^= 1U;
        pending = expected;
    }
    return (word & 1U) | expected << expected_at | waited_for << bytes_at | pending << pending_at | phase << phase_at;
}

std::uint64_t load_word(const Warp& warp, std::uint32_t address) {
    std::uint64_t word = 0;
    std::memcpy(&word, warp.shared + address, word_bytes);
    return word;
}
void store_word(Warp& warp, std::uint32_t address, std::uint64_t word) {
    std::memcpy(warp.shared + address, &word, word_bytes);
}

/// a: address, c: uniform, m0: offset. False where no lane executes, or after a fault.
bool barrier_addresses(Warp& warp, const MicroOp& op, std::uint32_t mask, bool is_recorded,
                       std::array<std::uint32_t, warp_size>& address) {
    const std::uint32_t* a = words(row(warp, op.a));
    const std::uint32_t* uniform = words(row(warp, op.c));
    alignas(64) std::array<std::uint32_t, warp_size> at{};
    LaneAddresses wide;
    for (std::size_t lane = 0; lane < warp_size; ++lane) wide.lane[lane] = at[lane] = a[lane] + uniform[lane] + op.m0;
    if (is_recorded) warp.trace->push_access(mask, wide.lane.data());
    address = at;
    return mask != 0 && check_shared(warp, op, at.data(), mask, word_bytes, AccessKind::atomic);
}

enum Parameters : std::uint32_t {
    one_arrival_bytes,  ///< mbarrier.arrive.expect_tx: bytes from the register
    one_arrival,        ///< .A1T0
    one_byte,           ///< .A0T1
    more_bytes,         ///< .A0TR: from the register
    fewer_bytes,        ///< .A0TX: from the register
    arrivals,           ///< .ART0: from the register
};
constexpr std::uint32_t returns_mask = 1;     ///< .TMASK
constexpr std::uint32_t returns_nothing = 2;  ///< .RED

/// m1: Parameters, bit 8: drops out; m2: what is returned. Lanes arrive one after the other; each gets the word that it
/// found. With .TMASK the lower half is the lanes at this barrier, the upper half what the first of them found.
void arrive_lanes(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    std::array<std::uint32_t, warp_size> address;
    if (!barrier_addresses(warp, op, mask, true, address)) return;
    const std::uint32_t* b = words(row(warp, op.b));
    std::array<std::uint32_t, warp_size> value;
    std::copy_n(b, warp_size, value.begin());
    const auto parameters = static_cast<Parameters>(op.m1 & 0xffU);
    const bool drops = (op.m1 & 0x100U) != 0;
    const bool returns = op.m2 != returns_nothing && op.d != 0;
    std::array<std::uint64_t, warp_size> found;
    for_each_lane(mask, [&](int index) {
        const auto lane = static_cast<std::size_t>(index);
        const std::uint64_t number = value[lane];
        found[lane] = load_word(warp, address[lane]);
        std::uint64_t count = 0;
        std::uint64_t bytes = 0;
        switch (parameters) {
            case one_arrival_bytes:
                count = 1;
                bytes = number;
                break;
            case one_arrival: count = 1; break;
            case one_byte: bytes = 1; break;
            case more_bytes: bytes = number; break;
            case fewer_bytes: bytes = 0 - number; break;
            case arrivals: count = number; break;
        }
        store_word(warp, address[lane], arrive(found[lane], count, bytes, drops));
    });
    if (!returns) return;
    std::uint32_t* d = words(row(warp, op.d));
    for_each_lane(mask, [&](int index) {
        const auto lane = static_cast<std::size_t>(index);
        if (op.m2 != returns_mask) {
            write_pair(d, index, found[lane]);
            return;
        }
        std::uint32_t together = 0;
        for_each_lane(mask, [&](int other) {
            together |= static_cast<std::uint32_t>(address[static_cast<std::size_t>(other)] == address[lane]) << other;
        });
        const std::uint64_t first = found[static_cast<std::size_t>(std::countr_zero(together))];
        write_pair(d, index, (first & ~std::uint64_t{full_mask}) | together);
    });
}

/// The predicate: whether the phase is over whose parity is the register's bit 31.
void check_phase(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    std::array<std::uint32_t, warp_size> address;
    if (!barrier_addresses(warp, op, mask, true, address)) return;
    const std::uint32_t* b = words(row(warp, op.b));
    std::uint32_t over = 0;
    for_each_lane(mask, [&](int lane) {
        const std::uint64_t phase = load_word(warp, address[static_cast<std::size_t>(lane)]) >> phase_at;
        over |= static_cast<std::uint32_t>(phase != b[lane] >> 31U) << lane;
    });
    write_predicate(warp, op.p, over, mask);
    warp.waits_in_vain = over != mask;
}

/// a: address (uniform), m0: offset, b: 64 bits (uniform), d: what was there (uniform)
void exchange(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    std::array<std::uint32_t, warp_size> address;
    if (!barrier_addresses(warp, op, mask, true, address)) return;
    const std::uint64_t old = load_word(warp, address[0]);
    store_word(warp, address[0], read_pair(words(row(warp, op.b)), 0));
    if (op.d == 0) return;
    std::uint32_t* d = words(row(warp, op.d));
    for (int lane = 0; lane < warp_size; ++lane) write_pair(d, lane, old);
}

/// SYNCS.CCTL.IV: the word is an ordinary one from here on.
void forget(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    std::array<std::uint32_t, warp_size> address;
    (void)barrier_addresses(warp, op, mask, true, address);
}

/// ARRIVES: the copies of a lane have come, as all have that were executed. m1: 1 an arrival (.ARVCNT), 2 a byte less
/// (.TRANSCNT)
void copies_arrive(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    std::array<std::uint32_t, warp_size> address;
    if (!barrier_addresses(warp, op, mask, false, address)) return;
    const bool counts = op.m1 == 1;
    for_each_lane(mask, [&](int index) {
        const std::uint32_t at = address[static_cast<std::size_t>(index)];
        store_word(warp, at, arrive(load_word(warp, at), counts ? 1 : 0, counts ? 0 : bytes_mask, false));
    });
}

/// UBLKCP.S.G: d: the shared address and the barrier's, a: the global address, b: bytes / 16; all uniform.
void copy_block(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    if (mask == 0) return;
    constexpr std::uint32_t unit = 16;
    const std::uint32_t target = words(row(warp, op.d))[0];
    const std::uint32_t barrier = words(row(warp, op.d))[warp_size];
    const std::uint64_t source = read_pair(words(row(warp, op.a)), 0);
    const std::uint32_t units = words(row(warp, op.b))[0];
    const auto first = static_cast<std::size_t>(std::countr_zero(mask));
    const std::uint32_t one = 1U << first;
    for (std::uint32_t i = 0; i < units; ++i) {
        alignas(64) std::array<std::uint32_t, warp_size> to{};
        LaneAddresses from;
        to[first] = target + unit * i;
        from.lane.fill(source + std::uint64_t{unit} * i);
        if (!check_shared(warp, op, to.data(), one, unit, AccessKind::write)) return;
        const std::uintptr_t base = resolve_global(warp, op, from, one, unit, AccessKind::read);
        if (base == unresolved) return;
        copy_memory(warp.shared + to[first], reinterpret_cast<const std::byte*>(base + from.lane[first]), unit);
    }
    alignas(64) std::array<std::uint32_t, warp_size> at{};
    at[first] = barrier;
    if (!check_shared(warp, op, at.data(), one, word_bytes, AccessKind::atomic)) return;
    store_word(warp, barrier, arrive(load_word(warp, barrier), 0, 0 - std::uint64_t{unit} * units, false));
}

bool lower_syncs(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    constexpr isa::Field drop{75, 1};  // mbarrier.arrive_drop
    op.m0 = static_cast<std::uint32_t>(word.signed_bits(fields::memory_offset.first, fields::memory_offset.width));
    if (instruction.form == isa::Form::exchange) {
        op.a = to.uniform_source(static_cast<std::uint8_t>(word.get(fields::uniform_register_a)));
        op.b = to.uniform_source(static_cast<std::uint8_t>(word.get(fields::uniform_register_b)), 2);
        op.c = 1;
        op.d = to.uniform_destination(static_cast<std::uint8_t>(word.get(fields::uniform_destination)), 2);
        set_both(op, &exchange);
        return true;
    }
    op.a = to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_a)));
    op.c = to.uniform_source(static_cast<std::uint8_t>(word.get(fields::uniform_register_c)));
    switch (instruction.form) {
        case isa::Form::arrive:
            op.b = to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_b)));
            op.m1 = static_cast<std::uint32_t>(word.get(fields::syncs_parameters) | word.get(drop) << 8U);
            op.m2 = static_cast<std::uint32_t>(word.get(fields::syncs_return));
            op.d = op.m2 == returns_nothing ? 0U : to.destination(instruction, false, 2);
            set_both(op, &arrive_lanes);
            return word.get(fields::syncs_parameters) <= arrivals && op.m2 <= returns_nothing;
        case isa::Form::check_phase:
            op.b = to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_b)));
            to.predicates_written(op, instruction, false);
            set_both(op, &check_phase);
            if (word.get(fields::syncs_try_wait) != 0) op.control = Control::try_wait;
            return true;
        case isa::Form::invalidate: set_both(op, &forget); return true;
        default: return false;
    }
}

}  // namespace

bool lower_barrier(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    switch (instruction.opcode) {
        case Opcode::SYNCS: return lower_syncs(to, instruction, op);
        case Opcode::ARRIVES:
            op.a = to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_a)));
            op.c = to.uniform_source(static_cast<std::uint8_t>(word.get(fields::uniform_register_c)));
            op.m0 =
                static_cast<std::uint32_t>(word.signed_bits(fields::memory_offset.first, fields::memory_offset.width));
            op.m1 = static_cast<std::uint32_t>(word.get(fields::arrives_mode));
            set_both(op, &copies_arrive);
            return op.m1 == 1 || op.m1 == 2;
        case Opcode::UBLKCP:
            op.d = to.uniform_source(static_cast<std::uint8_t>(word.get(fields::uniform_register_b)), 2);
            op.a = to.uniform_source(static_cast<std::uint8_t>(word.get(fields::uniform_register_a)), 2);
            op.b = to.uniform_source(static_cast<std::uint8_t>(word.get(fields::uniform_register_c)));
            set_both(op, &copy_block);
            return word.get(fields::ublkcp_shared_destination) == 0 && word.get(fields::ublkcp_multicast) == 0;
        default: return false;
    }
}

}  // namespace sassafras::sim
