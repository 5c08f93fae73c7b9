// Atomics and reductions.
#include "isa/sass/address_width.hpp"
#include "isa/sass/atomic_type.hpp"
#include "isa/sass/print_address.hpp"
#include "isa/sass/print_groups.hpp"

namespace sassafras::isa {
namespace {

using enum Opcode;

bool is_compare_and_swap(const PrintLine& line) { return line.instruction().form == Form::compare_and_swap; }

void operation(PrintLine& line) {
    if (line.instruction().form == Form::floating) {
        line.choice(fields::atomic_float_operation, {".ADD", ".MIN", ".MAX", ".INVALID3"});
        return;
    }
    line.choice(fields::atomic_operation,
                {".ADD", ".MIN", ".MAX", ".INC", ".DEC", ".AND", ".OR", ".XOR", ".EXCH", ".SAFEADD"});
}

void integer_type(PrintLine& line) {
    line.choice(atomic_datum(line.instruction()).type,
                {"", ".S32", ".64", ".S64", ".128", ".INVALID5", ".INVALID6", ".INVALID7"});
}

void float_type(PrintLine& line) {
    line.choice(
        atomic_datum(line.instruction()).type,
        {".F16x2.RN", ".F16x4.RN", ".F16x8.RN", ".BF16x2.RN", ".BF16x4.RN", ".BF16x8.RN", ".INVALID6", ".INVALID7",
         ".INVALID8", ".F32.FTZ.RN", ".F32x2.FTZ.RN", ".F32x4.FTZ.RN", ".F32.RN", ".F32x2.RN", ".F32x4.RN", ".F64.RN"});
}

void datum_type(PrintLine& line) { atomic_datum(line.instruction()).floating ? float_type(line) : integer_type(line); }

void swap_type(PrintLine& line) {
    line.choice(fields::atomic_type, {"", ".S32", ".64", ".INVALID3", ".128", ".INVALID5", ".INVALID6", ".INVALID7"});
}

std::string address(const PrintLine& line) {
    const bool global = line.instruction().opcode != ATOMS;
    const bool uniform = names_uniform_register(line.instruction());
    constexpr std::string_view strides[4] = {"", ".X4", ".X8", ".X16"};
    return address_text(
        {.base = line.get(fields::register_a),
         .base_64 = global && uniform && base_is_pair(line.instruction()),
         .base_32 = global && uniform && line.is(fields::address_64) && !base_is_pair(line.instruction()),
         .suffix = global ? "" : strides[line.get(fields::shared_stride)],
         .has_uniform = uniform,
         .uniform = line.get(fields::uniform_register_c),
         .descriptor = global && line.is(fields::atomic_descriptor),
         .descriptor_shown = shows_descriptors(line),
         .offset = line.word().signed_bits(fields::memory_offset.first, fields::memory_offset.width)});
}

}  // namespace

bool print_atomic(PrintLine& line) {
    const Opcode opcode = line.instruction().opcode;
    switch (opcode) {
        case ATOMG:
        case ATOM:
            line.flag(fields::address_64, ".E");
            if (is_compare_and_swap(line)) {
                line.raw(line.get(fields::atomic_operation) == fields::atomic_cast_spin ? ".CAST.SPIN" : ".CAS");
                print_cache_policy(line);
                swap_type(line);
            } else {
                operation(line);
                print_cache_policy(line);
                datum_type(line);
            }
            line.raw(memory_order_text(line.get(fields::memory_order), line.instruction().architecture));
            line.predicate_out(fields::predicate_u).destination().operand(address(line)).vector(fields::register_b);
            if (is_compare_and_swap(line)) line.vector(fields::register_c);
            return true;
        case RED:
            line.flag(fields::address_64, ".E");
            if (line.instruction().form == Form::floating)
                operation(line);
            else
                line.choice(fields::reduction_operation,
                            {".ADD", ".MIN", ".MAX", ".INC", ".DEC", ".AND", ".OR", ".XOR"});
            print_cache_policy(line);
            datum_type(line);
            line.raw(memory_order_text(line.get(fields::memory_order), line.instruction().architecture));
            line.operand(address(line)).vector(fields::register_b);
            return true;
        case ATOMS:
            if (line.instruction().form == Form::lane_count) {
                line.raw(line.get(fields::atomic_operation) == fields::atomics_popc_inc(line.instruction().architecture)
                             ? ".POPC.INC.32"
                             : ".ARRIVE.64")
                    .destination()
                    .operand(address(line));
                return true;
            }
            if (is_compare_and_swap(line)) {
                line.raw(line.get(fields::atomic_operation) == fields::atomic_cast_spin ? ".CAST.SPIN" : ".CAS");
                swap_type(line);
            } else {
                operation(line);
                integer_type(line);
            }
            line.destination().operand(address(line)).vector(fields::register_b);
            if (is_compare_and_swap(line)) line.vector(fields::register_c);
            return true;
        default: return false;
    }
}

}  // namespace sassafras::isa
