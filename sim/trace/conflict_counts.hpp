// Bank conflicts of a set of shared-memory requests. docs/conflicts.md defines every figure.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/trace/access_analysis.hpp"

namespace sassafras::sim {

/// A request is an executed instruction of a warp with at least one lane that reaches shared memory. It never takes
/// more wavefronts than it has lanes: whatever a lane accesses is served at once.
struct ConflictCounts {
    std::uint64_t requests = 0;
    std::uint64_t lanes = 0;  ///< that reach shared memory
    std::uint64_t wavefronts = 0;
    std::uint64_t wavefronts_ideal = 0;
    std::array<std::uint64_t, warp_size + 1> degree{};  ///< requests by wavefronts
    /// By lanes: the groups of lanes that are served apart (SharedGroups), which expectations need.
    std::array<std::uint64_t, warp_size + 1> groups{};

    ConflictCounts& operator+=(const ConflictCounts& other) {
        requests += other.requests;
        lanes += other.lanes;
        wavefronts += other.wavefronts;
        wavefronts_ideal += other.wavefronts_ideal;
        for (std::size_t i = 0; i < degree.size(); ++i) {
            degree[i] += other.degree[i];
            groups[i] += other.groups[i];
        }
        return *this;
    }
};

/// What one bank did.
struct BankCounts {
    std::uint64_t words = 0;  ///< that it delivered or took: lanes that share a word count once
    std::uint64_t worst = 0;  ///< requests with conflicts in which no bank had more words
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
