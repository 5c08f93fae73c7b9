// Integer operations of video and neural networks: absolute differences and products of bytes, with sums.
#include "sim/execute/handlers.hpp"
#include "sim/execute/lowering.hpp"

namespace sassafras::sim {

using isa::Opcode;
namespace fields = isa::fields;

namespace {

template <bool is_signed>
struct AbsoluteDifference {
    static U32x8 apply(const MicroOp&, U32x8 a, U32x8 b, U32x8 c) {
        return (is_signed ? maximum_signed(a, b) - minimum_signed(a, b) : maximum(a, b) - minimum(a, b)) + c;
    }
};
/// VABSDIFF4: of each byte; with .ACC their sum is added to c.
template <bool is_signed, bool accumulate>
struct ByteDifferences {
    static U32x8 apply(const MicroOp&, U32x8 a, U32x8 b, U32x8 c) {
        const auto x = (__m256i)a;
        const auto y = (__m256i)b;
        const __m256i most = is_signed ? _mm256_max_epi8(x, y) : _mm256_max_epu8(x, y);
        const __m256i least = is_signed ? _mm256_min_epi8(x, y) : _mm256_min_epu8(x, y);
        const __m256i difference = _mm256_sub_epi8(most, least);
        if constexpr (!accumulate) return (U32x8)difference;
        const __m256i pairs = _mm256_maddubs_epi16(difference, _mm256_set1_epi8(1));
        return (U32x8)_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)) + c;
    }
};
/// m0 bit 0, 1: a, b signed; bit 2: two products of 16 x 8 bits instead of four of 8 x 8; bit 3: upper bytes of b
struct DotProduct {
    static std::int32_t element(std::uint32_t value, unsigned bits, unsigned index, bool is_signed) {
        const std::uint32_t up = value << (32U - bits * (index + 1));
        return is_signed ? static_cast<std::int32_t>(up) >> (32U - bits)
                         : static_cast<std::int32_t>(up >> (32U - bits));
    }
    static std::uint32_t apply(const MicroOp& op, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        const bool a_signed = (op.m0 & 1U) != 0;
        const bool b_signed = (op.m0 & 2U) != 0;
        const bool two = (op.m0 & 4U) != 0;
        std::uint32_t sum = c;
        for (unsigned i = 0; i < (two ? 2U : 4U); ++i)
            sum += static_cast<std::uint32_t>(element(a, two ? 16 : 8, i, a_signed)) *
                   static_cast<std::uint32_t>(element(b, 8, two && (op.m0 & 8U) != 0 ? i + 2 : i, b_signed));
        return sum;
    }
};

}  // namespace

bool lower_differences(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    const auto sources = [&] {
        op.a = to.source(instruction.a);
        op.b = to.source(instruction.b);
        op.c = to.source(instruction.c);
        op.d = to.destination(instruction, false);
    };
    switch (instruction.opcode) {
        case Opcode::VABSDIFF: {
            sources();
            const bool is_signed = word.get(fields::integer_signed) != 0;
            is_signed ? set_ternary<AbsoluteDifference<true>>(op) : set_ternary<AbsoluteDifference<false>>(op);
            return true;
        }
        case Opcode::VABSDIFF4:
            sources();
            if (word.get(fields::vabsdiff_accumulate) != 0)
                word.get(fields::integer_signed) != 0 ? set_ternary<ByteDifferences<true, true>>(op)
                                                      : set_ternary<ByteDifferences<false, true>>(op);
            else
                word.get(fields::integer_signed) != 0 ? set_ternary<ByteDifferences<true, false>>(op)
                                                      : set_ternary<ByteDifferences<false, false>>(op);
            return true;
        case Opcode::IDP:
            sources();
            op.m0 = (word.get(fields::idp_a_signed) != 0 ? 1U : 0U) | (word.get(fields::idp_b_signed) != 0 ? 2U : 0U) |
                    static_cast<std::uint32_t>(word.get(fields::idp_mode)) << 2U;
            set_lanewise<DotProduct>(op);
            return true;
        default: return false;
    }
}

}  // namespace sassafras::sim
