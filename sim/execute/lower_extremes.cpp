// Integer minima and maxima: of two, of three, of a sum and another; of whole registers and of their halves.
#include "sim/execute/handlers.hpp"
#include "sim/execute/lowering.hpp"

namespace sassafras::sim {

using isa::Opcode;
namespace fields = isa::fields;

namespace {

using ExtremeFormat = fields::VimnmxFormat;

constexpr std::uint32_t relu_bit = 1;
constexpr std::uint32_t negate_bit = 2;

template <ExtremeFormat format>
U32x8 least(U32x8 a, U32x8 b) {
    if constexpr (format == ExtremeFormat::u32) return minimum(a, b);
    if constexpr (format == ExtremeFormat::s32) return minimum_signed(a, b);
    if constexpr (format == ExtremeFormat::u16x2) return (U32x8)_mm256_min_epu16((__m256i)a, (__m256i)b);
    return (U32x8)_mm256_min_epi16((__m256i)a, (__m256i)b);
}
template <ExtremeFormat format>
U32x8 most(U32x8 a, U32x8 b) {
    if constexpr (format == ExtremeFormat::u32) return maximum(a, b);
    if constexpr (format == ExtremeFormat::s32) return maximum_signed(a, b);
    if constexpr (format == ExtremeFormat::u16x2) return (U32x8)_mm256_max_epu16((__m256i)a, (__m256i)b);
    return (U32x8)_mm256_max_epi16((__m256i)a, (__m256i)b);
}
template <ExtremeFormat format>
U32x8 sum(U32x8 a, U32x8 b, bool negate) {
    if constexpr (format == ExtremeFormat::u32 || format == ExtremeFormat::s32) return negate ? a - b : a + b;
    return (U32x8)(negate ? _mm256_sub_epi16((__m256i)a, (__m256i)b) : _mm256_add_epi16((__m256i)a, (__m256i)b));
}

/// Of 8 lanes of two halves each, all ones or zeros: a bit for each upper (`shift` 0) or lower (16) half.
std::uint32_t halves_that_hold(U32x8 each, unsigned shift) { return collect(each << shift); }

/// What is compared: a and b; a + b and c; a, b and c.
enum class Extremes { two, sum, three };

/// d = Pp ? min : max; m0: relu_bit makes negative results 0, negate_bit negates b of a sum.
template <ExtremeFormat format, Extremes shape, bool full>
void extreme(Warp& warp, const MicroOp& op, std::uint32_t mask) {
    U32x8* d = row(warp, op.d);
    const U32x8* a = row(warp, op.a);
    const U32x8* b = row(warp, op.b);
    const U32x8* c = row(warp, op.c);
    const std::uint32_t take_least = source_predicate<0>(warp, op);
    constexpr bool halves = format == ExtremeFormat::u16x2 || format == ExtremeFormat::s16x2;
    std::uint32_t upper_is_a = 0;
    std::uint32_t lower_is_a = 0;
    for (int part = 0; part < parts; ++part) {
        const U32x8 x = shape == Extremes::sum ? sum<format>(a[part], b[part], (op.m0 & negate_bit) != 0) : a[part];
        const U32x8 y = shape == Extremes::sum ? c[part] : b[part];
        U32x8 low = least<format>(x, y);
        U32x8 high = most<format>(x, y);
        if constexpr (shape == Extremes::three) {
            low = least<format>(low, c[part]);
            high = most<format>(high, c[part]);
        }
        U32x8 result = select(expand(take_least, part), low, high);
        if constexpr (halves && shape == Extremes::two) {
            const auto is_a = (U32x8)_mm256_cmpeq_epi16((__m256i)result, (__m256i)x);
            upper_is_a |= halves_that_hold(is_a, 0) << (8 * part);
            lower_is_a |= halves_that_hold(is_a, 16) << (8 * part);
        }
        if ((op.m0 & relu_bit) != 0) {
            result = most < halves ? ExtremeFormat::s16x2 : ExtremeFormat::s32 > (result, U32x8{});
        }
        store<full>(d, result, mask, part);
    }
    if constexpr (halves && shape == Extremes::two) {  // whether a is the result, or as good
        write_predicate(warp, op.p, lower_is_a, mask);
        write_predicate(warp, op.q, upper_is_a, mask);
    }
}

template <Extremes shape>
void set_extreme(MicroOp& op, ExtremeFormat format) {
    const auto set = [&]<ExtremeFormat wanted>() {
        op.full = &extreme<wanted, shape, true>;
        op.masked = &extreme<wanted, shape, false>;
    };
    switch (format) {
        case ExtremeFormat::u32: set.template operator()<ExtremeFormat::u32>(); return;
        case ExtremeFormat::s32: set.template operator()<ExtremeFormat::s32>(); return;
        case ExtremeFormat::u16x2: set.template operator()<ExtremeFormat::u16x2>(); return;
        case ExtremeFormat::s16x2: set.template operator()<ExtremeFormat::s16x2>(); return;
    }
}

}  // namespace

bool lower_extremes(Lowering& to, const isa::Instruction& instruction, MicroOp& op) {
    const auto& word = instruction.word;
    switch (instruction.opcode) {
        case Opcode::IMNMX:
        case Opcode::VIMNMX:
        case Opcode::VIMNMX3:
        case Opcode::VIADDMNMX: break;
        default: return false;
    }
    op.a = to.source(instruction.a);
    op.b = to.source(instruction.b);
    op.c = to.source(instruction.c);
    op.d = to.destination(instruction, false);
    to.predicate_p(op, instruction, false);
    if (instruction.opcode == Opcode::IMNMX) {
        set_extreme<Extremes::two>(op, word.get(fields::integer_signed) != 0 ? ExtremeFormat::s32 : ExtremeFormat::u32);
        return true;
    }
    const auto format = static_cast<ExtremeFormat>(word.get(fields::vimnmx_format));
    op.m0 = (word.get(fields::vimnmx_relu) != 0 ? relu_bit : 0U) | (instruction.b.negate ? negate_bit : 0U);
    const bool halves = format == ExtremeFormat::u16x2 || format == ExtremeFormat::s16x2;
    const bool writes_predicates =
        word.get(fields::predicate_u) != isa::predicate_true || word.get(fields::predicate_v) != isa::predicate_true;
    if (instruction.opcode == Opcode::VIMNMX) {
        if (writes_predicates && !halves) return false;  // nvcc does not emit it
        to.predicates_written(op, instruction, false);
    }
    if (instruction.opcode == Opcode::VIMNMX)
        set_extreme<Extremes::two>(op, format);
    else if (instruction.opcode == Opcode::VIMNMX3)
        set_extreme<Extremes::three>(op, format);
    else
        set_extreme<Extremes::sum>(op, format);
    return true;
}

}  // namespace sassafras::sim
