// Worst and best inputs that are constructed rather than searched for, whatever the workload.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "study/adversary/sort_input.hpp"
#include "workloads/workload.hpp"

namespace sassafras::study::adversary {

/// What a part of the run costs: warps' requests to shared memory.
struct PartCost {
    std::string part;  ///< "merge of lists of 1,920", "read 7"
    std::uint64_t requests = 0;
    std::uint64_t accesses = 0;  ///< serialised: at least these; for a best input at most
    std::uint64_t bound = 0;     ///< no input costs more; for a best input: less
};

/// An input of 32-bit numbers, not yet made.
struct Construction {
    std::string what;         ///< a sentence: what was built
    std::uint64_t count = 0;  ///< numbers
    std::uint64_t piece = 1;  ///< they are made in multiples of so many, except the last
    std::function<void(std::uint64_t begin, std::span<std::uint32_t> numbers)> make;
    std::vector<PartCost> parts;  ///< none if the input has no shared memory's conflicts to tell
    bool bounded = true;          ///< machine code costs as said, at least or at most; else the parts are of a model
    /// What a part's requests are.
    std::string request = "a request is one read of shared memory by a warp, for all of its lanes";
    std::string variant;  ///< to run it with; empty if nothing of this shape is compiled
    std::vector<std::pair<std::string, std::int64_t>> parameters;  ///< the same
    std::uint64_t seed = 1;                                        ///< the same
};

/// For a machine of w lanes and banks. Error bad_input: the request is none of the workload's; or no construction is
/// known, and then the remedy is to search.
[[nodiscard]] Result<Construction> construct(const workloads::WorkloadRequest& request, Goal goal,
                                             std::uint32_t w = 32);

}  // namespace sassafras::study::adversary
