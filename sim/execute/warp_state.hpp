// The state of warps, blocks and a launch while it executes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/execute/execution_observer.hpp"
#include "sim/execute/executor.hpp"
#include "sim/execute/lanes.hpp"
#include "sim/execute/micro_op.hpp"
#include "sim/execute/row_vector.hpp"
#include "sim/execute/zeroed_words.hpp"
#include "sim/trace/address_windows.hpp"
#include "sim/trace/trace_source.hpp"

namespace sassafras::sim {

inline constexpr std::uint32_t convergence_barriers = 16;
inline constexpr std::uint32_t named_barriers = 16;
inline constexpr std::uint8_t predicate_true_index = 7;  ///< PT; UP0 is 8, UPT is 15
inline constexpr std::uint8_t uniform_predicates = 8;
inline constexpr std::uint8_t predicate_sink = 16;
inline constexpr std::uint32_t sink_rows = 4;  ///< rows 0..3 take what is written to RZ
inline constexpr std::uint32_t uniform_rows = 64;

/// Lanes of a warp that share a pc. A warp is one group until a branch splits it.
struct Group {
    enum class State : std::uint8_t { ready, at_convergence, at_warp_sync, at_barrier, asleep };
    std::uint32_t pc = 0;  ///< instruction index
    std::uint32_t mask = 0;
    State state = State::ready;
    std::uint8_t barrier = 0;
    bool exact = false;           ///< came from WARPSYNC and has not run since: what follows counts on these lanes only
    bool collective = false;      ///< waits at WARPSYNC.COLLECTIVE
    std::uint16_t yields = 0;     ///< since it last parted from another group or met one
    std::uint32_t sync_mask = 0;  ///< lanes that WARPSYNC waits for
    std::uint64_t last_run = 0;
};

struct Launch;
struct Block;
struct Fault;
class AccessLog;

struct Warp {
    std::byte* base[2] = {nullptr, nullptr};  ///< registers; the launch's constant rows
    std::array<std::uint32_t, 17>
        predicates{};  ///< P0..P6, PT, UP0..UP6, UPT, sink: lane masks; uniform ones are all or nothing
    Launch* launch = nullptr;
    Block* block = nullptr;
    WarpTrace* trace = nullptr;
    Fault* fault = nullptr;            ///< the launch's, or that of the part that executes apart from others
    AccessLog* log = nullptr;          ///< of that part; null where parts execute one after the other
    std::byte* shared = nullptr;       ///< host pointer of shared address 0
    std::byte* local = nullptr;        ///< word w of lane l lies at 128 * w + 4 * l
    std::uint32_t active = 0;          ///< lanes of the running group
    std::uint32_t alive = 0;           ///< lanes that have not exited
    std::uint32_t members = 0;         ///< lanes that exist
    std::uint32_t index = 0;           ///< in the block
    std::uint64_t executed = 0;        ///< warp instructions
    std::uint64_t switches = 0;        ///< group switches, for fairness
    std::uint32_t barrier_result = 0;  ///< of the last BAR.RED
    std::uint32_t clock_pc = 0;        ///< instruction that waits for a clock
    std::uint32_t clock_mask = 0;
    std::uint32_t current = 0;  ///< index of the running group
    std::uint32_t group_count = 0;
    bool any_asleep = false;       ///< some group sleeps
    bool values_observed = false;  ///< the launch's observer sees what computes and branches, too
    bool waits_in_vain = false;    ///< the last look at a barrier in memory found its phase not over for some lane
    bool youngest_apart = false;   ///< the youngest group came from the last split and has not run since
    Segment pending{};             ///< not yet in the trace
    std::uint32_t met = 0;  ///< lanes at WARPSYNC that have met all that they name, and wait for others of their group
    std::array<std::uint32_t, warp_size> named{};           ///< by lane at WARPSYNC: the lanes that it waits for
    std::array<std::uint32_t, warp_size> collective_end{};  ///< by lane: where the collective region ends that it is in
    std::array<Group, warp_size> groups{};
    std::array<std::uint32_t, named_barriers>
        arrived{};  ///< lanes that arrived since this warp last counted at a barrier
    std::array<std::array<std::uint32_t, warp_size>, 2> return_pc{};  ///< by half and lane: what RPCMOV moves
    alignas(64) std::array<std::array<std::uint32_t, warp_size>,
                           convergence_barriers> convergence{};  ///< by lane: who joined with it
};

struct NamedBarrier {
    std::uint32_t expected = 0;  ///< threads; 0: every warp of the block
    std::uint32_t arrived_warps = 0;
    std::uint32_t count = 0;  ///< BAR.RED.POPC
    bool all = true;
    bool any = false;
};

/// What a block needs while it executes, and neither before nor when it has exited.
struct BlockState {
    std::vector<Warp> state;  ///< one a warp
    RowVector registers;
    std::vector<std::byte> shared;
    ZeroedWords local;
};

struct Block : BlockTrace, BlockState {
    std::uint32_t slot = 0;  ///< its number among the resident blocks, for the observer
    bool fresh = true;       ///< nothing of it has executed; its state is set up when something does
    Dim3 position;
    std::array<NamedBarrier, named_barriers> barriers{};
    std::uint32_t live_warps = 0;
    std::size_t resident = 0;  ///< its place among the resident blocks
};

/// The first access that was illegal.
struct Fault {
    /// release: free() of what is not allocated; message: any other that Fault::message says
    /// not_together: no fault, but what a part cannot do while others execute
    enum class Reason : std::uint8_t { none, out_of_bounds, misaligned, message, release, assertion, not_together };
    enum class Space : std::uint8_t { global, shared, local, constant };
    Reason reason = Reason::none;
    Space space = Space::global;
    const char* access = "read";  ///< read, write, atomic
    const char* message = nullptr;
    std::uint32_t size = 0;
    std::uint32_t pc = 0;  ///< instruction index
    std::uint32_t warp = 0;
    std::uint32_t lane = 0;
    std::uint32_t lanes = 0;  ///< of constant memory: all that go wrong alike, this one among them
    std::uint64_t address = 0;
};

/// The handlers that an observed instruction has in its own right.
struct ObservedInstruction {
    Handler full = nullptr;
    Handler masked = nullptr;
    bool stores_registers = false;  ///< MicroOp::b is what it stores
};

struct Launch {
    LaunchRequest request;
    ExecutionObserver* observer = nullptr;      ///< the request's
    std::vector<ObservedInstruction> observed;  ///< by instruction; empty without an observer
    bool values_observable = false;             ///< handlers of what computes look at Warp::values_observed
    const isa::Program* program = nullptr;
    MemoryImage* memory = nullptr;
    std::vector<MicroOp> ops;
    RowVector constants;                               ///< broadcast immediates; rows 0..3 are zero
    std::vector<std::vector<std::byte>> banks;         ///< constant banks, bank 0 complete
    mutable std::vector<MemoryImage::Extent> extents;  ///< by instruction: the allocation it touched last
    std::uint32_t rows_per_warp = 0;
    SharedExtent shared;
    std::uint32_t local_begin = 0;  ///< first valid local address of a thread
    bool uses_local = false;
    Address parameter_copy;  ///< in memory, for kernels that take a parameter's address; 0 if none
    Fault fault;
    std::string assertion;  ///< what the first assertion that failed says

    /// Words of local memory of a warp, where uses_local.
    [[nodiscard]] std::size_t local_words_of_warp() const {
        return static_cast<std::size_t>(stack_top - local_begin) / 4 * warp_size;
    }
};

[[nodiscard]] inline U32x8* row(Warp& warp, std::uint32_t reference) {
    return reinterpret_cast<U32x8*>(warp.base[reference & 1U] + (reference & ~1U));
}

[[nodiscard]] inline std::uint32_t instruction_index(const Warp& warp, const MicroOp& op) {
    return static_cast<std::uint32_t>(&op - warp.launch->ops.data());
}

/// Lanes in which source predicate `number` of the instruction holds.
template <int number>
[[nodiscard]] inline std::uint32_t source_predicate(const Warp& warp, const MicroOp& op) {
    const std::uint8_t index = number == 0 ? op.s0 : number == 1 ? op.s1 : op.s2;
    return warp.predicates[index] ^ (0U - (static_cast<std::uint32_t>(op.source_flip) >> number & 1U));
}

inline void write_predicate(Warp& warp, std::uint8_t index, std::uint32_t value, std::uint32_t mask) {
    warp.predicates[index] = (warp.predicates[index] & ~mask) | (value & mask);
}

/// Keeps the first fault only.
void record_fault(Warp& warp, const MicroOp& op, Fault fault);
[[nodiscard]] Error describe_fault(const Launch& launch, const Block& block);
[[nodiscard]] std::string place(const Launch& launch, std::uint32_t pc);

}  // namespace sassafras::sim
