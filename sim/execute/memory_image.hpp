// The global memory of a simulated GPU: allocations at deterministic device addresses. Kernels reach it in whole pages,
// as hardware maps it, or with exact bounds, as compute-sanitizer watches it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "core/free_ranges.hpp"
#include "core/result.hpp"
#include "core/types.hpp"
#include "sim/execute/former_ranges.hpp"
#include "sim/execute/traced_addresses.hpp"

namespace sassafras::sim {

class MemoryImage {
  public:
    /// First device address handed out. Fixed, so that runs are reproducible: addresses steer L2 slices and DRAM
    /// channels.
    static constexpr std::uint64_t base_address = 0x7f00'0000'0000;  // where a program does not say otherwise
    /// Allocations start on this boundary and never touch one another (cuMemAlloc aligns to 512 bytes as well).
    static constexpr std::uint64_t alignment = 512;

    /// How kernels see memory.
    struct Mapping {
        /// A page with an allocation in it is mapped as a whole; a power of two, at least `alignment`. 0: exact bounds,
        /// and what was freed is not given out again while there is other room.
        Bytes page{0};
        /// What the driver has mapped for itself before the first allocation; whole pages.
        Bytes below{0};
    };

    /// `first_address`: of the first allocation; a multiple of `alignment` and of the page.
    explicit MemoryImage(Bytes capacity, std::uint64_t first_address = base_address)
        : MemoryImage(capacity, first_address, Mapping{}) {}
    MemoryImage(Bytes capacity, std::uint64_t first_address, Mapping mapping);
    MemoryImage(const MemoryImage&) = delete;
    MemoryImage& operator=(const MemoryImage&) = delete;
    ~MemoryImage();

    Result<Address> allocate(Bytes size);
    Result<void> free(Address address);
    Result<void> write(Address to, std::span<const std::byte> data);
    Result<void> read(std::span<std::byte> to, Address from) const;
    Result<void> fill(Address to, std::byte value, Bytes size);
    /// Of this part of one live allocation, how much from its begin on nothing has touched since it was given out or
    /// filled with zeros: these bytes are zeros. None where that is not known, as of memory that is attached.
    [[nodiscard]] Bytes untouched(Address from, Bytes size) const;

    /// Host memory that the GPU reaches under its host address (managed, pinned). It stays the caller's, who detaches
    /// it before it goes. Error bad_input if it overlaps what is there.
    Result<void> attach(std::byte* host, Bytes size);
    Result<void> detach(const std::byte* host);
    /// Of attached memory that lies wherever the host's allocator had room: where traces have it.
    [[nodiscard]] TracedAddresses& traced_addresses() { return traced_addresses_; }
    [[nodiscard]] const TracedAddresses& traced_addresses() const { return traced_addresses_; }

    /// What lent memory begins at a multiple of: no access of a lane is wider.
    static constexpr std::uint64_t lent_alignment = 16;
    /// Host memory that the GPU reaches under a device address, the one that allocate() would give. Kernels reach
    /// nothing around it, nor around what shares its pages: the host has other things there. It stays the caller's, who
    /// takes it back before it goes. Error bad_input if it is empty or not aligned; or as allocate().
    Result<Address> lend(std::byte* host, Bytes size);
    Result<void> take_back(Address address);

    [[nodiscard]] std::uint64_t first_address() const { return first_address_; }
    [[nodiscard]] Bytes capacity() const { return Bytes{capacity_}; }
    /// What allocate() could still give, all holes together.
    [[nodiscard]] Bytes available() const;
    /// allocate() has refused what it would have given with all of the capacity that was asked for: this process could
    /// not have as much.
    [[nodiscard]] bool has_fallen_short() const { return has_fallen_short_; }

    /// Host pointer of `address` if [address, address + size) lies inside one live allocation, else nullptr.
    [[nodiscard]] std::byte* translate(std::uint64_t address, std::uint64_t size) const;

    /// A range around an address: [begin, end) and the host pointer of begin.
    struct Extent {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::byte* host = nullptr;
    };
    /// The allocation that holds an address; host null if there is none.
    [[nodiscard]] Extent find(std::uint64_t address) const;
    /// What a kernel can access around an address: pages, or the allocation or its part; host null if nothing.
    [[nodiscard]] Extent reachable(std::uint64_t address) const;
    /// Host pointer of what a kernel accesses, nullptr if that is not all within reach.
    [[nodiscard]] std::byte* access(std::uint64_t address, std::uint64_t size) const;
    /// The allocation that ends or begins nearest to an address, or holds it, without its host pointer; end 0 if there
    /// is none. Of divided ones, the part.
    [[nodiscard]] Extent nearest(std::uint64_t address) const;

    /// All that is allocated and not lent, in order of address.
    [[nodiscard]] std::vector<Extent> allocations() const;
    /// All that allocate() could ever give and what lies below it, as the host sees it.
    [[nodiscard]] std::span<std::byte> host_memory() const { return {arena_ - below_, arena_ ? reserved() : 0}; }

    [[nodiscard]] bool has_exact_bounds() const { return page_ == 0; }
    /// With exact bounds kernels reach only the parts of this allocation that are added from here on. Parts do not
    /// overlap. Without, nothing changes.
    void divide(Address allocation);
    void add_part(Address begin, Bytes size);
    void remove_part(Address begin);
    /// With exact bounds: the allocation that was freed and held an address, without its host pointer; end 0 if there
    /// is none, or its address was given out again.
    [[nodiscard]] Extent freed(std::uint64_t address) const;
    /// With exact bounds: freed() knows this memory, too, until some of it is attached (again). It is no part of what
    /// this image gives out: host memory that was freed, or memory of a device before a reset.
    void remember_freed(Address begin, Bytes size);
    /// All that freed() knows, and all that allocate() has given out and nobody has freed: address -> size.
    [[nodiscard]] std::map<std::uint64_t, std::uint64_t> given_out() const;
    /// From here on no address was ever given out.
    [[nodiscard]] std::uint64_t end_of_given_out() const { return first_address_ + next_; }

  private:
    using Ranges = std::map<std::uint64_t, std::uint64_t>;  ///< offset -> size in bytes
    [[nodiscard]] Extent mapped_pages(std::uint64_t address) const;
    [[nodiscard]] Extent attached_around(std::uint64_t address) const;
    [[nodiscard]] std::uint64_t reserved() const;
    /// Of an allocation that begins at this offset.
    [[nodiscard]] std::byte* host_of(std::uint64_t offset) const;
    [[nodiscard]] bool has_lent_within(std::uint64_t begin, std::uint64_t end) const;  ///< offsets
    [[nodiscard]] bool is_in_arena(const std::byte* host) const { return host >= arena_ && host < arena_ + capacity_; }
    void release_oldest_freed();

    std::uint64_t wanted_capacity_ = 0;
    std::uint64_t capacity_ = 0;  ///< what the process could have of it
    bool has_fallen_short_ = false;
    std::byte* arena_ = nullptr;  ///< host address space reserved for the whole capacity; pages appear when touched
    std::uint64_t page_ = 0;      ///< bytes; 0: exact bounds
    std::uint64_t below_ = 0;     ///< bytes that are mapped before the first address, and lie before arena_
    std::uint64_t first_address_ = 0;
    std::uint64_t next_ = 0;
    Ranges live_;
    std::map<std::uint64_t, std::byte*> lent_;  ///< of live_, those whose bytes are somebody else's: offset -> host
    std::set<std::uint64_t> divided_;           ///< offsets of allocations
    Ranges parts_;                              ///< of those
    Ranges freed_;                              ///< with exact bounds: freed, and not yet to be given out again
    std::deque<std::uint64_t> freed_order_;     ///< offsets in freed_, the oldest first
    FormerRanges former_;                       ///< addresses, by remember_freed()
    std::uint64_t freed_bytes_ = 0;             ///< with what lies between allocations
    FreeRanges holes_;                          ///< offsets of freed ranges
    std::map<std::uint64_t, std::uint64_t> attached_;  ///< host address -> size in bytes
    TracedAddresses traced_addresses_;
};

}  // namespace sassafras::sim
