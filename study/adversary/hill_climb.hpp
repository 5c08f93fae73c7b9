// Searching for an input with the greatest, or least, value of anything that can be measured: hill climbing with
// restarts. It is the caller who measures; the climb says what next.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/random.hpp"
#include "study/adversary/sort_input.hpp"
#include "study/adversary/value_range.hpp"

namespace sassafras::study::adversary {

/// The bits of numbers of one type, 32 or 64 each.
using Numbers = std::vector<std::uint64_t>;

/// What a climb may do to its numbers.
struct ClimbRules {
    Goal goal = Goal::worst;
    /// Numbers may be replaced by any others in this range; if there is none they are only permuted.
    std::optional<ValueRange> values;
    /// Evaluations without a better value after which a climb begins anew from a random permutation.
    std::uint64_t patience = 2000;
    /// Puts numbers in a form that the workload takes (two ascending lists, say); may be empty.
    std::function<void(Numbers&)> settle;
};

/// All there is to continue from. Equal states continue equally.
struct ClimbState {
    std::array<std::uint64_t, 4> random{};
    std::uint64_t evaluations = 0;
    std::uint64_t restarts = 0;
    std::uint64_t since_better = 0;
    bool judged = false;  ///< `current` has a value; false before the first evaluation and after a restart
    double current_value = 0;
    double best_value = 0;
    Numbers current;
    Numbers best;  ///< empty before the first evaluation

    bool operator==(const ClimbState&) const = default;
};

/// True if a climb by these rules that began with `start` may have come to `numbers`: the same ones in another order,
/// or as many in the range; and settled, if the rules settle them.
[[nodiscard]] bool reachable(const ClimbRules& rules, const Numbers& start, const Numbers& numbers);

class HillClimb {
  public:
    HillClimb(Numbers start, std::uint64_t seed, ClimbRules rules);
    HillClimb(ClimbState state, ClimbRules rules);

    /// The numbers to be measured next; the same until they are judged.
    [[nodiscard]] const Numbers& candidate() const { return candidate_; }
    /// The candidate's value. It becomes the current input unless it is worse than that.
    void judge(double value);
    /// Between a judgement and the next.
    [[nodiscard]] const ClimbState& state() const { return state_; }
    /// Other values of what was measured before, for a state whose values are not trusted. `current_value` counts if
    /// the current numbers were judged.
    void correct(double best_value, double current_value);

  private:
    [[nodiscard]] bool better(double value, double than) const {
        return rules_.goal == Goal::worst ? value > than : value < than;
    }
    void propose();
    void change(Numbers& numbers, Random& random) const;

    ClimbState state_;
    ClimbRules rules_;
    Numbers candidate_;
    std::array<std::uint64_t, 4> random_after_{};  ///< state of the generator once the candidate is judged
};

}  // namespace sassafras::study::adversary
