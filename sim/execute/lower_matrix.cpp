// Matrices of 8 x 8 halves between shared memory and registers, and their transposition in registers. Lane 4 r + p of
// the warp holds the elements 2 p and 2 p + 1 of row r; transposed, of column r.
#include <array>
#include <cstring>

#include "sim/execute/handlers.hpp"
#include "sim/execute/lowering.hpp"
#include "sim/execute/memory_access.hpp"

namespace sassafras::sim {

using isa::Opcode;
namespace fields = isa::fields;

namespace {

constexpr std::size_t side = 8;
constexpr std::uint32_t row_bytes = 16;
using Matrix = std::array<std::array<std::uint16_t, side>, side>;

std::uint32_t element_pair(const Matrix& matrix, std::size_t lane, bool transposed) {
    const std::size_t line = lane / 4;
    const std::size_t at = lane % 4 * 2;
    const std::uint32_t low = transposed ? matrix[at][line] : matrix[line][at];
    const std::uint32_t high = transposed ? matrix[at + 1][line] : matrix[line][at + 1];
    return low | high << 16U;
}
void put_pair(Matrix& matrix, std::size_t lane, bool transposed, std::uint32_t pair) {
    const std::size_t line = lane / 4;
    const std::size_t at = lane % 4 * 2;
    (transposed ? matrix[at][line] : matrix[line][at]) = static_cast<std::uint16_t>(pair);
    (transposed ? matrix[at + 1][line] : matrix[line][at + 1]) = static_cast<std::uint16_t>(pair >> 16U);
}

/// Where the rows lie: those of matrix m are given by lanes 8 m to 8 m + 7. a: address, c: uniform, m0: offset; m1:
/// matrices. False after a fault, or where no lane executes.
bool row_addresses(Warp& warp, const MicroOp& op, std::uint32_t mask, AccessKind kind,
                   std::array<std::uint32_t, warp_size>& address) {
    const std::uint32_t* a = words(row(warp, op.a));
    const std::uint32_t* uniform = words(row(warp, op.c));
    LaneAddresses wide;
    alignas(64) std::array<std::uint32_t, warp_size> lane_address{};
    for (std::size_t lane = 0; lane < warp_size; ++lane)
        wide.lane[lane] = lane_address[lane] = a[lane] + uniform[lane] + op.m0;
    const std::uint32_t used = op.m1 == 4 ? full_mask : (1U << (side * op.m1)) - 1U;
    warp.trace->push_access(mask & used, wide.lane.data());
    address = lane_address;
    return mask != 0 &&
           ((mask & used) == 0 || check_shared(warp, op, lane_address.data(), mask & used, row_bytes, kind));
}

/// m2: 1 for transposed
void load_matrices(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    std::array<std::uint32_t, warp_size> address;
    if (!row_addresses(warp, op, mask, AccessKind::read, address)) return;
    std::array<std::array<std::uint32_t, warp_size>, 4> fresh;
    for (std::size_t m = 0; m < op.m1; ++m) {
        Matrix matrix{};
        for (std::size_t r = 0; r < side; ++r)
            if ((mask >> (side * m + r) & 1U) != 0)
                std::memcpy(matrix[r].data(), warp.shared + address[side * m + r], row_bytes);
        for (std::size_t lane = 0; lane < warp_size; ++lane) fresh[m][lane] = element_pair(matrix, lane, op.m2 != 0);
    }
    if (op.d == 0) return;
    std::uint32_t* d = words(row(warp, op.d));
    for (std::size_t m = 0; m < op.m1; ++m)
        for_each_lane(mask, [&](int lane) {
            const auto number = static_cast<std::size_t>(lane);
            d[m * warp_size + number] = fresh[m][number];
        });
}

void store_matrices(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    std::array<std::uint32_t, warp_size> address;
    if (!row_addresses(warp, op, mask, AccessKind::write, address)) return;
    const std::uint32_t* b = words(row(warp, op.b));
    for (std::size_t m = 0; m < op.m1; ++m) {
        Matrix matrix{};
        for (std::size_t lane = 0; lane < warp_size; ++lane)
            put_pair(matrix, lane, op.m2 != 0, op.b == 1 ? 0 : b[m * warp_size + lane]);
        for (std::size_t r = 0; r < side; ++r)
            if ((mask >> (side * m + r) & 1U) != 0)
                std::memcpy(warp.shared + address[side * m + r], matrix[r].data(), row_bytes);
    }
}

void transpose(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    const std::uint32_t* a = words(row(warp, op.a));
    std::uint32_t* d = words(row(warp, op.d));
    Matrix matrix{};
    for (std::size_t lane = 0; lane < warp_size; ++lane) put_pair(matrix, lane, false, a[lane]);
    for_each_lane(mask, [&](int lane) { d[lane] = element_pair(matrix, static_cast<std::size_t>(lane), true); });
}

}  // namespace

bool lower_matrix(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    constexpr std::uint64_t transposed_mode = 1;
    switch (instruction.opcode) {
        case Opcode::MOVM:
            op.a = to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_a)));
            op.d = to.destination(instruction, false);
            set_both(op, &transpose);
            return word.get(fields::movm_mode) == 0;
        case Opcode::LDSM:
        case Opcode::STSM: break;
        default: return false;
    }
    const bool load = instruction.opcode == Opcode::LDSM;
    const std::uint64_t count = word.get(fields::ldsm_count);
    if (word.get(fields::ldsm_element) != 0 || word.get(fields::ldsm_mode) > transposed_mode || count > 2) return false;
    op.m0 = static_cast<std::uint32_t>(word.signed_bits(fields::memory_offset.first, fields::memory_offset.width));
    op.m1 = 1U << count;
    op.m2 = static_cast<std::uint32_t>(word.get(fields::ldsm_mode));
    op.a = to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_a)));
    op.c = 1;
    if (isa::names_uniform_register(instruction))
        op.c = to.uniform_source(
            static_cast<std::uint8_t>(word.get(load ? fields::uniform_register_b : fields::uniform_register_c)));
    if (load)
        op.d = to.destination(instruction, false, op.m1);
    else
        op.b = to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_b)), op.m1);
    set_both(op, load ? &load_matrices : &store_matrices);
    return true;
}

}  // namespace sassafras::sim
