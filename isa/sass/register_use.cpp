// What an instruction reads and writes: register spans for scoreboards, bank ports and the dependence graph.
#include <algorithm>

#include "isa/sass/address_width.hpp"
#include "isa/sass/atomic_type.hpp"
#include "isa/sass/fields.hpp"
#include "isa/sass/instruction.hpp"
#include "isa/sass/table.hpp"

namespace sassafras::isa {
namespace {

using File = RegisterSpan::File;
using enum Opcode;

class Collector {
  public:
    explicit Collector(const Instruction& instruction) : instruction_(instruction) {}

    void read(File file, std::uint64_t first, int count, int slot = 0) {
        add(use_.reads, use_.read_count, file, first, count, slot);
    }
    void write(File file, std::uint64_t first, int count) { add(use_.writes, use_.write_count, file, first, count, 0); }

    void read_field(File file, Field field, int count, int slot = 0) {
        read(file, instruction_.word.get(field), count, slot);
    }
    [[nodiscard]] const RegisterUse& use() const { return use_; }

  private:
    template <class Spans>
    static void add(Spans& spans, std::uint8_t& used, File file, std::uint64_t first, int count, int slot) {
        const int limit = file == File::vector    ? register_zero
                          : file == File::uniform ? uniform_register_zero
                                                  : predicate_true;
        const int available = limit - static_cast<int>(first);
        if (available <= 0 || count <= 0 || used >= spans.size()) return;
        spans[used++] = {file, static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(std::min(count, available)),
                         static_cast<std::uint8_t>(slot)};
    }

    const Instruction& instruction_;
    RegisterUse use_;
};

/// 32-bit registers that a loaded or stored element takes (fields::access_size).
int access_registers(const Word128& word) {
    switch (static_cast<fields::AccessSize>(word.get(fields::access_size))) {
        case fields::AccessSize::b64: return 2;
        case fields::AccessSize::b128: return 4;
        default: return 1;
    }
}

/// Registers of an atomic's operand.
int atomic_registers(const Instruction& instruction) {
    const AtomicDatum datum = atomic_datum(instruction);
    if (datum.floating) {
        switch (datum.type) {
            case 1:
            case 4:
            case 10:
            case 13:
            case 15: return 2;  // F16x4, BF16x4, F32x2 with and without flush, F64
            case 2:
            case 5:
            case 11:
            case 14: return 4;  // F16x8, BF16x8, F32x4 with and without flush
            default: return 1;
        }
    }
    switch (static_cast<fields::AtomicType>(datum.type)) {
        case fields::AtomicType::u64:
        case fields::AtomicType::s64: return 2;
        case fields::AtomicType::b128: return 4;
        default: return 1;
    }
}

struct Widths {
    int a = 1, b = 1, c = 1, destination = 1;
};

Widths tensor_widths(const Instruction& instruction) {
    const Word128& word = instruction.word;
    switch (instruction.opcode) {
        case HMMA: {
            const auto shape = word.get(fields::hmma_shape_low) | (word.get(fields::hmma_shape_high) << 1U);
            const bool tf32 = word.get(fields::hmma_source_type) == 2;
            const bool wide = tf32 ? shape == 0 : shape == 1;
            const int accumulator = word.get(fields::hmma_float32) != 0 ? 4 : 2;
            return {wide ? 4 : 2, wide ? 2 : 1, accumulator, accumulator};
        }
        case BMMA: {
            constexpr Widths shapes[4] = {{1, 1, 2, 2}, {2, 1, 4, 4}, {4, 2, 4, 4}, {4, 2, 4, 4}};
            return shapes[word.get(fields::bmma_shape)];
        }
        case IMMA: {
            const auto shape = word.get(fields::imma_shape_low) | (word.get(fields::imma_shape_high) << 1U);
            if (shape >= 5) return {4, 2, 4, 4};
            if (shape == 4) return {2, 1, 4, 4};
            return {1, 1, 2, 2};
        }
        default: {  // DMMA: 8x8x4, 16x8x4, 16x8x8, 16x8x16
            constexpr Widths shapes[4] = {{2, 2, 4, 4}, {4, 2, 8, 8}, {8, 4, 8, 8}, {16, 8, 8, 8}};
            return shapes[word.get(fields::dmma_shape)];
        }
    }
}

/// As the row says; operations whose modifiers decide are listed.
Widths widths_of(const Instruction& instruction, const OpcodeRow& row) {
    const Word128& word = instruction.word;
    const int address = base_is_pair(instruction) ? 2 : 1;
    switch (instruction.opcode) {
        case HMMA:
        case IMMA:
        case BMMA:
        case DMMA: return tensor_widths(instruction);
        case F2I:
        case I2F:
        case F2F:
        case FRND: {
            const bool wide_form = instruction.form == Form::wide;
            const bool wide_source = wide_form && word.get(fields::convert_source_size) == 3;
            const bool wide_destination =
                wide_form &&
                (instruction.opcode == FRND ? wide_source : word.get(fields::convert_destination_size) == 3);
            return {wide_source ? 2 : 1, 1, 1, wide_destination ? 2 : 1};
        }
        case LDG:
        case LD:
        case STG:
        case ST: return {address, access_registers(word), 1, access_registers(word)};
        case LDS:
        case STS:
        case LDL:
        case STL:
        case LDC:
        case ULDC: return {1, access_registers(word), 1, access_registers(word)};
        case ATOMG:
        case ATOM:
        case RED:
            return {address, atomic_registers(instruction), atomic_registers(instruction),
                    atomic_registers(instruction)};
        case ATOMS:
            return {1, atomic_registers(instruction), atomic_registers(instruction), atomic_registers(instruction)};
        case LDSM:
        case STSM: return {1, 1 << word.get(fields::ldsm_count), 1, 1 << word.get(fields::ldsm_count)};
        case CS2R: return {1, 1, 1, word.get(fields::cs2r_64) != 0 ? 2 : 1};
        case MATCH: return {word.get(fields::match_64) != 0 ? 2 : 1, 1, 1, 1};
        case HGMMA:
        case IGMMA:
        case BGMMA:
        case QGMMA: return {4, 1, 1, 128};  // an upper bound; never executed
        case TEX:
        case TLD:
        case TLD4:
        case TXD:
        case TXQ:
        case TMML:
        case SULD:
        case SUST:
        case SUATOM:
        case SURED: return {4, 4, 1, 4};
        default: break;
    }
    const auto width = [&](Properties pair) { return row.has(pair) ? 2 : 1; };
    return {width(pair_a), width(pair_b), width(pair_c), width(pair_result)};
}

void read_source(Collector& collector, const Operand& operand, int slot, int count) {
    switch (operand.kind) {
        case OperandKind::reg: collector.read(File::vector, operand.reg, count, slot); break;
        case OperandKind::uniform_reg: collector.read(File::uniform, operand.reg, count); break;
        case OperandKind::constant_bindless: collector.read(File::uniform, operand.reg, 2); break;
        case OperandKind::none:
        case OperandKind::immediate:
        case OperandKind::constant: break;
    }
}

/// Uniform registers in an address: a descriptor pair, or an offset.
void read_uniform_address(Collector& collector, const Instruction& instruction) {
    const Word128& word = instruction.word;
    if (!names_uniform_register(instruction)) return;
    switch (instruction.opcode) {
        case LDG:
        case LD: collector.read_field(File::uniform, fields::uniform_register_b, 2); break;
        case STG:
        case ST: collector.read_field(File::uniform, fields::uniform_register_c, 2); break;
        case ATOMG:
        case ATOM:
        case RED:
        case LDGSTS: collector.read_field(File::uniform, fields::uniform_register_c, 2); break;
        case LDS:
        case LDL:
        case LDSM: collector.read_field(File::uniform, fields::uniform_register_b, 1); break;
        case STS:
        case STL:
        case STSM:
        case ATOMS:
        case SYNCS:
        case ARRIVES: collector.read_field(File::uniform, fields::uniform_register_c, 1); break;
        case QSPC:
        case CCTL:
        case CCTLL:
            collector.read_field(File::uniform, fields::uniform_register_b, word.get(fields::descriptor) != 0 ? 2 : 1);
            break;
        case UTMALDG:
        case UTMASTG:
        case UTMAREDG:
        case UTMAPF:
        case UBLKCP:
        case UBLKRED:
        case UBLKPF: collector.read_field(File::uniform, fields::uniform_register_a, 2); break;
        default: break;
    }
}

/// Predicates beyond the guard.
void read_predicates(Collector& collector, const Instruction& instruction, const OpcodeRow& row, File file) {
    const Word128& word = instruction.word;
    const bool carries = word.get(fields::extended) != 0;
    const bool uniform_third = instruction.opcode == PLOP3 && word.get(fields::plop3_uniform_source) != 0;
    if (row.has(reads_p) || (row.has(carry_p) && carries)) collector.read_field(file, fields::predicate_p, 1);
    if (row.has(reads_q) || (row.has(carry_q) && carries)) collector.read_field(file, fields::predicate_q, 1);
    if (row.has(reads_r) || (row.has(chained_r) && word.get(fields::isetp_extended) != 0))
        collector.read_field(uniform_third ? File::uniform_predicate : file, fields::predicate_r, 1);
    switch (instruction.opcode) {
        case P2R: collector.read(File::predicate, 0, predicate_true); break;
        case UP2UR: collector.read(File::uniform_predicate, 0, predicate_true); break;
        case LDG:
            if (const auto predicate = word.get(fields::load_predicate); predicate != 0)
                collector.read(File::predicate, 7U - (predicate & 7U), 1);
            break;
        case BRA:
            if (instruction.form == Form::uniform_predicate)
                collector.read(File::uniform_predicate, word.bits(24, 3), 1);
            break;
        case HMMA:
        case IMMA:
        case BMMA:
        case DMMA: collector.read(File::uniform_predicate, 7U - (word.get(fields::predicate_p) & 7U), 1); break;
        default: break;
    }
}

void write_predicates(Collector& collector, const Instruction& instruction, const OpcodeRow& row, File file) {
    const Word128& word = instruction.word;
    if (row.has(writes_u))
        collector.write(instruction.opcode == R2UR ? File::predicate : file, word.get(fields::predicate_u), 1);
    if (row.has(writes_v)) collector.write(file, word.get(fields::predicate_v), 1);
    if (instruction.opcode == R2P) collector.write(File::predicate, 0, predicate_true);
    if (instruction.opcode == UR2UP) collector.write(File::uniform_predicate, 0, predicate_true);
}

}  // namespace

RegisterUse register_use(const Instruction& instruction) {
    Collector collector(instruction);
    const Word128& word = instruction.word;
    const OpcodeRow* row = find_row(instruction.key, instruction.architecture);
    if (row == nullptr) return collector.use();
    const bool uniform = instruction.pipe == Pipe::uniform;
    const File predicate_file = uniform ? File::uniform_predicate : File::predicate;
    const Widths widths = widths_of(instruction, *row);

    collector.read(instruction.guard.uniform ? File::uniform_predicate : File::predicate, instruction.guard.predicate,
                   1);
    const bool lea_without_high =
        (instruction.opcode == LEA || instruction.opcode == ULEA) && word.get(fields::lea_high) == 0;
    read_source(collector, instruction.a, reuse_slot(*row, 0), widths.a);
    read_source(collector, instruction.b, reuse_slot(*row, 1), widths.b);
    if (!lea_without_high) read_source(collector, instruction.c, reuse_slot(*row, 2), widths.c);
    read_uniform_address(collector, instruction);
    if (instruction.opcode == HMMA && word.get(fields::mma_sparse) != 0)
        collector.read_field(File::vector, fields::mma_metadata, 1);
    if (instruction.opcode == LDGSTS) collector.read_field(File::vector, fields::destination, 1, 1);
    read_predicates(collector, instruction, *row, instruction.opcode == VOTEU ? File::predicate : predicate_file);

    switch (row->destination) {
        case Destination::none: break;
        case Destination::vector: collector.write(File::vector, instruction.destination, widths.destination); break;
        case Destination::uniform: collector.write(File::uniform, instruction.destination, widths.destination); break;
    }
    write_predicates(collector, instruction, *row, predicate_file);
    return collector.use();
}

}  // namespace sassafras::isa
