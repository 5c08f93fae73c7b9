// Functions that the driver gives to kernels: a cubin names them and calls them, but has no code of them. They have
// addresses that no kernel's code has; a CALL of such an address runs the function here and goes on behind the call.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sassafras::sim {

struct Warp;
struct MicroOp;

enum class DriverFunction : std::uint8_t {
    print,             ///< vprintf(format, arguments)
    allocate,          ///< malloc(bytes)
    allocate_aligned,  ///< __cuda_syscall_aligned_malloc(bytes, alignment), of `new` of over-aligned types
    release,           ///< free(address)
    fail_assertion,    ///< __assertfail(expression, file, line, function, bytes of a character)
};

/// The function of that name, as relocations have it.
[[nodiscard]] std::optional<DriverFunction> driver_function(std::string_view symbol);
[[nodiscard]] std::uint64_t address_of(DriverFunction function);
[[nodiscard]] std::optional<DriverFunction> driver_function_at(std::uint64_t address);

/// Registers of the ABI: arguments and result from R4 on, 64-bit ones in even pairs; the return address in R20 and R21.
inline constexpr std::uint8_t first_argument_register = 4;
inline constexpr std::uint8_t return_address_register = 20;
[[nodiscard]] std::uint64_t return_address(Warp& warp, int lane);

/// Runs the function for each lane of `mask`, in order of lanes; `op` is the call. False after a fault.
[[nodiscard]] bool call_driver(Warp& warp, const MicroOp& op, DriverFunction function, std::uint32_t mask);

}  // namespace sassafras::sim
