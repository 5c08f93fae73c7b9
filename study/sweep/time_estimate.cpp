#include "study/sweep/time_estimate.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <unordered_set>

#include "study/pareto/elasticity.hpp"
#include "study/sweep/run_times.hpp"

namespace sassafras::study::sweep {

namespace {

/// Of each axis, whether it is a factor.
std::vector<bool> factors_of(const Description& description) {
    std::vector<bool> factors;
    for (const Axis& axis : description.axes) factors.push_back(is_factor(axis));
    return factors;
}

/// Of what is_factor() takes, which std::stod does not always.
double number_of(const std::string& text) {
    double number = 1;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// Runs are alike in all but their factors. What does not change the time much is no part of the group: seeds.
Sample sample_of(const PlannedRun& run, std::size_t command, const std::vector<bool>& factors) {
    Sample sample{std::to_string(command), {}, 0};
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const auto& [name, value] = run.parameters[i];
        if (factors[i])
            sample.factors.push_back(number_of(value));
        else if (name != "seed")
            sample.group += '\n' + value;
    }
    return sample;
}

std::vector<Sample> samples_of(const StudyFolder& study) {
    const auto factors = factors_of(study.description());
    const std::size_t of_a_command = study.runs().size() / study.description().commands.size();
    std::vector<Sample> samples;
    for (std::size_t i = 0; i < study.runs().size(); ++i)
        samples.push_back(sample_of(study.runs()[i], i / of_a_command, factors));
    return samples;
}

enum class Reach : std::uint8_t { near, alike, far };

/// How far beyond the timed runs those lie that are to be made. A slope that short runs next to each other have is
/// mostly noise: four times as far as they lie apart it says nothing.
Reach reach(const std::vector<Sample>& timed, const std::vector<Sample>& asked) {
    constexpr double most_spans = 4;
    const double most_alike = std::log(2.0);  // a result that a factor of two does not change much
    Reach reach = Reach::near;
    for (std::size_t factor = 0; factor < timed.front().factors.size(); ++factor) {
        const auto logarithm = [factor](const Sample& sample) { return std::log(sample.factors[factor]); };
        double least = logarithm(timed.front());
        double greatest = least;
        for (const Sample& sample : timed) {
            least = std::min(least, logarithm(sample));
            greatest = std::max(greatest, logarithm(sample));
        }
        for (const Sample& sample : asked) {
            const double beyond = std::max(least - logarithm(sample), logarithm(sample) - greatest);
            if (beyond <= most_spans * (greatest - least)) continue;
            if (beyond > most_alike) return Reach::far;
            reach = Reach::alike;
        }
    }
    return reach;
}

bool is_to_make(const RunStore::States& states, const std::string& key) {
    const auto state = states.find(key);
    return state == states.end() || state->second == RunStore::State::damaged;
}

}  // namespace

std::optional<TimeEstimate> estimate_time(const StudyFolder& study, const RunStore::States& states) {
    const auto times = RunTimes::read(study.folder());
    const std::vector<Sample> samples = samples_of(study);
    std::vector<Sample> timed;
    double sum = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const auto time = times.find(study.keys()[i]);
        if (time == times.end()) continue;
        timed.push_back(samples[i]);
        timed.back().result = time->second.seconds;
        sum += time->second.seconds;
    }
    if (timed.empty()) return std::nullopt;
    std::vector<std::string> names;
    const auto factors = factors_of(study.description());
    for (std::size_t i = 0; i < factors.size(); ++i)
        if (factors[i]) names.push_back(study.description().axes[i].name);
    std::vector<Sample> asked;
    std::unordered_set<std::string> counted;
    for (std::size_t i = 0; i < samples.size(); ++i)
        if (is_to_make(states, study.keys()[i]) && counted.insert(study.keys()[i]).second) asked.push_back(samples[i]);
    const Reach far = reach(timed, asked);
    if (far == Reach::far) return std::nullopt;
    const auto fit = fit_elasticities(names, timed);
    TimeEstimate estimate{0, timed.size()};
    for (const Sample& sample : asked)
        estimate.seconds += fit && far == Reach::near ? fit->expected(sample.group, sample.factors)
                                                      : sum / static_cast<double>(timed.size());
    return estimate;
}

std::vector<Task> pilots(const StudyFolder& study) {
    constexpr std::size_t most_groups = 16;
    const std::vector<Sample> samples = samples_of(study);
    const auto states = study.states();
    std::vector<std::size_t> chosen;
    std::set<std::string> groups;
    for (std::size_t i = 0; i < samples.size() && groups.size() < most_groups; ++i)
        if (groups.insert(samples[i].group).second) chosen.push_back(i);
    const Sample& first = samples.front();
    for (std::size_t factor = 0; factor < first.factors.size(); ++factor) {
        // A third of the way: far enough from the first to tell, and not as long as the last may be.
        std::vector<std::size_t> others;
        for (std::size_t i = 0; i < samples.size(); ++i) {
            if (samples[i].group != first.group || samples[i].factors[factor] == first.factors[factor]) continue;
            Sample same = samples[i];
            same.factors[factor] = first.factors[factor];
            if (same.factors == first.factors) others.push_back(i);
        }
        if (!others.empty()) chosen.push_back(others[others.size() / 3]);
    }
    std::vector<Task> tasks;
    for (const std::size_t i : chosen)
        if (is_to_make(states, study.keys()[i])) tasks.push_back(study.task(i));
    return tasks;
}

}  // namespace sassafras::study::sweep
