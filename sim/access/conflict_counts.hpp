// Bank conflicts of a set of shared-memory requests. docs/conflicts.md defines every figure.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/access/access_analysis.hpp"

namespace sassafras::sim {

/// How many lanes each of a request's groups has (SharedGroups), in no order: all that expectations need of its mask.
/// For each number of lanes a field counts the groups that have as many.
class GroupShape {
  public:
    GroupShape() = default;
    GroupShape(std::uint32_t mask, int lanes_a_group) {
        const std::uint32_t of_group = lanes_a_group == warp_size ? ~0U : (1U << lanes_a_group) - 1U;
        for (int first = 0; first < warp_size; first += lanes_a_group)
            fields_ += std::uint64_t{1} << (field_bits(lanes_a_group) *
                                            static_cast<std::uint32_t>(std::popcount(mask >> first & of_group)));
    }
    /// Groups with so many lanes, 0 to lanes_a_group.
    [[nodiscard]] std::uint32_t groups_of(std::uint32_t lanes, int lanes_a_group) const {
        const std::uint32_t bits = field_bits(lanes_a_group);
        return static_cast<std::uint32_t>(fields_ >> (bits * lanes)) & ((1U << bits) - 1U);
    }
    friend auto operator<=>(const GroupShape&, const GroupShape&) = default;

    /// All that it knows, for writing it down.
    [[nodiscard]] std::uint64_t packed() const { return fields_; }
    [[nodiscard]] static GroupShape unpacked(std::uint64_t fields) {
        GroupShape shape;
        shape.fields_ = fields;
        return shape;
    }

  private:
    /// As wide as the number of groups needs: 1 bit and 33 fields for one group, 2 and 17 for two; it always fits.
    static std::uint32_t field_bits(int lanes_a_group) {
        return static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(warp_size / lanes_a_group)));
    }
    std::uint64_t fields_ = 0;
};

/// Requests by their groups. There are at most 495 shapes (of 4 groups of 8 lanes, and of 8 groups of 4).
class ShapeCounts {
  public:
    struct Entry {
        GroupShape shape;
        std::uint64_t requests = 0;
    };
    void add(GroupShape shape, std::uint64_t requests = 1) {
        if (last_ >= entries_.size() || entries_[last_].shape != shape) last_ = find(shape);
        entries_[last_].requests += requests;
    }
    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }  ///< each shape once

  private:
    std::size_t find(GroupShape shape) {
        const auto found = std::lower_bound(entries_.begin(), entries_.end(), shape,
                                            [](const Entry& entry, GroupShape wanted) { return entry.shape < wanted; });
        const auto index = static_cast<std::size_t>(found - entries_.begin());
        if (found == entries_.end() || found->shape != shape) entries_.insert(found, {shape, 0});
        return index;
    }
    std::vector<Entry> entries_;  ///< ascending
    std::size_t last_ = 0;        ///< most requests of an instruction are as the one before
};

/// A request is an executed instruction of a warp with at least one lane that reaches shared memory. It never takes
/// more wavefronts than it has lanes: whatever a lane accesses is served at once.
struct ConflictCounts {
    std::uint64_t requests = 0;
    std::uint64_t lanes = 0;  ///< that reach shared memory
    std::uint64_t wavefronts = 0;
    std::uint64_t wavefronts_ideal = 0;
    std::array<std::uint64_t, warp_size + 1> degree{};  ///< requests by wavefronts
    ShapeCounts shapes;

    ConflictCounts& operator+=(const ConflictCounts& other) {
        requests += other.requests;
        lanes += other.lanes;
        wavefronts += other.wavefronts;
        wavefronts_ideal += other.wavefronts_ideal;
        for (std::size_t i = 0; i < degree.size(); ++i) degree[i] += other.degree[i];
        for (const ShapeCounts::Entry& entry : other.shapes.entries()) shapes.add(entry.shape, entry.requests);
        return *this;
    }
};

/// What one bank did.
struct BankCounts {
    std::uint64_t words = 0;  ///< that it delivered or took: lanes that share a word count once
    std::uint64_t worst = 0;  ///< requests with conflicts in which no bank had more words

    BankCounts& operator+=(const BankCounts& other) {
        words += other.words;
        worst += other.worst;
        return *this;
    }
};

/// One request, as it was.
struct SharedRequest {
    std::uint32_t instruction = 0;  ///< index in the kernel
    std::uint64_t block = 0;        ///< BlockTrace::block_index
    std::uint32_t warp = 0;         ///< of the block
    std::uint64_t number = 0;       ///< of the instruction's requests in this launch, from 0, in order of execution
    std::uint32_t width = 0;        ///< bytes a lane
    SharedAccessKind kind = SharedAccessKind::load;
    AccessRecord access;
    Wavefronts wavefronts;
};

}  // namespace sassafras::sim
