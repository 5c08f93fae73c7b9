// Loads, stores, cache control and asynchronous copies.
#include <fmt/format.h>

#include "isa/sass/address_width.hpp"
#include "isa/sass/print_address.hpp"
#include "isa/sass/print_groups.hpp"

namespace sassafras::isa {
namespace {

using enum Opcode;

void access_size(PrintLine& line) {
    line.choice(fields::access_size, {".U8", ".S8", ".U16", ".S16", "", ".64", ".128", ".INVALID7"});
}

void load_modifiers(PrintLine& line) {
    line.flag(fields::address_64, ".E");
    print_cache_policy(line);
    line.choice(fields::sector_promotion, {"", ".LTC64B", ".LTC128B", ".LTC256B"});
    access_size(line);
    line.raw(memory_order_text(line.get(fields::memory_order), line.instruction().architecture));
}

void store_modifiers(PrintLine& line) {
    line.flag(fields::address_64, ".E");
    print_cache_policy(line);
    access_size(line);
    line.raw(memory_order_text(line.get(fields::memory_order), line.instruction().architecture));
}

bool has_uniform(const PrintLine& line) { return names_uniform_register(line.instruction()); }

bool has_wide_offset(const PrintLine& line) { return line.instruction().form == Form::wide_offset; }

std::string global_address(const PrintLine& line, Field uniform) {
    return address_text(
        {.base = line.get(fields::register_a),
         .base_64 = has_uniform(line) && base_is_pair(line.instruction()),
         .base_32 = has_uniform(line) && line.is(fields::address_64) && !base_is_pair(line.instruction()),
         .has_uniform = has_uniform(line),
         .uniform = line.get(uniform),
         .descriptor = line.is(fields::descriptor),
         .descriptor_shown = shows_descriptors(line),
         .offset = has_wide_offset(line) ? line.word().signed_bits(32, 32) : line.word().signed_bits(40, 24)});
}

constexpr std::string_view stride_text(std::uint64_t value) {
    constexpr std::string_view names[4] = {"", ".X4", ".X8", ".X16"};
    return names[value & 3U];
}

std::string shared_address(const PrintLine& line, Field uniform, bool stride) {
    return address_text({.base = line.get(fields::register_a),
                         .suffix = stride ? stride_text(line.get(fields::shared_stride)) : "",
                         .has_uniform = has_uniform(line),
                         .uniform = line.get(uniform),
                         .offset = line.word().signed_bits(fields::memory_offset.first, fields::memory_offset.width)});
}

void print_load(PrintLine& line) {
    load_modifiers(line);
    if (line.instruction().opcode == LDG && line.get(fields::predicate_u) != predicate_true)
        line.predicate_out(fields::predicate_u);
    line.destination().operand(global_address(line, fields::uniform_register_b));
    if (const auto predicate = line.get(fields::load_predicate); predicate != 0)
        line.operand(((predicate & 8U) != 0 ? "!" : "") + predicate_name(7U - (predicate & 7U), false));
}

void print_constant_load(PrintLine& line) {
    line.choice(fields::access_size, {".U8", ".S8", ".U16", ".S16", "", ".64", ".INVALID6", ".INVALID7"});
    if (line.instruction().opcode == LDC) line.choice(fields::ldc_mode, {"", ".IL", ".IS", ".ISL"});
    line.destination();
    const std::int64_t offset = line.word().signed_bits(fields::constant_offset.first, fields::constant_offset.width);
    std::string inside;
    if (line.instruction().opcode == LDC && (line.get(fields::register_a) != register_zero || offset == 0))
        inside = register_name(line.get(fields::register_a));
    if (line.instruction().opcode == ULDC && line.instruction().b.kind == OperandKind::uniform_reg &&
        line.instruction().a.kind == OperandKind::constant)
        inside = uniform_register_name(line.get(fields::uniform_register_a));
    const std::string place = inside.empty() ? signed_hexadecimal_text(offset)
                              : offset == 0  ? inside
                                             : inside + "+" + signed_hexadecimal_text(offset);
    const Operand& constant = line.instruction().opcode == LDC ? line.instruction().b : line.instruction().a;
    const bool bindless = constant.kind == OperandKind::constant_bindless;
    const std::string bank = bindless
                                 ? fmt::format("cx[{}]", uniform_register_name(line.get(fields::uniform_register_b)))
                                 : fmt::format("c[{:#x}]", line.get(fields::constant_bank));
    line.operand(bank + "[" + place + "]");
}

void print_matrix_access(PrintLine& line) {
    const bool load = line.instruction().opcode == LDSM;
    line.choice(fields::ldsm_element, {".16", ".U4TO8", ".S4TO8", ".U2TO4", ".S2TO4"});
    line.choice(fields::ldsm_mode, {".M88", ".MT88", ".M816", ".M832"}).choice(fields::ldsm_count, {"", ".2", ".4"});
    const std::string address =
        shared_address(line, load ? fields::uniform_register_b : fields::uniform_register_c, false);
    if (load)
        line.destination().operand(address);
    else
        line.operand(address).vector(fields::register_b);
}

void print_cluster_store(PrintLine& line) {
    if (line.instruction().opcode == REDAS) {
        line.choice(fields::atomic_operation, {".ADD", ".MIN", ".MAX", ".INC", ".DEC", ".AND", ".OR", ".XOR"});
        line.choice(fields::atomic_type,
                    {"", ".S32", ".64", ".F32.FTZ.RN", ".F16x2.RN", ".S64", ".F64.RN", ".INVALID7"});
    } else {
        access_size(line);
    }
    line.operand(
        address_text({.base = line.get(fields::register_a),
                      .base_64 = true,
                      .offset = line.word().signed_bits(fields::memory_offset.first, fields::memory_offset.width)}));
    line.vector(fields::register_b);
}

void print_copy_to_shared(PrintLine& line) {
    line.raw(".E").choice(fields::cache_policy, {".EF", "", ".EL", ".LU", ".EU", ".NA"});
    line.raw(line.is(fields::ldgsts_access) ? "" : ".BYPASS")
        .choice(fields::ldgsts_sector_promotion, {"", ".LTC64B", ".LTC128B", ".LTC256B"});
    access_size(line);
    line.flag(fields::ldgsts_zero_fill, ".ZFILL")
        .raw(memory_order_text(line.get(fields::memory_order), line.instruction().architecture));
    const auto offset = [&](Field field) { return line.word().signed_bits(field.first, field.width); };
    line.operand(address_text({.base = line.get(fields::destination), .offset = offset(fields::ldgsts_shared_offset)}));
    line.operand(address_text({.base = line.get(fields::register_a),
                               .base_64 = true,
                               .has_uniform = true,
                               .uniform = line.get(fields::uniform_register_c),
                               .descriptor = line.is(fields::descriptor),
                               .descriptor_shown = shows_descriptors(line),
                               .offset = offset(fields::ldgsts_global_offset)}));
    if (line.get(fields::predicate_p) != predicate_true || line.is(fields::predicate_p_negate))
        line.predicate_in(fields::predicate_p, fields::predicate_p_negate);
}

}  // namespace

bool print_memory(PrintLine& line) {
    switch (line.instruction().opcode) {
        case LDG:
        case LD: print_load(line); return true;
        case STG:
        case ST:
            store_modifiers(line);
            line.operand(global_address(line, fields::uniform_register_c));
            line.vector(has_wide_offset(line) ? fields::register_c : fields::register_b);
            return true;
        case LDS:
            if (line.instruction().architecture == Architecture::sm_75) line.flag(fields::shared_unordered, ".U");
            access_size(line);
            line.destination().operand(shared_address(line, fields::uniform_register_b, true));
            return true;
        case STS:
            access_size(line);
            line.operand(shared_address(line, fields::uniform_register_c, true)).vector(fields::register_b);
            return true;
        case LDL:
            print_cache_policy(line);
            access_size(line);
            line.destination().operand(shared_address(line, fields::uniform_register_b, false));
            return true;
        case STL:
            print_cache_policy(line);
            access_size(line);
            line.operand(shared_address(line, fields::uniform_register_c, false)).vector(fields::register_b);
            return true;
        case LDC:
        case ULDC: print_constant_load(line); return true;
        case LDSM:
        case STSM: print_matrix_access(line); return true;
        case STAS:
        case REDAS: print_cluster_store(line); return true;
        case MOVM:
            line.choice(fields::movm_mode, {".16.MT88"}).destination().vector(fields::register_a, 0);
            return true;
        case LDGSTS: print_copy_to_shared(line); return true;
        default: return false;
    }
}

}  // namespace sassafras::isa
