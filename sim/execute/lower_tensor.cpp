// Matrix multiply-accumulate of a warp. How lanes hold the matrices: PTX ISA, "matrix fragments for mma". Lane 4 g + t
// has of A the rows g and g + 8, of B the column g, of C and D the columns 2 t and 2 t + 1 of its rows.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "sim/execute/handlers.hpp"
#include "sim/execute/lowering.hpp"
#include "sim/execute/tensor_sum.hpp"

namespace sassafras::sim {

using isa::Opcode;
namespace fields = isa::fields;

namespace {

constexpr std::size_t most_rows = 16;
constexpr std::size_t columns = 8;
constexpr std::uint32_t lanes_of_row = 4;

/// Matrices of one operation, as numbers of any kind. K is the longest that the kind has.
template <class Number, std::size_t K>
struct Operands {
    std::array<std::array<Number, K>, most_rows> a;  ///< by row
    std::array<std::array<Number, K>, columns> b;    ///< by column
};

/// Reads A and B. A register holds `per_register` elements of a row of A or a column of B: those of lane t begin at
/// per_register * t. Registers of A alternate between rows g and g + 8 if there are 16 rows, then go on by
/// 4 * per_register elements. `get(register value, i)` takes out an element.
template <class Number, std::size_t K, class Get>
void read_operands(Warp& warp, const MicroOp& op, std::size_t rows, std::size_t k, std::size_t per_register,
                   Operands<Number, K>& to, Get get) {
    const std::uint32_t* a = words(row(warp, op.a));
    const std::uint32_t* b = words(row(warp, op.b));
    const std::size_t step = lanes_of_row * per_register;
    const std::size_t halves = rows / columns;
    for (std::size_t lane = 0; lane < warp_size; ++lane) {
        const std::size_t g = lane / lanes_of_row;
        const std::size_t t = lane % lanes_of_row * per_register;
        for (std::size_t part = 0; part < k / step; ++part) {
            for (std::size_t i = 0; i < per_register; ++i) {
                for (std::size_t half = 0; half < halves; ++half)
                    to.a[g + 8 * half][part * step + t + i] = get(a[(part * halves + half) * warp_size + lane], i);
                to.b[g][part * step + t + i] = get(b[part * warp_size + lane], i);
            }
        }
    }
}

/// Replaces each element of D: value(row, column, element of C). One element a register.
template <class Value>
void write_words(Warp& warp, const MicroOp& op, std::size_t rows, Value value) {
    const std::uint32_t* c = words(row(warp, op.c));
    const bool no_addend = op.c == 1;
    std::uint32_t* d = words(row(warp, op.d));
    std::array<std::array<std::uint32_t, warp_size>, 4> fresh;
    for (std::size_t lane = 0; lane < warp_size; ++lane)
        for (std::size_t i = 0; i < rows / columns * 2; ++i)
            fresh[i][lane] = value(lane / lanes_of_row + 8 * (i / 2), lane % lanes_of_row * 2 + i % 2,
                                   no_addend ? 0 : c[i * warp_size + lane]);
    if (op.d == 0) return;
    for (std::size_t i = 0; i < rows / columns * 2; ++i) std::copy(fresh[i].begin(), fresh[i].end(), d + i * warp_size);
}

struct FloatShape {
    std::size_t k;
    TensorOperand format;
};

/// m0: elements of a row; m1: TensorOperand, bits 15..8 products a step, 31..16 alignment bits; m2: 1 for FP32
/// accumulators
void multiply_floats(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    if (mask == 0) return;
    const auto format = static_cast<TensorOperand>(op.m1 & 0xffU);
    const TensorArithmetic arithmetic{op.m1 >> 8U & 0xffU, static_cast<std::int32_t>(op.m1 >> 16U)};
    Operands<TensorNumber, 16> m;
    const std::size_t per_register = format == TensorOperand::tf32 ? 1 : 2;
    read_operands(warp, op, most_rows, op.m0, per_register, m, [&](std::uint32_t word, std::size_t i) {
        return tensor_number(per_register == 1 ? word : word >> (16 * i) & 0xffffU, format);
    });
    const auto row_of = [&](std::size_t r) { return std::span(m.a[r]).first(op.m0); };
    const auto column_of = [&](std::size_t n) { return std::span(m.b[n]).first(op.m0); };
    if (op.m2 != 0) {
        write_words(warp, op, most_rows, [&](std::size_t r, std::size_t n, std::uint32_t c) {
            return tensor_sum_single(row_of(r), column_of(n), format, c, arithmetic);
        });
        return;
    }
    const std::uint32_t* c = words(row(warp, op.c));
    std::uint32_t* d = words(row(warp, op.d));
    std::array<std::array<std::uint32_t, warp_size>, 2> fresh;
    for (std::size_t lane = 0; lane < warp_size; ++lane)
        for (std::size_t half = 0; half < 2; ++half) {
            const std::uint32_t old = op.c == 1 ? 0 : c[half * warp_size + lane];
            const std::size_t r = lane / lanes_of_row + 8 * half;
            const std::size_t n = lane % lanes_of_row * 2;
            fresh[half][lane] = tensor_sum_half(row_of(r), column_of(n), old & 0xffffU, arithmetic) |
                                tensor_sum_half(row_of(r), column_of(n + 1), old >> 16U, arithmetic) << 16U;
        }
    if (op.d == 0) return;
    for (std::size_t half = 0; half < 2; ++half)
        std::copy(fresh[half].begin(), fresh[half].end(), d + half * warp_size);
}

/// m0: elements of a row; m1: rows; m2: bits of an element, bit 8: A is signed, 9: B is signed, 10: saturates
void multiply_integers(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    if (mask == 0) return;
    const unsigned bits = op.m2 & 0xffU;
    const bool a_signed = (op.m2 & 0x100U) != 0;
    const bool b_signed = (op.m2 & 0x200U) != 0;
    const bool saturates = (op.m2 & 0x400U) != 0;
    Operands<std::int32_t, 64> m;
    read_operands(warp, op, op.m1, op.m0, 32 / bits, m, [&](std::uint32_t word, std::size_t i) {
        return static_cast<std::int32_t>(word >> (bits * i) & ((1U << bits) - 1U));
    });
    const std::int32_t sign = 1 << (bits - 1);
    const auto extend = [&](std::int32_t& value) { value = (value ^ sign) - sign; };
    if (a_signed)
        for (std::size_t r = 0; r < op.m1; ++r) std::for_each_n(m.a[r].begin(), op.m0, extend);
    if (b_signed)
        for (auto& column : m.b) std::for_each_n(column.begin(), op.m0, extend);
    write_words(warp, op, op.m1, [&](std::size_t r, std::size_t n, std::uint32_t c) {
        std::int64_t sum = static_cast<std::int32_t>(c);
        for (std::size_t i = 0; i < op.m0; ++i) sum += std::int64_t{m.a[r][i]} * m.b[n][i];
        if (saturates)
            sum = std::clamp<std::int64_t>(sum, std::numeric_limits<std::int32_t>::min(),
                                           std::numeric_limits<std::int32_t>::max());
        return static_cast<std::uint32_t>(sum);
    });
}

/// m0: words of 32 bits of a row; m1: rows
void multiply_bits(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    if (mask == 0) return;
    Operands<std::uint32_t, 8> m;
    read_operands(warp, op, op.m1, op.m0, 1, m, [](std::uint32_t word, std::size_t) { return word; });
    write_words(warp, op, op.m1, [&](std::size_t r, std::size_t n, std::uint32_t c) {
        for (std::size_t i = 0; i < op.m0; ++i) c += static_cast<std::uint32_t>(std::popcount(m.a[r][i] & m.b[n][i]));
        return c;
    });
}

/// FP64, a chain of fused multiply-adds in order of k. m0: elements of a row; m1: rows
void multiply_doubles(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    if (mask == 0) return;
    const auto value = [&](std::uint32_t reference, std::size_t pair, std::size_t lane) {
        if (reference == 1) return 0.0;
        return std::bit_cast<double>(
            read_pair(words(row(warp, reference)) + 2 * pair * warp_size, static_cast<int>(lane)));
    };
    const std::size_t halves = op.m1 / columns;
    std::array<std::array<double, 16>, most_rows> a;
    std::array<std::array<double, 16>, columns> b;
    for (std::size_t lane = 0; lane < warp_size; ++lane) {
        const std::size_t g = lane / lanes_of_row;
        const std::size_t t = lane % lanes_of_row;
        for (std::size_t part = 0; part < op.m0 / lanes_of_row; ++part) {
            for (std::size_t half = 0; half < halves; ++half)
                a[g + 8 * half][part * lanes_of_row + t] = value(op.a, part * halves + half, lane);
            b[g][part * lanes_of_row + t] = value(op.b, part, lane);
        }
    }
    std::array<std::array<double, warp_size>, 4> fresh;
    for (std::size_t lane = 0; lane < warp_size; ++lane)
        for (std::size_t i = 0; i < halves * 2; ++i) {
            double sum = value(op.c, i, lane);
            const auto& left = a[lane / lanes_of_row + 8 * (i / 2)];
            const auto& right = b[lane % lanes_of_row * 2 + i % 2];
            for (std::size_t k = 0; k < op.m0; ++k) sum = std::fma(left[k], right[k], sum);
            fresh[i][lane] = sum;
        }
    if (op.d == 0) return;
    std::uint32_t* d = words(row(warp, op.d));
    for (std::size_t lane = 0; lane < warp_size; ++lane)
        for (std::size_t i = 0; i < halves * 2; ++i)
            write_pair(d + 2 * i * warp_size, static_cast<int>(lane), std::bit_cast<std::uint64_t>(fresh[i][lane]));
}

/// Places of A, B, C and D in registers.
void place(Lowering& to, const isa::Instruction& instruction, MicroOp& op, unsigned a, unsigned b, unsigned c) {
    const auto& word = instruction.word;
    op.a = to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_a)), a);
    op.b = to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_b)), b);
    op.c = to.vector_source(static_cast<std::uint8_t>(word.get(fields::register_c)), c);
    op.d = to.destination(instruction, false, c);
}

bool lower_float_multiply(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    enum : std::uint64_t { k8_of_halves, k16, k4 };
    const std::uint64_t shape = word.get(fields::hmma_shape_low) | word.get(fields::hmma_shape_high) << 1U;
    const std::uint64_t format = word.get(fields::hmma_source_type);
    if (shape > k4 || format > 2 || word.get(fields::mma_sparse) != 0) return false;
    op.m0 = shape == k16 ? 16 : shape == k8_of_halves ? 8 : 4;
    const TensorArithmetic arithmetic = tensor_arithmetic(instruction.architecture, static_cast<TensorOperand>(format));
    op.m1 = static_cast<std::uint32_t>(format) | arithmetic.products_a_step << 8U |
            static_cast<std::uint32_t>(arithmetic.alignment_bits) << 16U;
    op.m2 = static_cast<std::uint32_t>(word.get(fields::hmma_float32));
    const bool tf32 = static_cast<TensorOperand>(format) == TensorOperand::tf32;
    if (op.m2 == 0 && static_cast<TensorOperand>(format) != TensorOperand::half) return false;
    if (tf32 ? shape == k16 : shape == k4) return false;
    const unsigned b = op.m0 / (tf32 ? 4 : 8);
    place(to, instruction, op, 2 * b, b, op.m2 != 0 ? 4 : 2);
    set_both(op, &multiply_floats);
    return true;
}

bool lower_integer_multiply(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    const std::uint64_t shape = word.get(fields::imma_shape_low) | word.get(fields::imma_shape_high) << 1U;
    constexpr std::uint32_t elements[8] = {16, 0, 32, 0, 16, 32, 64, 0};
    op.m0 = elements[shape];
    if (op.m0 == 0) return false;
    op.m1 = shape < 4 ? 8 : 16;
    // Format of an operand: bit 0 signed, bit 2 of 4 bits.
    const std::uint64_t a = word.bits(76, 2) | word.bits(83, 1) << 2U;
    const std::uint64_t b = word.bits(78, 2) | word.bits(84, 1) << 2U;
    if ((a & 2U) != 0 || (b & 2U) != 0 || (a & 4U) != (b & 4U)) return false;
    const unsigned bits = (a & 4U) != 0 ? 4 : 8;
    const unsigned registers = op.m0 * bits / 32 / lanes_of_row;
    if (registers == 0) return false;
    op.m2 = bits | static_cast<std::uint32_t>((a & 1U) << 8U | (b & 1U) << 9U | word.get(fields::imma_saturate) << 10U);
    place(to, instruction, op, registers * op.m1 / 8, registers, op.m1 / 4);
    set_both(op, &multiply_integers);
    return true;
}

}  // namespace

bool lower_tensor(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    switch (instruction.opcode) {
        case Opcode::HMMA: return lower_float_multiply(to, instruction, op);
        case Opcode::IMMA: return lower_integer_multiply(to, instruction, op);
        case Opcode::BMMA: {
            constexpr std::uint32_t row_words[4] = {4, 4, 8, 0};
            const std::uint64_t shape = word.get(fields::bmma_shape);
            op.m0 = row_words[shape];
            op.m1 = shape == 0 ? 8 : 16;
            if (op.m0 == 0) return false;
            place(to, instruction, op, op.m0 / 4 * op.m1 / 8, op.m0 / 4, op.m1 / 4);
            set_both(op, &multiply_bits);
            return true;
        }
        case Opcode::DMMA: {
            constexpr std::uint32_t elements[4] = {4, 4, 8, 16};
            const std::uint64_t shape = word.get(fields::dmma_shape);
            op.m0 = elements[shape];
            op.m1 = shape == 0 ? 8 : 16;
            if (word.get(fields::rounding) != 0) return false;
            place(to, instruction, op, op.m0 / 4 * op.m1 / 8 * 2, op.m0 / 4 * 2, op.m1 / 4 * 2);
            set_both(op, &multiply_doubles);
            return true;
        }
        default: return false;
    }
}

}  // namespace sassafras::sim
