#include "sim/execute/executor.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/demangle.hpp"
#include "sim/execute/handlers.hpp"
#include "sim/execute/interpreter.hpp"
#include "sim/execute/lowering.hpp"
#include "sim/execute/observed_access.hpp"
#include "sim/execute/special_registers.hpp"
#include "sim/trace/address_windows.hpp"

namespace sassafras::sim {

namespace {

/// CUDA C++ Programming Guide, technical specifications per compute capability: local memory of a thread.
constexpr std::uint64_t most_local_bytes = 512U << 10U;

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

/// Some instruction names the word at `offset` of bank 0.
bool names_bank_zero(const isa::Program& program, std::uint32_t offset) {
    const auto is_word = [&](const isa::Operand& operand) {
        return operand.kind == isa::OperandKind::constant && operand.bank == 0 && operand.value == offset;
    };
    return std::any_of(program.instructions.begin(), program.instructions.end(),
                       [&](const isa::Instruction& i) { return is_word(i.a) || is_word(i.b) || is_word(i.c); });
}

/// What is reserved for cooperative groups lies before the program's variables where the architecture keeps bytes there
/// (an H200 says 0). Before it, variables begin at 0, and the bytes are taken to lie behind all of them.
SharedExtent shared_extent(const LaunchRequest& request) {
    const isa::Program& program = *request.kernel.program;
    const isa::ArchitectureLayout& layout = isa::layout_of(program.kernel.architecture);
    SharedExtent shared;
    shared.begin = layout.reserved_shared_bytes;
    shared.variables_end = static_cast<std::uint32_t>(shared.begin + round_up(program.kernel.static_shared.count, 16) +
                                                      request.shape.dynamic_shared.count);
    shared.end = shared.variables_end;
    if (layout.cooperative_shared_pointer == 0 || !names_bank_zero(program, layout.cooperative_shared_pointer))
        return shared;
    constexpr std::uint64_t alignment = 16;
    shared.reserved_begin =
        shared.begin != 0 ? 0 : static_cast<std::uint32_t>(round_up(shared.variables_end, alignment));
    shared.reserved_end = shared.reserved_begin + layout.cooperative_shared_bytes;
    shared.begin = std::min(shared.begin, shared.reserved_begin);
    shared.end = std::max(shared.end, shared.reserved_end);
    return shared;
}

/// Constant bank 0 as the driver fills it; offsets in docs/isa.md.
std::vector<std::byte> bank_zero(const LaunchRequest& request, std::uint64_t parameters, const SharedExtent& shared) {
    const isa::Kernel& kernel = request.kernel.program->kernel;
    const isa::ArchitectureLayout& layout = isa::layout_of(kernel.architecture);
    std::vector<std::byte> bank;
    if (!request.kernel.constant_banks.empty()) bank = request.kernel.constant_banks[0];
    bank.resize(
        std::max<std::size_t>({bank.size(), kernel.parameter_base + request.parameters.size(), layout.parameters}));
    const auto put = [&](std::size_t at, auto value) { std::memcpy(bank.data() + at, &value, sizeof value); };
    const LaunchShape& shape = request.shape;
    put(0x00, shape.block.x);
    put(0x04, shape.block.y);
    put(0x08, shape.block.z);
    put(0x0c, shape.grid.x);
    put(0x10, shape.grid.y);
    put(0x14, shape.grid.z);
    put(0x18, shared_window);
    put(0x20, local_window);
    put(0x28, stack_top);
    put(0x2c, static_cast<std::uint32_t>(shape.dynamic_shared.count));
    put(layout.grid_workspace_high, static_cast<std::uint32_t>(request.grid_workspace >> 32U));
    put(layout.grid_workspace_low, static_cast<std::uint32_t>(request.grid_workspace));
    put(layout.constant_variables_pointer, request.kernel.constant_variables);
    put(0x10c, request.sm_count);
    put(layout.parameter_pointer, parameters - layout.parameter_pointer_bias);
    put(0x114, layout.reserved_shared_bytes);
    if (layout.cooperative_shared_pointer != 0) put(layout.cooperative_shared_pointer, shared.reserved_begin);
    if (layout.has_clusters) {  // of one block
        for (std::size_t axis = 0; axis < 3; ++axis) {
            put(0x144 + 4 * axis, std::uint32_t{1});
            put(0x150 + 4 * axis, 1.0F);  // reciprocal of the size
        }
        put(0x15c, shape.grid.x);  // clusters
        put(0x160, shape.grid.y);
        put(0x164, shape.grid.z);
        put(0x188, std::uint32_t{1});  // blocks in a cluster
    }
    if (layout.memory_descriptor != 0) put(layout.memory_descriptor, std::uint64_t{0});
    if (!request.parameters.empty())
        std::memcpy(bank.data() + kernel.parameter_base, request.parameters.data(), request.parameters.size());
    return bank;
}

class Executor final : public TraceSource {
  public:
    explicit Executor(std::unique_ptr<Launch> launch) : launch_(std::move(launch)) {}
    ~Executor() override {
        if (launch_->parameter_copy.value != 0) (void)launch_->memory->free(launch_->parameter_copy);
    }

    const isa::Program& program() const override { return *launch_->program; }
    const LaunchShape& shape() const override { return launch_->request.shape; }
    Result<BlockTrace*> start(std::uint64_t block_index) override;
    Result<void> advance(BlockTrace& trace, std::uint64_t instructions_ahead) override;
    void provide_clock(BlockTrace& trace, std::uint32_t warp, Cycle now, std::uint64_t nanoseconds) override;
    void finish(BlockTrace& trace) override;

  private:
    Error deadlock(const Block& block) const;

    std::unique_ptr<Launch> launch_;
    std::vector<std::unique_ptr<Block>> resident_;
    std::vector<std::unique_ptr<Block>> spare_;  ///< finished blocks, to be used again
};

Result<BlockTrace*> Executor::start(std::uint64_t block_index) {
    const LaunchShape& shape = launch_->request.shape;
    if (block_index >= shape.grid.volume())
        return Error{ErrorKind::bad_input, fmt::format("block {} of a grid of {}", block_index, shape.grid.volume()),
                     "", "start each block of the grid once"};
    std::unique_ptr<Block> owned;
    if (spare_.empty()) {
        owned = std::make_unique<Block>();
        owned->slot = static_cast<std::uint32_t>(resident_.size());
    } else {
        owned = std::move(spare_.back());
        spare_.pop_back();
    }
    Block& block = *owned;
    const auto threads = static_cast<std::uint32_t>(shape.block.volume());
    const std::uint32_t warps = (threads + warp_size - 1) / warp_size;
    block.block_index = block_index;
    block.position = {static_cast<std::uint32_t>(block_index % shape.grid.x),
                      static_cast<std::uint32_t>(block_index / shape.grid.x % shape.grid.y),
                      static_cast<std::uint32_t>(block_index / shape.grid.x / shape.grid.y)};
    block.live_warps = warps;
    block.barriers = {};
    block.shared.assign(launch_->shared.end, std::byte{0});
    const std::size_t local_words = launch_->uses_local ? (stack_top - launch_->local_begin) / 4 * warp_size : 0;
    block.local.reset(local_words * warps);
    block.registers.resize(0);
    block.registers.resize(static_cast<std::size_t>(launch_->rows_per_warp) * warps);
    block.warps.resize(warps);
    block.state.assign(warps, Warp{});
    for (std::uint32_t index = 0; index < warps; ++index) {
        Warp& warp = block.state[index];
        block.warps[index].clear();
        warp.base[0] = block.registers.data() + static_cast<std::size_t>(index) * launch_->rows_per_warp * sizeof(Row);
        warp.base[1] = launch_->constants.data();
        warp.predicates[predicate_true_index] = full_mask;
        warp.predicates[uniform_predicates + predicate_true_index] = full_mask;
        warp.launch = launch_.get();
        warp.block = &block;
        warp.trace = &block.warps[index];
        warp.shared = block.shared.data();
        warp.local =
            local_words == 0 ? nullptr : reinterpret_cast<std::byte*>(block.local.data() + index * local_words);
        const std::uint32_t left = threads - index * warp_size;
        warp.members = warp.alive = left >= warp_size ? full_mask : (1U << left) - 1U;
        warp.index = index;
        warp.group_count = 1;
        warp.groups[0].mask = warp.members;
    }
    if (launch_->observer != nullptr) launch_->observer->block_started(block.slot, block_index, warps, launch_->shared);
    BlockTrace* trace = owned.get();
    resident_.push_back(std::move(owned));
    return trace;
}

Result<void> Executor::advance(BlockTrace& trace, std::uint64_t instructions_ahead) {
    auto& block = static_cast<Block&>(trace);
    bool progress = true;
    while (progress) {
        progress = false;
        for (Warp& warp : block.state) {
            const std::uint64_t buffered = warp.trace->buffered();
            if (warp.trace->state != WarpTrace::State::running || buffered >= instructions_ahead || !is_ready(warp))
                continue;
            progress = true;
            Error error;
            if (run_warp(*launch_, block, warp, instructions_ahead - buffered, error) != Stop::failed) continue;
            if (launch_->fault.reason == Fault::Reason::none) return error;
            if (launch_->observer != nullptr) {
                Fault fault = launch_->fault;
                if (fault.reason == Fault::Reason::assertion) fault.message = launch_->assertion.c_str();
                const std::uint32_t lanes = fault.lanes != 0 ? fault.lanes : 1U << fault.lane;
                launch_->observer->stopped({block.slot, fault.warp, fault.pc, lanes, warp.alive}, fault);
            }
            return describe_fault(*launch_, block);
        }
    }
    // Stuck if some warp waits and nothing that could release it can go on.
    bool waits = false;
    for (Warp& warp : block.state) {
        if (warp.trace->state == WarpTrace::State::exited) continue;
        if (warp.trace->state != WarpTrace::State::running || is_ready(warp)) return {};
        waits = true;
    }
    if (waits) return deadlock(block);
    return {};
}

Error Executor::deadlock(const Block& block) const {
    std::string waiting;
    std::uint32_t first_pc = 0;
    std::uint32_t listed = 0;
    for (const Warp& warp : block.state) {
        for (std::uint32_t index = 0; index < warp.group_count; ++index) {
            const Group& group = warp.groups[index];
            if (launch_->observer != nullptr && group.state == Group::State::at_barrier)
                launch_->observer->deadlocked({block.slot, warp.index, group.pc, group.mask, warp.alive});
            if (listed == 0) first_pc = group.pc;
            if (++listed > 8) continue;
            const char* what = group.state == Group::State::at_barrier       ? "BAR"
                               : group.state == Group::State::at_convergence ? "BSYNC B"
                               : group.state == Group::State::asleep         ? "NANOSLEEP"
                                                                             : "WARPSYNC";
            waiting += fmt::format("{}warp {} (lanes {:#010x}) at pc {:#x} for {}", waiting.empty() ? "" : ", ",
                                   warp.index, group.mask, group.pc * isa::instruction_bytes, what);
            if (group.state != Group::State::at_warp_sync)
                waiting += fmt::format("{}{}", group.state == Group::State::at_barrier ? " " : "", group.barrier);
        }
    }
    if (listed > 8) waiting += fmt::format(" and {} more", listed - 8);
    return {ErrorKind::check_failed, "Deadlock: every warp of the block waits; " + waiting,
            fmt::format("{}, block ({},{},{})", place(*launch_, first_pc), block.position.x, block.position.y,
                        block.position.z),
            "every thread that has not exited must reach the barrier, with the same thread count", FaultKind::runaway};
}

void Executor::provide_clock(BlockTrace& trace, std::uint32_t warp_index, Cycle now, std::uint64_t nanoseconds) {
    auto& block = static_cast<Block&>(trace);
    Warp& warp = block.state[warp_index];
    require_invariant(warp.trace->state == WarpTrace::State::waiting_clock,
                      "clock for a warp that does not wait for one");
    const MicroOp& op = launch_->ops[warp.clock_pc];
    const bool timer = op.m0 == special_register::global_timer_low || op.m0 == special_register::global_timer_high;
    const bool high = op.m0 == special_register::clock_high || op.m0 == special_register::global_timer_high;
    const LaunchRequest& request = launch_->request;
    const auto nanosecond = static_cast<std::uint64_t>(request.nanoseconds_begin + static_cast<double>(nanoseconds));
    const std::uint64_t time =
        timer ? nanosecond - nanosecond % request.global_timer_step : request.clock_begin.count + now.count;
    const std::uint64_t value = time >> (high ? 32U : 0U);
    const std::uint32_t mask = op.m2 != 0 ? full_mask : warp.clock_mask;
    U32x8* d = row(warp, op.d);
    for (int part = 0; part < parts; ++part) {
        store<false>(d, broadcast(static_cast<std::uint32_t>(value)), mask, part);
        if (op.m1 != 0) store<false>(d + parts, broadcast(static_cast<std::uint32_t>(value >> 32U)), mask, part);
    }
    warp.trace->state = WarpTrace::State::running;
}

void Executor::finish(BlockTrace& trace) {
    const auto found =
        std::find_if(resident_.begin(), resident_.end(), [&](const auto& block) { return block.get() == &trace; });
    require_invariant(found != resident_.end(), "finish() of a block that is not resident");
    if (launch_->observer != nullptr) launch_->observer->block_finished((*found)->slot);
    spare_.push_back(std::move(*found));
    *found = std::move(resident_.back());
    resident_.pop_back();
}

Result<void> check(const LaunchRequest& request) {
    const isa::Kernel& kernel = request.kernel.program->kernel;
    const LaunchShape& shape = request.shape;
    const std::string where = fmt::format("kernel {}", demangled(kernel.name));
    const auto bad = [&](std::string what, std::string remedy) {
        return Error{ErrorKind::bad_input, std::move(what), where, std::move(remedy)};
    };
    if (shape.grid.volume() == 0 || shape.block.volume() == 0)
        return bad("a grid or block dimension is 0", "every dimension must be at least 1");
    if (shape.block.volume() > kernel.max_threads)
        return bad(fmt::format("{} threads a block; the kernel allows {}", shape.block.volume(), kernel.max_threads),
                   "launch smaller blocks");
    const Dim3 required = kernel.required_block;
    if (required.volume() != 0 && required != shape.block)
        return bad(fmt::format("block ({},{},{}); the kernel requires ({},{},{})", shape.block.x, shape.block.y,
                               shape.block.z, required.x, required.y, required.z),
                   "launch with the required block");
    if (kernel.local_per_thread.count > most_local_bytes)
        return bad(fmt::format("{} bytes of local memory a thread; a GPU gives at most {}",
                               kernel.local_per_thread.count, most_local_bytes),
                   "make the kernel's stack and local arrays smaller");
    if (request.parameters.size() != kernel.parameter_bytes)
        return bad(fmt::format("{} bytes of parameters; the kernel takes {}", request.parameters.size(),
                               kernel.parameter_bytes),
                   "pass every parameter with its size and alignment");
    return {};
}

}  // namespace

bool names_grid_workspace(const isa::Program& program) {
    return names_bank_zero(program, isa::layout_of(program.kernel.architecture).grid_workspace_low);
}

Result<std::unique_ptr<TraceSource>> make_executor(LaunchRequest request, MemoryImage& memory) {
    if (auto checked = check(request); !checked) return checked.error();
    auto launch = std::make_unique<Launch>();
    launch->request = std::move(request);
    launch->program = launch->request.kernel.program.get();
    launch->memory = &memory;
    const isa::Kernel& kernel = launch->program->kernel;
    launch->shared = shared_extent(launch->request);
    launch->banks = launch->request.kernel.constant_banks;
    if (launch->banks.empty()) launch->banks.resize(1);
    if (names_bank_zero(*launch->program, isa::layout_of(kernel.architecture).parameter_pointer) &&
        !launch->request.parameters.empty()) {
        auto copy = memory.allocate(Bytes{launch->request.parameters.size()});
        if (!copy) return copy.error();
        launch->parameter_copy = *copy;
        if (auto done = memory.write(*copy, launch->request.parameters); !done) return done.error();
    }
    launch->banks[0] = bank_zero(launch->request, launch->parameter_copy.value, launch->shared);
    Lowering(*launch->program, *launch).run();
    launch->observer = launch->request.observer;
    if (launch->observer != nullptr) observe_instructions(*launch);
    const std::uint64_t stack =
        round_up(std::max(kernel.local_per_thread.count, launch->uses_local ? launch->request.stack.count : 0), 16);
    launch->uses_local = launch->uses_local || kernel.local_per_thread.count != 0;
    launch->local_begin = static_cast<std::uint32_t>(stack_top - stack);
    launch->extents.resize(launch->ops.size());
    return std::unique_ptr<TraceSource>(std::make_unique<Executor>(std::move(launch)));
}

}  // namespace sassafras::sim
