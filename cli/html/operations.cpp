#include "cli/html/operations.hpp"

#include <array>

#include "isa/sass/fields.hpp"

namespace sassafras::cli {

namespace {

enum class ArithmeticKind : std::uint8_t { fp64, fp32, fp16, tensor, tensor_fp64, none };
constexpr std::array<std::string_view, 5> kind_names{"FP64", "FP32", "FP16", "tensor cores", "tensor cores, FP64"};

struct OperationsOf {
    ArithmeticKind kind = ArithmeticKind::none;
    double of_lane = 0;
    double of_warp = 0;
};

/// Two operations for each of m * n * k products.
double matrix_operations(double m, double n, double k) { return 2 * m * n * k; }

OperationsOf operations_of_instruction(const isa::Instruction& instruction) {
    using isa::Opcode;
    switch (instruction.opcode) {
        case Opcode::FADD:
        case Opcode::FMUL: return {ArithmeticKind::fp32, 1, 0};
        case Opcode::FFMA: return {ArithmeticKind::fp32, 2, 0};
        case Opcode::DADD:
        case Opcode::DMUL: return {ArithmeticKind::fp64, 1, 0};
        case Opcode::DFMA: return {ArithmeticKind::fp64, 2, 0};
        case Opcode::HADD2:
        case Opcode::HMUL2: return {ArithmeticKind::fp16, 2, 0};
        case Opcode::HFMA2:
        case Opcode::HFMA2_MMA:  // with RZ it is how compilers write a constant into a register
            if (instruction.a.kind == isa::OperandKind::reg && instruction.a.reg == isa::register_zero) return {};
            return {ArithmeticKind::fp16, 4, 0};
        case Opcode::HMMA: {
            constexpr std::array<double, 4> depths{8, 16, 4, 0};  // 1688, 16816, 1684
            const auto shape = instruction.word.get(isa::fields::hmma_shape_low) |
                               instruction.word.get(isa::fields::hmma_shape_high) << 1U;
            return {ArithmeticKind::tensor, 0, matrix_operations(16, 8, depths[shape])};
        }
        case Opcode::DMMA: {
            constexpr std::array<double, 4> rows{8, 16, 16, 16};
            constexpr std::array<double, 4> depths{4, 4, 8, 16};
            const auto shape = instruction.word.get(isa::fields::dmma_shape);
            return {ArithmeticKind::tensor_fp64, 0, matrix_operations(rows[shape], 8, depths[shape])};
        }
        default: return {};
    }
}

double peak_of(ArithmeticKind kind, const sim::Platform& platform) {
    const double subcores =
        static_cast<double>(platform.gpu.sm_count) * platform.sm.subcores * platform.clock.sm_mhz * 1e6;
    const auto lanes = [&](double of_lane, const sim::PipeParameters& pipe) {
        return subcores * warp_size * of_lane / pipe.issue_interval_cycles;
    };
    switch (kind) {
        case ArithmeticKind::fp64: return lanes(2, platform.pipes.fp64);
        case ArithmeticKind::fp32: return lanes(2, platform.pipes.fma);
        case ArithmeticKind::fp16: return lanes(4, platform.pipes.fp16);
        case ArithmeticKind::tensor:
            return subcores * matrix_operations(16, 8, 16) / platform.pipes.tensor.issue_interval_cycles;
        case ArithmeticKind::tensor_fp64:
            return subcores * matrix_operations(16, 8, 4) / platform.pipes.tensor_double.issue_interval_cycles;
        case ArithmeticKind::none: break;
    }
    return 0;
}

}  // namespace

std::vector<Operations> operations_of(const LaunchSource& launch) {
    if (launch.platform == nullptr) return {};
    std::array<double, kind_names.size() + 1> counts{};
    for (const sim::SourceRow& row : launch.kernel.source) {
        const OperationsOf of = operations_of_instruction(row.instruction);
        counts[static_cast<std::size_t>(of.kind)] += static_cast<double>(row.thread_inst_executed) * of.of_lane +
                                                     static_cast<double>(row.inst_executed) * of.of_warp;
    }
    std::vector<Operations> found;
    for (std::size_t i = 0; i < kind_names.size(); ++i)
        if (counts[i] > 0)
            found.push_back({kind_names[i], counts[i], peak_of(static_cast<ArithmeticKind>(i), *launch.platform)});
    return found;
}

}  // namespace sassafras::cli
