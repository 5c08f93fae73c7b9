// Arrays of the host as arguments of a launch: the GPU is lent their memory, and nothing is copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/result.hpp"
#include "sim/execute/memory_image.hpp"

namespace sassafras::python {

/// Bytes that somebody keeps where they are until the launch has ended.
struct HostRange {
    std::byte* begin = nullptr;
    std::size_t bytes = 0;
};

/// Lends for as long as it lives.
class LentArrays {
  public:
    explicit LentArrays(sim::MemoryImage& memory) : memory_(memory) {}
    LentArrays(const LentArrays&) = delete;
    LentArrays& operator=(const LentArrays&) = delete;
    ~LentArrays();

    /// The device addresses of ranges, in their order. Those that overlap (views of one array) are lent together. An
    /// address depends on the sizes and the order only, so that cycles do; an empty range has address 0. Errors as
    /// MemoryImage::lend.
    [[nodiscard]] Result<std::vector<std::uint64_t>> lend(const std::vector<HostRange>& ranges);

  private:
    sim::MemoryImage& memory_;
    std::vector<Address> lent_;
};

}  // namespace sassafras::python
