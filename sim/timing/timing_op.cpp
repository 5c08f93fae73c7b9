#include "sim/timing/timing_op.hpp"

#include <algorithm>
#include <array>

#include "isa/program/contended.hpp"
#include "isa/sass/constant_load.hpp"
#include "isa/sass/fields.hpp"
#include "isa/sass/memory_order.hpp"
#include "isa/sass/sleep.hpp"
#include "sim/timing/op_ports.hpp"

namespace sassafras::sim {

namespace {

using isa::Instruction;
using isa::Opcode;
namespace fields = isa::fields;

// Memory order of a load: from here on its scope is the GPU or the system (7 and 10 in nvcc's output for ld.relaxed).
constexpr std::uint64_t strong_gpu = 7;

// Special registers that tell time.
constexpr std::uint64_t sr_clock_low = 80;
constexpr std::uint64_t sr_clock_high = 81;
constexpr std::uint64_t sr_timer_low = 82;
constexpr std::uint64_t sr_timer_high = 83;

bool is_clock(const Instruction& instruction) {
    if (instruction.opcode != Opcode::S2R && instruction.opcode != Opcode::CS2R && instruction.opcode != Opcode::S2UR)
        return false;
    const std::uint64_t number = instruction.word.get(fields::special_register);
    return number == sr_clock_low || number == sr_clock_high || number == sr_timer_low || number == sr_timer_high;
}

/// Of the uniform datapath what begins every cycle, also between additions and the like, which begin every second
/// (validate/records/h200/probes/pipe_words.csv).
bool begins_every_cycle(const Instruction& instruction) {
    return instruction.opcode == Opcode::UMOV || instruction.opcode == Opcode::ULDC ||
           instruction.opcode == Opcode::VOTEU;
}

/// A memory barrier that other SMs take part in.
bool is_wide_membar(const Instruction& instruction) {
    const std::uint64_t scope = instruction.word.get(fields::membar_scope);
    constexpr std::uint64_t gpu = 2;
    constexpr std::uint64_t system = 3;
    return instruction.opcode == Opcode::MEMBAR && (scope == gpu || scope == system);
}

Unit unit_of(const Instruction& instruction) {
    switch (instruction.opcode) {
        case Opcode::IMAD:
        case Opcode::IDP:
        case Opcode::VIADD: return Unit::imad;  // VIADD: validate/records/h200/probes/uniform_pairs.csv
        case Opcode::IMAD_WIDE:
        case Opcode::IMAD_HI: return Unit::imad_wide;
        default: break;
    }
    switch (instruction.pipe) {
        case isa::Pipe::alu: return Unit::alu;
        case isa::Pipe::fma: return Unit::fma;
        case isa::Pipe::fp16: return Unit::fp16;
        case isa::Pipe::fp64: return Unit::fp64;
        case isa::Pipe::xu: return Unit::xu;
        case isa::Pipe::lsu: return Unit::memory;
        case isa::Pipe::cbu: return Unit::cbu;
        case isa::Pipe::uniform: return Unit::uniform;
        case isa::Pipe::tensor: return Unit::tensor;
        case isa::Pipe::adu: return Unit::adu;
        case isa::Pipe::none: return Unit::none;
    }
    return Unit::none;
}

Action action_of(const Instruction& instruction) {
    if (access_records(instruction.opcode) != 0) return Action::memory;
    switch (instruction.opcode) {
        case Opcode::LDGDEPBAR: return Action::copies_barrier;
        case Opcode::LDC: return Action::constant_load;
        case Opcode::ULDC: return Action::uniform_constant;
        case Opcode::MOVM:
        case Opcode::SHFL: return Action::shuffle;
        case Opcode::BAR: return Action::barrier;
        case Opcode::NANOSLEEP: return Action::nanosleep;
        case Opcode::DEPBAR: return Action::depbar;
        case Opcode::MEMBAR: return is_wide_membar(instruction) ? Action::membar : Action::plain;
        case Opcode::EXIT: return Action::exit;
        default: break;
    }
    if (is_clock(instruction)) return Action::clock_read;
    if (instruction.opcode == Opcode::S2R || instruction.opcode == Opcode::S2UR) return Action::special_register;
    return Action::plain;
}

PipeParameters pipe_of(Unit unit, const PipesParameters& pipes) {
    switch (unit) {
        case Unit::alu: return pipes.alu;
        case Unit::fma: return pipes.fma;
        case Unit::imad: return pipes.imad;
        case Unit::imad_wide: return pipes.imad_wide;
        case Unit::fp16: return pipes.fp16;
        case Unit::fp64: return pipes.fp64;
        case Unit::xu: return pipes.xu;
        case Unit::uniform: return pipes.uniform;
        case Unit::cbu: return pipes.cbu;
        case Unit::adu: return pipes.adu;
        case Unit::tensor: return pipes.tensor;
        case Unit::none:
        case Unit::memory:
        case Unit::count_: break;
    }
    return {1, 1};
}

/// What takes longer than S2R by the same way (validate/records/h200/probes/pipe_words.csv, rows `result`).
std::uint32_t special_cycles(Opcode opcode, const PipesParameters& pipes) {
    switch (opcode) {
        case Opcode::S2UR: return pipes.s2ur_cycles;
        case Opcode::REDUX: return pipes.redux_cycles;
        case Opcode::MATCH: return pipes.match_cycles;
        case Opcode::FCHK: return pipes.fchk_cycles;
        default: return 0;
    }
}

/// Of conversions: their pair of registers takes longer to hand over.
bool reads_pair(const isa::RegisterUse& use) {
    for (std::size_t i = 0; i < use.read_count; ++i)
        if (use.reads[i].file == isa::RegisterSpan::File::vector && use.reads[i].count == 2) return true;
    return false;
}

/// By the operation's shape.
PipeParameters tensor_pipe(const Instruction& instruction, const PipesParameters& pipes) {
    if (instruction.opcode == Opcode::DMMA) {
        constexpr std::array<std::uint32_t, 4> steps{1, 1, 2, 4};  // of four products, for 16 rows
        const auto shape = instruction.word.get(fields::dmma_shape);
        const std::uint32_t more = steps[shape] - 1;
        PipeParameters pipe = pipes.tensor_double;
        pipe.latency_cycles += more * pipe.issue_interval_cycles;
        // The pipe is taken as long for 8 rows, but the result is there when half of the work would be: 26 cycles, 34
        // for 16 rows (validate/records/h200/probes/tensor.txt, d884 and d1684).
        if (shape == 0) pipe.latency_cycles -= std::min(pipe.latency_cycles - 1, pipe.issue_interval_cycles / 2);
        pipe.issue_interval_cycles *= 1 + more;
        return pipe;
    }
    constexpr std::uint8_t long_operand = 4;
    const isa::RegisterUse use = isa::register_use(instruction);
    for (std::size_t i = 0; i < use.read_count; ++i)
        if (use.reads[i].file == isa::RegisterSpan::File::vector && use.reads[i].slot == 0)
            return use.reads[i].count >= long_operand ? pipes.tensor : pipes.tensor_short;
    return pipes.tensor;
}

/// Behind a barrier with DEFER_BLOCKING a warp goes on with arithmetic until it comes to one of these
/// (validate/records/h200/probes/barrier_defer.cu, barrier_chain.cu). LDS, STS, LDG, BRA, clocks and barriers
/// themselves were seen to wait; the others of their kind are taken to.
bool waits_behind_barrier(const TimingOp& op) {
    switch (op.action) {
        case Action::barrier:
        case Action::membar:
        case Action::exit:
        case Action::nanosleep:
        case Action::clock_read:
        case Action::special_register:
        case Action::copies_barrier: return true;
        default: return op.unit == Unit::memory || op.unit == Unit::cbu;
    }
}

/// Drops what the compiler says about dependences through registers. Scoreboards of copies stay, as does whoever waits
/// for them; loads keep one only to say that they have a result.
void drop_control_codes(std::vector<TimingOp>& ops, const isa::Program& program) {
    std::uint8_t of_copies = 0;
    for (const TimingOp& op : ops)
        if (op.action == Action::copies_barrier && op.write_barrier < 6)
            of_copies = static_cast<std::uint8_t>(of_copies | 1U << op.write_barrier);
    for (std::size_t i = 0; i < ops.size(); ++i) {
        TimingOp& op = ops[i];
        op.stall = 1;
        op.wait_mask &= of_copies;
        op.read_barrier = 7;
        if (op.action == Action::copies_barrier) continue;
        const bool is_load = op.action == Action::memory && isa::register_use(program.instructions[i]).write_count != 0;
        op.write_barrier = is_load ? 0 : 7;
    }
}

/// Whether a wide product that writes `span` is awaited by an instruction, and if so whether only through its addend.
enum class Awaits : std::uint8_t { no, as_addend, yes };
Awaits awaits(const Instruction& instruction, const isa::RegisterSpan& span) {
    constexpr std::uint8_t addend = 2;
    const isa::RegisterUse use = isa::register_use(instruction);
    const bool is_wide = unit_of(instruction) == Unit::imad_wide;
    Awaits found = Awaits::no;
    for (std::size_t i = 0; i < use.read_count; ++i) {
        const isa::RegisterSpan& read = use.reads[i];
        if (read.file != isa::RegisterSpan::File::vector || read.first >= span.first + span.count ||
            span.first >= read.first + read.count)
            continue;
        if (!is_wide || read.slot != addend) return Awaits::yes;
        found = Awaits::as_addend;
    }
    return found;
}

/// The code asks for fewer cycles between a wide product and what reads it than hardware takes, which holds the reader
/// (microbench latency imad_hi, imad_hi_addend, imad_hi_lop3, imad_wide_lop3). Code that is jumped to comes later than
/// any product before the jump.
void await_wide_products(std::vector<TimingOp>& ops, const isa::Program& program, const PipesParameters& pipes) {
    std::array<isa::RegisterSpan, max_awaited_products> written{};  // by the last products, the latest first
    std::size_t count = 0;
    for (std::size_t i = 0; i < ops.size(); ++i) {
        const Instruction& instruction = program.instructions[i];
        for (std::size_t back = 0; back < count; ++back) {
            const Awaits how = awaits(instruction, written[back]);
            if (how == Awaits::no) continue;
            ops[i].wide_back = static_cast<std::uint8_t>(back + 1);
            ops[i].wide_cycles = static_cast<std::uint16_t>(
                how == Awaits::as_addend ? pipes.imad_wide_addend_latency_cycles : pipes.imad_wide.latency_cycles);
            break;
        }
        if (ops[i].unit != Unit::imad_wide) continue;
        const isa::RegisterUse use = isa::register_use(instruction);
        std::rotate(written.begin(), written.end() - 1, written.end());
        written[0] = {};
        written[0].count = 0;
        for (std::size_t w = 0; w < use.write_count; ++w)
            if (use.writes[w].file == isa::RegisterSpan::File::vector) written[0] = use.writes[w];
        count = std::min(count + 1, written.size());
    }
}

}  // namespace

bool depends_on_time(const isa::Program& program) {
    return std::any_of(program.instructions.begin(), program.instructions.end(),
                       [](const Instruction& i) { return is_clock(i) || isa::is_sleep(i); }) ||
           !isa::contended_instructions(program).empty();
}

std::vector<TimingOp> timing_ops(const isa::Program& program, const Platform& platform) {
    std::vector<TimingOp> ops(program.instructions.size());
    const bool has_membar = std::any_of(program.instructions.begin(), program.instructions.end(), is_wide_membar);
    for (std::size_t i = 0; i < ops.size(); ++i) {
        const Instruction& instruction = program.instructions[i];
        TimingOp& op = ops[i];
        op.unit = unit_of(instruction);
        op.action = action_of(instruction);
        op.stall = std::max<std::uint8_t>(1, instruction.control.stall);
        op.wait_mask = instruction.control.wait_mask;
        op.reconverges = instruction.opcode == Opcode::BSYNC;
        op.yields = !instruction.control.stay;
        op.write_barrier = instruction.control.write_barrier;
        op.read_barrier = instruction.control.read_barrier;
        op.site = memory_site(instruction);
        if (op.site.kind == SharedAccessKind::load &&
            (op.site.space == MemorySpace::global || op.site.space == MemorySpace::generic))
            op.bypasses_l1 = platform.lsu.l1_global_loads == L1GlobalLoads::bypassed ||
                             isa::memory_order_of(instruction) >= strong_gpu;
        if (op.site.kind != SharedAccessKind::load && op.site.kind != SharedAccessKind::matrix_load)
            op.data_registers = static_cast<std::uint8_t>(registers_of_width(op.site.width));
        op.indexed = isa::is_indexed_constant_load(instruction);
        if (instruction.form == isa::Form::compare_and_swap) op.update_operands = 2;
        if (instruction.opcode == Opcode::STSM)
            op.data_registers = static_cast<std::uint8_t>(1U << instruction.word.get(fields::ldsm_count));
        op.acknowledged = has_membar && op.site.space != MemorySpace::none && !op.site.returns;
        const isa::RegisterUse use = isa::register_use(instruction);
        const PipeParameters pipe = op.unit == Unit::tensor                  ? tensor_pipe(instruction, platform.pipes)
                                    : op.unit == Unit::xu && reads_pair(use) ? platform.pipes.xu_wide
                                                                             : pipe_of(op.unit, platform.pipes);
        op.interval = static_cast<std::uint16_t>(pipe.issue_interval_cycles);
        op.latency =
            static_cast<std::uint16_t>(pipe.latency_cycles + special_cycles(instruction.opcode, platform.pipes));
        if (op.action == Action::barrier)
            op.barrier_waits =
                instruction.word.get(fields::barrier_mode) != static_cast<std::uint64_t>(fields::BarrierMode::arrive);
        if (op.action == Action::depbar) {
            op.depbar_scoreboard = static_cast<std::uint8_t>(instruction.word.get(fields::depbar_scoreboard));
            op.depbar_count = static_cast<std::uint8_t>(instruction.word.get(fields::depbar_count));
        }
        for (const isa::Operand* operand : {&instruction.a, &instruction.b, &instruction.c}) {
            if (operand->kind == isa::OperandKind::constant)
                op.constant_line = 1 + (static_cast<std::uint32_t>(operand->bank) << 20U) +
                                   operand->value / platform.fetch.constant_line_bytes;
        }
        name_ports(op, use, i > 0 ? &program.instructions[i - 1] : nullptr, platform);
        if (begins_every_cycle(instruction)) op.unit = Unit::none;
    }
    if (platform.sm.dependence_tracking == DependenceTracking::scoreboard)
        drop_control_codes(ops, program);
    else
        await_wide_products(ops, program, platform.pipes);
    for (std::size_t i = 0; i < ops.size(); ++i) {
        ops[i].awaits_barrier = waits_behind_barrier(ops[i]);
        // What BAR.RED gives is read by B2R, which would be too early.
        ops[i].defers = ops[i].action == Action::barrier && ops[i].barrier_waits &&
                        platform.sm.dependence_tracking == DependenceTracking::control_codes &&
                        program.instructions[i].word.get(fields::barrier_defer) != 0 &&
                        program.instructions[i].word.get(fields::barrier_mode) ==
                            static_cast<std::uint64_t>(fields::BarrierMode::sync);
    }
    return ops;
}

}  // namespace sassafras::sim
