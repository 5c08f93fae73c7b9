// Word to Instruction: a flat index from the 13-bit opcode key to the row that says where everything is.
#include <fmt/format.h>

#include "isa/sass/fields.hpp"
#include "isa/sass/instruction.hpp"
#include "isa/sass/table.hpp"
#include "isa/sass/table_rows.hpp"

namespace sassafras::isa {
namespace {

constexpr std::size_t key_count = 1U << 13U;
constexpr std::uint16_t no_row = 0xffff;

constexpr bool keys_are_distinct(Architecture architecture) {
    std::array<bool, key_count> seen{};
    for (const OpcodeRow& row : table::rows) {
        if (!row.holds_for(architecture)) continue;
        if (row.key >= key_count || seen[row.key]) return false;
        seen[row.key] = true;
    }
    return true;
}
static_assert(keys_are_distinct(Architecture::sm_75) && keys_are_distinct(Architecture::sm_80) &&
                  keys_are_distinct(Architecture::sm_86) && keys_are_distinct(Architecture::sm_89) &&
                  keys_are_distinct(Architecture::sm_90),
              "two rows of the opcode table claim the same key of an architecture");

using RowIndex = std::array<std::uint16_t, key_count>;

constexpr RowIndex build_index(Architecture architecture) {
    RowIndex index{};
    for (std::uint16_t& entry : index) entry = no_row;
    for (std::size_t row = 0; row < table::rows.size(); ++row)
        if (table::rows[row].holds_for(architecture)) index[table::rows[row].key] = static_cast<std::uint16_t>(row);
    return index;
}
/// By Architecture.
constexpr std::array<RowIndex, architecture_count> row_index{
    build_index(Architecture::sm_75), build_index(Architecture::sm_80), build_index(Architecture::sm_86),
    build_index(Architecture::sm_89), build_index(Architecture::sm_90)};

Operand decode_source(const Word128& word, Source source, Properties properties) {
    Operand operand;
    const auto vector_register = [&](Field field) {
        operand.kind = OperandKind::reg;
        operand.reg = static_cast<std::uint8_t>(word.get(field));
    };
    const auto uniform_register = [&](Field field) {
        operand.kind = OperandKind::uniform_reg;
        operand.reg = static_cast<std::uint8_t>(word.get(field));
    };
    const auto signs = [&](Field negate, bool has_negate, Field absolute, bool has_absolute) {
        operand.negate = has_negate && word.get(negate) != 0;
        operand.absolute = has_absolute && word.get(absolute) != 0;
    };
    const auto signs_a = [&] {
        signs(fields::negate_a, properties & sign_a, fields::absolute_a, properties & magnitude_a);
    };
    const auto signs_b = [&] {
        signs(fields::negate_b, properties & sign_b, fields::absolute_b, properties & magnitude_b);
    };
    const auto signs_c = [&] {
        if (properties & half_c)
            signs(fields::half_negate_c, true, fields::half_absolute_c, true);
        else
            signs(fields::negate_c, properties & sign_c, fields::absolute_c, properties & magnitude_c);
    };
    switch (source) {
        case Source::none: break;
        case Source::a:
            vector_register(fields::register_a);
            signs_a();
            break;
        case Source::b:
            vector_register(fields::register_b);
            signs_b();
            break;
        case Source::c:
            vector_register(fields::register_c);
            signs_c();
            break;
        case Source::uniform_a:
            uniform_register(fields::uniform_register_a);
            signs_a();
            break;
        case Source::uniform_b:
            uniform_register(fields::uniform_register_b);
            signs_b();
            break;
        case Source::uniform_c:
            uniform_register(fields::uniform_register_c);
            signs_c();
            break;
        case Source::immediate:
            operand.kind = OperandKind::immediate;
            operand.value = static_cast<std::uint32_t>(word.get(fields::immediate));
            break;
        case Source::constant:
            operand.kind = OperandKind::constant;
            operand.bank = static_cast<std::uint8_t>(word.get(fields::constant_bank));
            operand.value = static_cast<std::uint32_t>(word.get(fields::constant_offset));
            signs_b();
            break;
        case Source::bindless:
            operand.kind = OperandKind::constant_bindless;
            operand.reg = static_cast<std::uint8_t>(word.get(fields::uniform_register_b));
            operand.value = static_cast<std::uint32_t>(word.get(fields::constant_offset));
            signs_b();
            break;
    }
    return operand;
}

/// The uniform datapath is guarded by uniform predicates, but for R2UR and VOTEU, which read lanes; so are the
/// uniform atomics on shared memory.
bool has_uniform_guard(const OpcodeRow& row) {
    if (row.opcode == Opcode::SYNCS)
        return row.form == Form::exchange || row.form == Form::compare_and_swap || row.form == Form::uniform_load;
    if (row.opcode == Opcode::S2UR) return true;
    return row.pipe == Pipe::uniform && row.opcode != Opcode::R2UR && row.opcode != Opcode::VOTEU;
}

}  // namespace

const OpcodeRow* find_row(std::uint16_t key, Architecture architecture) {
    if (key >= key_count) return nullptr;
    const std::uint16_t row = row_index[static_cast<std::size_t>(architecture)][key];
    return row == no_row ? nullptr : &table::rows[row];
}

Result<Instruction> decode(const Word128& word, Architecture architecture) {
    const OpcodeRow* row = find_row(opcode_key(word), architecture);
    if (row == nullptr) {
        return Error{
            ErrorKind::not_modelled,
            fmt::format("the {} operation with opcode key {:#05x} is not modelled", name_of(architecture),
                        opcode_key(word)),
            fmt::format("{:#018x}{:016x}", word.high, word.low),
            fmt::format("textures, surfaces, wgmma, bulk copies and clusters are among what is not; a new operation is "
                        "a row of isa/sass/instruction_list.hpp, if the code is of {}",
                        name_of(architecture))};
    }
    Instruction instruction;
    instruction.word = word;
    instruction.opcode = row->opcode;
    instruction.pipe = row->pipe;
    instruction.latency = row->latency;
    instruction.architecture = architecture;
    instruction.form = row->form;
    instruction.key = row->key;
    instruction.guard = {.predicate = static_cast<std::uint8_t>(word.get(fields::guard_predicate)),
                         .negate = word.get(fields::guard_negate) != 0,
                         .uniform = has_uniform_guard(*row)};
    instruction.control = control_code(word);
    switch (row->destination) {
        case Destination::none: break;
        case Destination::vector:
            instruction.destination = static_cast<std::uint8_t>(word.get(fields::destination));
            break;
        case Destination::uniform:
            instruction.destination = static_cast<std::uint8_t>(word.get(fields::uniform_destination));
            break;
    }
    instruction.a = decode_source(word, row->sources[0], row->properties);
    instruction.b = decode_source(word, row->sources[1], row->properties);
    instruction.c = decode_source(word, row->sources[2], row->properties);
    if (row->has(addend_b)) instruction.c.negate = false;
    if (row->has(addend_c)) instruction.b.negate = false;
    return instruction;
}

}  // namespace sassafras::isa
