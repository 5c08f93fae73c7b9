#include "sim/execute/driver_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "isa/program/targets.hpp"
#include "sim/execute/device_heap.hpp"
#include "sim/execute/memory_access.hpp"
#include "sim/execute/print_format.hpp"
#include "sim/execute/warp_state.hpp"

namespace sassafras::sim {

namespace {

struct Named {
    std::string_view symbol;
    DriverFunction function;
};
constexpr Named functions[] = {{"vprintf", DriverFunction::print},
                               {"malloc", DriverFunction::allocate},
                               {"__cuda_syscall_aligned_malloc", DriverFunction::allocate_aligned},
                               {"free", DriverFunction::release},
                               {"__assertfail", DriverFunction::fail_assertion}};

constexpr std::size_t longest_text = 1U << 20U;  ///< bytes of a string: what printf's buffer holds by default

/// One lane's view of the call: its argument registers and what its generic addresses reach.
class Caller {
  public:
    Caller(Warp& warp, const MicroOp& op, int lane) : warp_(warp), op_(op), lane_(static_cast<std::uint32_t>(lane)) {}

    [[nodiscard]] std::uint32_t& register_of(std::uint8_t number) const {
        const std::uint32_t at = (sink_rows + uniform_rows + number) * static_cast<std::uint32_t>(sizeof(Row));
        return words(row(warp_, at))[lane_];
    }
    [[nodiscard]] std::uint64_t wide(std::uint8_t number) const {
        return register_of(number) | static_cast<std::uint64_t>(register_of(static_cast<std::uint8_t>(number + 1)))
                                         << 32U;
    }
    void give(std::uint64_t value) const {
        register_of(first_argument_register) = static_cast<std::uint32_t>(value);
        register_of(first_argument_register + 1) = static_cast<std::uint32_t>(value >> 32U);
    }

    /// 1, 4 or 8 bytes; nothing after recording a fault.
    [[nodiscard]] std::optional<std::uint64_t> read(std::uint64_t address, std::uint32_t bytes) const {
        std::array<std::byte*, 4> host{};
        if (!locate_generic(warp_, op_, lane_, address, bytes, AccessKind::read, host)) return std::nullopt;
        std::uint64_t value = 0;
        for (std::uint32_t at = 0; at < bytes; at += 4)
            std::memcpy(reinterpret_cast<std::byte*>(&value) + at, host[at / 4], std::min(4U, bytes));
        return value;
    }
    [[nodiscard]] std::optional<std::string> text(std::uint64_t address) const {
        std::string found;
        while (found.size() < longest_text) {
            const auto character = read(address + found.size(), 1);
            if (!character) return std::nullopt;
            if (*character == 0) break;
            found += static_cast<char>(*character);
        }
        return found;
    }
    void fault(Fault::Reason reason, const char* message, std::uint64_t address) const {
        Fault fault;
        fault.reason = reason;
        fault.message = message;
        fault.address = address;
        fault.lane = lane_;
        record_fault(warp_, op_, fault);
    }
    void say(TextStream stream, std::string_view text) const {
        const auto& print = warp_.launch->request.print;
        if (print) print(stream, text);
    }
    [[nodiscard]] DeviceHeap* heap() const { return warp_.launch->request.heap; }
    [[nodiscard]] Warp& warp() const { return warp_; }
    [[nodiscard]] const MicroOp& op() const { return op_; }
    [[nodiscard]] std::uint32_t lane() const { return lane_; }

  private:
    Warp& warp_;
    const MicroOp& op_;
    std::uint32_t lane_;
};

void print(const Caller& caller) {
    const std::uint64_t format_address = caller.wide(4);
    if (format_address == 0) {
        caller.give(static_cast<std::uint32_t>(-1));
        return;
    }
    const auto format = caller.text(format_address);
    if (!format) return;
    std::uint64_t at = caller.wide(6);
    PrintArguments arguments;
    arguments.next = [&](std::uint32_t bytes) {
        at = (at + bytes - 1) / bytes * bytes;
        const auto value = caller.read(at, bytes);
        at += bytes;
        return value;
    };
    arguments.text = [&](std::uint64_t address) { return caller.text(address); };
    const auto printed = print_format(*format, arguments);
    if (!printed) return;
    caller.say(TextStream::output, printed->text);
    caller.register_of(first_argument_register) = static_cast<std::uint32_t>(printed->arguments);
}

void allocate(const Caller& caller, std::uint64_t alignment) {
    caller.give(caller.heap() == nullptr ? 0 : caller.heap()->allocate(caller.wide(4), alignment));
}

void release(const Caller& caller) {
    const std::uint64_t address = caller.wide(4);
    if (caller.heap() == nullptr ? address != 0 : !caller.heap()->free(address)) {
        caller.fault(Fault::Reason::release,
                     "free() of an address that malloc() in a kernel did not give, or that is free already", address);
        return;
    }
    Launch& launch = *caller.warp().launch;
    if (!launch.memory->has_exact_bounds()) return;
    // What instructions remember of memory may be what was freed.
    std::fill(launch.extents.begin(), launch.extents.end(), MemoryImage::Extent{});
}

/// All lanes of the call say that they failed; the kernel stops with the first.
void fail_assertion(const Caller& caller) {
    const auto expression = caller.text(caller.wide(4));
    const auto file = expression ? caller.text(caller.wide(6)) : std::nullopt;
    const auto function = file ? caller.text(caller.wide(10)) : std::nullopt;
    if (!function) return;
    const Warp& warp = caller.warp();
    const Dim3 shape = warp.launch->request.shape.block;
    const Dim3 block = warp.block->position;
    const std::uint32_t thread = warp.index * warp_size + caller.lane();
    std::string message = fmt::format("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.", *file,
                                      caller.register_of(8), *function, block.x, block.y, block.z, thread % shape.x,
                                      thread / shape.x % shape.y, thread / (shape.x * shape.y), *expression);
    caller.say(TextStream::error, message + '\n');
    if (warp.fault->reason != Fault::Reason::none) return;
    warp.launch->assertion = std::move(message);
    Fault fault;
    fault.reason = Fault::Reason::assertion;
    fault.lane = caller.lane();
    record_fault(caller.warp(), caller.op(), fault);
}

}  // namespace

std::optional<DriverFunction> driver_function(std::string_view symbol) {
    const auto* const found = std::find_if(std::begin(functions), std::end(functions),
                                           [&](const Named& named) { return named.symbol == symbol; });
    return found == std::end(functions) ? std::nullopt : std::optional(found->function);
}

std::uint64_t address_of(DriverFunction function) {
    return isa::external_code_begin + static_cast<std::uint64_t>(function) * isa::instruction_bytes;
}

std::optional<DriverFunction> driver_function_at(std::uint64_t address) {
    for (const Named& named : functions)
        if (address_of(named.function) == address) return named.function;
    return std::nullopt;
}

std::uint64_t return_address(Warp& warp, int lane) {
    const std::uint32_t at =
        (sink_rows + uniform_rows + return_address_register) * static_cast<std::uint32_t>(sizeof(Row));
    return read_pair(words(row(warp, at)), lane);
}

bool call_driver(Warp& warp, const MicroOp& op, DriverFunction function, std::uint32_t mask) {
    if (warp.log != nullptr) record_fault(warp, op, {.reason = Fault::Reason::not_together});
    for_each_lane(mask, [&](int lane) {
        const bool failed = warp.fault->reason != Fault::Reason::none;
        if (failed && function != DriverFunction::fail_assertion) return;
        const Caller caller(warp, op, lane);
        switch (function) {
            case DriverFunction::print: print(caller); break;
            case DriverFunction::allocate: allocate(caller, DeviceHeap::alignment); break;
            case DriverFunction::allocate_aligned: {
                const std::uint64_t alignment = caller.wide(6);
                allocate(caller, std::has_single_bit(alignment) ? alignment : DeviceHeap::alignment);
                break;
            }
            case DriverFunction::release: release(caller); break;
            case DriverFunction::fail_assertion: fail_assertion(caller); break;
        }
    });
    return warp.fault->reason == Fault::Reason::none;
}

}  // namespace sassafras::sim
