// What one part of a launch has read and changed of global memory while others execute: enough to tell whether they
// could have seen each other, and to take the changes back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/execute/atomic_update.hpp"
#include "sim/execute/concurrent/line_owners.hpp"
#include "sim/execute/concurrent/regions.hpp"
#include "sim/execute/memory_access.hpp"

namespace sassafras::sim {

/// An atomic without a result. It is done when all parts are, in their order: floats do not commute.
struct Reduction {
    std::byte* host = nullptr;
    AtomicShape shape;
    AtomicDatum operand{};
    AtomicDatum second{};
};

class AccessLog {
  public:
    /// Words of 4 bytes of a line, a bit each. 24 bytes: a warp's access looks one up, or up to 32.
    struct Line {
        std::uint64_t number = 0;
        std::uint32_t epoch = 0;
        std::uint32_t read = 0;
        std::uint32_t written = 0;
        std::uint32_t reduced = 0;

        [[nodiscard]] std::uint32_t changed() const { return written | reduced; }
    };

    /// Where an instruction's accesses lay last: device addresses [begin, end) of allocations. Of this epoch only if it
    /// says so.
    struct Place {
        struct Range {
            std::uint64_t begin = 0;
            std::uint64_t end = 0;
        };
        static constexpr std::size_t most_ranges = 4;

        std::uint32_t epoch = 0;
        bool recorded = false;  ///< accesses to it are
        std::uint8_t count = 0;
        std::array<Range, most_ranges> ranges;
    };

    /// Forgets all that was logged. `owners` and `regions` must outlive what is logged from here on.
    void begin(LineOwners& owners, Regions& regions, std::uint32_t epoch, std::uint32_t part, std::size_t instructions);

    /// Where an instruction's accesses lay last, empty if not in this epoch.
    Place& place(std::uint32_t instruction) {
        Place& place = places_[instruction];
        if (place.epoch != epoch_) place = {.epoch = epoch_, .recorded = false, .count = 0, .ranges = {}};
        return place;
    }
    /// Adds the allocation of `address` to a place, for `kind` of access, if there is one and room for it.
    bool extend(Place& place, std::uint64_t address, AccessKind kind);
    /// What to add to a device address to get its host address.
    [[nodiscard]] std::uintptr_t base() const { return base_; }

    /// Lanes' accesses of `size` bytes at base + address; false if some lie in memory that cannot be watched. An
    /// atomic's are those of a reduction.
    [[nodiscard]] bool note(AccessKind kind, std::uintptr_t base, const LaneAddresses& address, std::uint32_t mask,
                            std::uint32_t size);
    [[nodiscard]] bool note(AccessKind kind, const std::byte* host, std::uint32_t size);
    /// One lane's; what it touches must have been noted.
    void reduce(const Reduction& reduction) { reductions_.push_back(reduction); }

    [[nodiscard]] const Line* find(std::uint64_t number) const;
    template <class Visit>
    void for_each_line(Visit&& visit) const {
        for (const std::uint32_t at : used_) visit(table_[at]);
    }
    /// Regions that were read without a record.
    [[nodiscard]] const std::vector<std::uint32_t>& trusted() const { return trusted_; }
    [[nodiscard]] std::span<const Reduction> reductions() const { return reductions_; }
    /// Lines that this part was first to change are again what they were.
    void undo() const;

    Fault fault;          ///< of this part; then what it did must be taken back
    bool failed = false;  ///< it stopped at a fault, a deadlock, or what cannot be done together with others

  private:
    struct Image {
        std::uint64_t line = 0;
        std::array<std::byte, LineOwners::line_bytes> bytes;
    };

    Line& line(std::uint64_t number);
    void grow();
    template <AccessKind kind>
    void note_words(std::uint64_t number, std::uint32_t words);
    template <AccessKind kind>
    bool note_lanes(std::uintptr_t base, const LaneAddresses& address, std::uint32_t mask, std::uint32_t size);

    LineOwners* owners_ = nullptr;
    Regions* regions_ = nullptr;
    std::uintptr_t base_ = 0;
    std::uint32_t epoch_ = 0;
    std::uint32_t part_ = 0;
    unsigned shift_ = 0;
    std::vector<Line> table_;  ///< open addressing; entries of other epochs are empty
    std::vector<std::uint32_t> used_;
    std::vector<Place> places_;  ///< by instruction
    std::vector<std::uint32_t> trusted_;
    std::vector<Image> images_;
    std::vector<Reduction> reductions_;
};

}  // namespace sassafras::sim
