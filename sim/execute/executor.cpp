#include "sim/execute/executor.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>

#include <fmt/format.h>

#include "core/demangle.hpp"
#include "sim/execute/block_run.hpp"
#include "sim/execute/concurrent/concurrent_advance.hpp"
#include "sim/execute/handlers.hpp"
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
    explicit Executor(std::unique_ptr<Launch> launch) : launch_(std::move(launch)) {
        depends_on_order_ = !ConcurrentAdvance::suits(*launch_);
        ConcurrentMemory* const memory = launch_->request.concurrent;
        if (memory != nullptr && launch_->observer == nullptr && !depends_on_order_)
            concurrent_.emplace(*launch_, *memory);
    }
    ~Executor() override {
        if (launch_->parameter_copy.value != 0) (void)launch_->memory->free(launch_->parameter_copy);
    }

    const isa::Program& program() const override { return *launch_->program; }
    const LaunchShape& shape() const override { return launch_->request.shape; }
    Result<BlockTrace*> start(std::uint64_t block_index) override;
    Result<void> advance(BlockTrace& trace, std::uint64_t instructions_ahead) override;
    bool depends_on_order() const override { return depends_on_order_; }
    bool begin_parts(std::span<const AdvancePart> parts) override { return concurrent_ && concurrent_->begin(parts); }
    void advance_in_part(std::size_t part, std::size_t place) override { concurrent_->advance(part, place); }
    void compare_part(std::size_t part) override { concurrent_->compare(part); }
    Result<bool> end_parts() override { return concurrent_->end(); }
    void provide_clock(BlockTrace& trace, std::uint32_t warp, Cycle now, std::uint64_t nanoseconds) override;
    void finish(BlockTrace& trace) override;

  private:
    std::unique_ptr<Launch> launch_;
    bool depends_on_order_ = true;
    std::optional<ConcurrentAdvance> concurrent_;
    std::vector<std::unique_ptr<Block>> resident_;
    /// Finished blocks, to be used again, those first that have waited longest: where as many begin as have ended, each
    /// is used where it was, and lies in that core's caches.
    std::deque<std::unique_ptr<Block>> spare_;
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
        owned = std::move(spare_.front());
        spare_.pop_front();
    }
    Block& block = *owned;
    const auto threads = static_cast<std::uint32_t>(shape.block.volume());
    const std::uint32_t warps = (threads + warp_size - 1) / warp_size;
    block.block_index = block_index;
    block.position = {static_cast<std::uint32_t>(block_index % shape.grid.x),
                      static_cast<std::uint32_t>(block_index / shape.grid.x % shape.grid.y),
                      static_cast<std::uint32_t>(block_index / shape.grid.x / shape.grid.y)};
    block.warps.resize(warps);
    for (WarpTrace& warp : block.warps) warp.clear();
    block.fresh = true;
    if (launch_->observer != nullptr) launch_->observer->block_started(block.slot, block_index, warps, launch_->shared);
    block.resident = resident_.size();
    BlockTrace* trace = owned.get();
    resident_.push_back(std::move(owned));
    return trace;
}

Result<void> Executor::advance(BlockTrace& trace, std::uint64_t instructions_ahead) {
    return advance_block(*launch_, static_cast<Block&>(trace), instructions_ahead);
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
    const std::size_t at = static_cast<Block&>(trace).resident;
    require_invariant(at < resident_.size() && resident_[at].get() == &trace,
                      "finish() of a block that is not resident");
    if (launch_->observer != nullptr) launch_->observer->block_finished(resident_[at]->slot);
    spare_.push_back(std::move(resident_[at]));
    if (at + 1 != resident_.size()) {
        resident_[at] = std::move(resident_.back());
        resident_[at]->resident = at;
    }
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

bool reads_global_timer(const isa::Program& program) {
    return std::any_of(program.instructions.begin(), program.instructions.end(), [](const isa::Instruction& i) {
        using isa::Opcode;
        if (i.opcode != Opcode::S2R && i.opcode != Opcode::S2UR && i.opcode != Opcode::CS2R) return false;
        const std::uint64_t number = i.word.get(isa::fields::special_register);
        return number == special_register::global_timer_low || number == special_register::global_timer_high;
    });
}

std::shared_ptr<ConcurrentMemory> make_concurrent_memory(const MemoryImage& memory) {
    return std::make_shared<ConcurrentMemory>(memory);
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
