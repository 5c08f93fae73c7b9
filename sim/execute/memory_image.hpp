// The global memory of a simulated GPU: allocations at deterministic device addresses, checked as compute-sanitizer
// would.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "core/free_ranges.hpp"
#include "core/result.hpp"
#include "core/types.hpp"

namespace sassafras::sim {

class MemoryImage {
  public:
    /// First device address handed out. Fixed, so that runs are reproducible: addresses steer L2 slices and DRAM
    /// channels.
    static constexpr std::uint64_t base_address = 0x7f00'0000'0000;  // where a program does not say otherwise
    /// Allocations start on this boundary and never touch one another (cuMemAlloc aligns to 512 bytes as well).
    static constexpr std::uint64_t alignment = 512;

    /// `first_address`: of the first allocation; a multiple of `alignment`.
    explicit MemoryImage(Bytes capacity, std::uint64_t first_address = base_address);
    MemoryImage(const MemoryImage&) = delete;
    MemoryImage& operator=(const MemoryImage&) = delete;
    ~MemoryImage();

    Result<Address> allocate(Bytes size);
    Result<void> free(Address address);
    Result<void> write(Address to, std::span<const std::byte> data);
    Result<void> read(std::span<std::byte> to, Address from) const;
    Result<void> fill(Address to, std::byte value, Bytes size);

    /// Host memory that the GPU reaches under its host address (managed, pinned). It stays the caller's, who detaches
    /// it before it goes. Error bad_input if it overlaps what is there.
    Result<void> attach(std::byte* host, Bytes size);
    Result<void> detach(const std::byte* host);

    [[nodiscard]] std::uint64_t first_address() const { return first_address_; }
    [[nodiscard]] Bytes capacity() const { return Bytes{capacity_}; }
    /// What allocate() could still give, all holes together.
    [[nodiscard]] Bytes available() const;

    /// Host pointer of `address` if [address, address + size) lies inside one live allocation, else nullptr.
    [[nodiscard]] std::byte* translate(std::uint64_t address, std::uint64_t size) const;

    /// The allocation around an address, for the execution fast path: [begin, end) and the host pointer of begin.
    struct Extent {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::byte* host = nullptr;
    };
    [[nodiscard]] Extent find(std::uint64_t address) const;
    /// The allocation that ends or begins nearest to an address, or holds it, without its host pointer; end 0 if there
    /// is none.
    [[nodiscard]] Extent nearest(std::uint64_t address) const;

  private:
    std::byte* arena_ = nullptr;  ///< host address space reserved for the whole capacity; pages appear when touched
    std::uint64_t capacity_ = 0;
    std::uint64_t first_address_ = 0;
    std::uint64_t next_ = 0;
    std::map<std::uint64_t, std::uint64_t> live_;      ///< offset -> size in bytes
    FreeRanges holes_;                                 ///< offsets of freed ranges
    std::map<std::uint64_t, std::uint64_t> attached_;  ///< host address -> size in bytes
};

}  // namespace sassafras::sim
