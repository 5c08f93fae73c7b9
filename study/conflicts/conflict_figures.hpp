// What a set of shared-memory requests cost, beside what random accesses would and what the worst ones could.
// docs/conflicts.md defines every figure.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include "sim/access/random_conflicts.hpp"
#include "sim/device/conflict_device.hpp"

namespace sassafras::study {

/// Of a set of requests.
struct ConflictFigures {
    std::uint64_t requests = 0;
    std::uint64_t lanes = 0;
    std::uint64_t wavefronts = 0;
    std::uint64_t wavefronts_ideal = 0;
    std::array<std::uint64_t, warp_size + 1> degree{};  ///< requests by wavefronts
    double random = 0;        ///< expected wavefronts if every lane took a word of its own in a random bank
    double random_words = 0;  ///< if every lane took a random word of the block's shared memory; equal ones are shared
    /// Expected requests by wavefronts as for `random`, and requests by wavefronts as for `bound`: of each request by
    /// the lanes that its own groups have.
    std::array<double, warp_size + 1> random_degree{};
    std::array<double, warp_size + 1> bound_degree{};
    double random_bank_words = 0;  ///< expected words that a bank serves as for `random`
    std::uint64_t bound = 0;       ///< wavefronts if all words of a request lay in one bank, as far as a bank has words

    [[nodiscard]] double beta() const { return mean(static_cast<double>(wavefronts)); }
    [[nodiscard]] double beta_ideal() const { return mean(static_cast<double>(wavefronts_ideal)); }
    [[nodiscard]] double beta_random() const { return mean(random); }
    [[nodiscard]] double beta_random_words() const { return mean(random_words); }
    [[nodiscard]] double beta_bound() const { return mean(static_cast<double>(bound)); }
    /// Nsight Compute's "L1 Conflicts Shared N-Way".
    [[nodiscard]] double n_way() const {
        return wavefronts_ideal == 0 ? 0 : static_cast<double>(wavefronts) / static_cast<double>(wavefronts_ideal);
    }
    ConflictFigures& operator+=(const ConflictFigures& other);

  private:
    [[nodiscard]] double mean(double sum) const { return requests == 0 ? 0 : sum / static_cast<double>(requests); }
};

/// Adds to counts what would be expected of them: computed once for each way to be served and each shape.
class ConflictExpectations {
  public:
    /// `counts` are of this instruction of this launch.
    [[nodiscard]] ConflictFigures figures_of(const sim::ConflictCounts& counts,
                                             const sim::InstructionConflicts& instruction,
                                             const sim::LaunchConflicts& launch);

  private:
    /// How an instruction's requests are served.
    struct Service {
        int lanes_a_group = warp_size;
        std::uint32_t slots = 0;
        std::uint64_t rows = 0;  ///< words of a bank that lanes may share; 0: they share none
        friend auto operator<=>(const Service&, const Service&) = default;
    };
    /// Of one request, by its groups.
    struct Expected {
        double random = 0;
        double random_words = 0;
        std::uint64_t bound = 0;
        sim::WavefrontChances chances{};  ///< for `random`
    };

    const Expected& of(const Service& service, sim::GroupShape shape);
    Expected compute(const Service& service, sim::GroupShape shape);
    const sim::ExpectedByLanes& table(std::uint32_t slots, std::uint64_t words);

    std::map<std::pair<Service, sim::GroupShape>, Expected> expected_;
    std::map<std::pair<std::uint32_t, std::uint64_t>, sim::ExpectedByLanes> tables_;
};

}  // namespace sassafras::study
