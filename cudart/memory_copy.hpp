// Copies and sets over any mix of device and host addresses.
#pragma once

#include <driver_types.h>

#include <cstddef>

#include "cudart/copy_time.hpp"
#include "cudart/runtime.hpp"

namespace sassafras::cudart {

/// What one call of the API moves.
struct Transfer {
    bool blocking = false;  ///< the function is not asynchronous
    Way way{};
    std::uint64_t bytes = 0;
};

/// `rows` rows of `width` bytes, `to_pitch` and `from_pitch` bytes apart; they are added to `moved`. Where the host
/// waits for the end, the error of a kernel before shows, and nothing is moved. cudaErrorInvalidValue where a device
/// address lies outside of an allocation, or an address is not on the side that `kind` says.
[[nodiscard]] cudaError_t copy_rows(Runtime& runtime, Transfer& moved, void* to, std::size_t to_pitch, const void* from,
                                    std::size_t from_pitch, std::size_t width, std::size_t rows, cudaMemcpyKind kind);
[[nodiscard]] inline cudaError_t copy(Runtime& runtime, Transfer& moved, void* to, const void* from, std::size_t size,
                                      cudaMemcpyKind kind) {
    return copy_rows(runtime, moved, to, size, from, size, size, 1, kind);
}
[[nodiscard]] cudaError_t set_rows(Runtime& runtime, Transfer& moved, void* to, std::size_t pitch, int value,
                                   std::size_t width, std::size_t rows);

}  // namespace sassafras::cudart
