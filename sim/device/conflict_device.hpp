// A modelled GPU that executes and counts bank conflicts: by instruction, round, degree and bank.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "isa/program/program.hpp"
#include "sim/access/conflict_counts.hpp"
#include "sim/access/payload_sites.hpp"
#include "sim/access/round_step.hpp"
#include "sim/device/model_options.hpp"
#include "sim/device/modelled_device.hpp"
#include "sim/platform/platform.hpp"

namespace sassafras::sim {

/// How a kernel's loop is told apart into rounds: a warp is in round 0 until an instruction begins one. By instruction;
/// empty where a kernel has no such loop.
struct RoundMarks {
    std::vector<RoundStep> steps;
    std::vector<bool> inside;  ///< its requests belong to the warp's round; all others to round 0
};

/// Which request to keep. Of those that fit, the one with most wavefronts beyond the ideal, the first of equals.
struct RequestChoice {
    std::string kernel;                   ///< mangled or as people read it; empty: any
    std::optional<std::uint64_t> pc;      ///< bytes
    std::optional<std::uint64_t> number;  ///< SharedRequest::number
};

struct ConflictOptions {
    /// Asked once a launch.
    std::function<RoundMarks(const isa::Program&)> rounds;
    RequestChoice choice;
};

/// Most rounds that are told apart; those beyond count as the last.
inline constexpr std::uint32_t most_rounds = 64;

struct InstructionConflicts {
    std::uint32_t instruction = 0;  ///< index in the kernel
    isa::Instruction decoded;
    std::uint32_t width = 0;  ///< bytes a lane
    SharedAccessKind kind = SharedAccessKind::load;
    std::vector<ConflictCounts> by_round;  ///< at least round 0
};

/// What one launch did.
struct LaunchConflicts {
    std::string kernel;
    std::uint64_t code_hash = 0;  ///< tells kernels of one name apart where there may be several; else 0
    Dim3 grid;
    Dim3 block;
    Bytes shared{};  ///< of a block
    BankGeometry geometry;
    std::vector<InstructionConflicts> instructions;  ///< those with requests, in program order
    std::vector<BankCounts> banks;
    /// Those apart; empty where a process has handed over the sums alone.
    std::vector<std::vector<BankCounts>> banks_by_round = {};
    std::optional<SharedRequest> chosen;
};

/// A line a launch goes into `launches`, which must outlive the device. Results have smsp__inst_executed.sum and the
/// two metrics of shared memory, equal to the functional device's.
[[nodiscard]] std::unique_ptr<ModelledDevice> make_conflict_device(const Platform& platform, ModelOptions options,
                                                                   ConflictOptions conflicts,
                                                                   std::vector<LaunchConflicts>& launches);

}  // namespace sassafras::sim
