#include "study/adversary/hill_climb.hpp"

#include <algorithm>
#include <utility>

namespace sassafras::study::adversary {
namespace {

auto at(Numbers& numbers, std::uint64_t index) { return numbers.begin() + static_cast<std::ptrdiff_t>(index); }

void shuffle(Numbers& numbers, Random& random) {
    for (std::size_t i = numbers.size(); i > 1; --i) std::swap(numbers[i - 1], numbers[random.below(i)]);
}

/// Lengths of blocks are spread over all powers of two.
std::uint64_t block_length(std::uint64_t greatest, Random& random) {
    std::uint64_t length = greatest;
    while (length > 1 && random.below(2) == 0) length /= 2;
    return 1 + random.below(length);
}

}  // namespace

bool reachable(const ClimbRules& rules, const Numbers& start, const Numbers& numbers) {
    if (numbers.size() != start.size()) return false;
    if (rules.settle) {
        Numbers settled = numbers;
        rules.settle(settled);
        if (settled != numbers) return false;
    }
    if (rules.values)
        return std::all_of(numbers.begin(), numbers.end(),
                           [&](std::uint64_t number) { return rules.values->holds(number); });
    Numbers had = start;
    Numbers has = numbers;
    std::sort(had.begin(), had.end());
    std::sort(has.begin(), has.end());
    return had == has;
}

HillClimb::HillClimb(Numbers start, std::uint64_t seed, ClimbRules rules) : rules_(std::move(rules)) {
    state_.random = Random(seed).state();
    if (rules_.settle) rules_.settle(start);
    state_.current = std::move(start);
    propose();
}

HillClimb::HillClimb(ClimbState state, ClimbRules rules) : state_(std::move(state)), rules_(std::move(rules)) {
    propose();
}

void HillClimb::judge(double value) {
    state_.random = random_after_;
    ++state_.evaluations;
    ++state_.since_better;
    const bool first = state_.best.empty() && state_.evaluations == 1;
    if (first || better(value, state_.best_value)) {
        state_.best_value = value;
        state_.best = candidate_;
    }
    if (!state_.judged || better(value, state_.current_value)) state_.since_better = 0;
    if (!state_.judged || !better(state_.current_value, value)) {
        state_.current_value = value;
        state_.current = candidate_;
    }
    state_.judged = true;
    if (state_.since_better >= rules_.patience) {
        Random random(state_.random);
        shuffle(state_.current, random);
        if (rules_.settle) rules_.settle(state_.current);
        state_.random = random.state();
        state_.judged = false;
        state_.since_better = 0;
        ++state_.restarts;
    }
    propose();
}

void HillClimb::correct(double best_value, double current_value) {
    state_.best_value = best_value;
    state_.current_value = current_value;
    if (!state_.judged || !better(current_value, best_value)) return;
    state_.best_value = current_value;
    state_.best = state_.current;
}

void HillClimb::propose() {
    candidate_ = state_.current;
    Random random(state_.random);
    if (state_.judged && !candidate_.empty()) {
        change(candidate_, random);
        if (rules_.settle) rules_.settle(candidate_);
    }
    random_after_ = random.state();
}

void HillClimb::change(Numbers& numbers, Random& random) const {
    const std::uint64_t count = numbers.size();
    switch (random.below(rules_.values ? 6 : 3)) {
        case 0: {  // a few swaps
            for (std::uint64_t swaps = 1 + random.below(4); swaps > 0; --swaps)
                std::swap(numbers[random.below(count)], numbers[random.below(count)]);
            break;
        }
        case 1: {  // a block changes places with what follows it
            const std::uint64_t length = block_length(count, random);
            const std::uint64_t begin = random.below(count - length + 1);
            const std::uint64_t end = begin + length + random.below(count - begin - length + 1);
            std::rotate(at(numbers, begin), at(numbers, begin + length), at(numbers, end));
            break;
        }
        case 2: {  // a block is turned round
            const std::uint64_t length = block_length(count, random);
            const std::uint64_t begin = random.below(count - length + 1);
            std::reverse(at(numbers, begin), at(numbers, begin + length));
            break;
        }
        default: {  // a number becomes any other, or moves by a power of two, or becomes another's equal
            std::uint64_t& number = numbers[random.below(count)];
            const std::uint64_t kind = random.below(4);
            if (kind == 0)
                number = rules_.values->draw(random);
            else if (kind == 1)
                number = numbers[random.below(count)];
            else
                number = rules_.values->moved(number, random);
            break;
        }
    }
}

}  // namespace sassafras::study::adversary
