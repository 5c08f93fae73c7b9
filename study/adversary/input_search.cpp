#include "study/adversary/input_search.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <ratio>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/array_file/array_writer.hpp"
#include "core/array_file/element_order.hpp"
#include "core/hash.hpp"
#include "core/input_file.hpp"
#include "core/interrupted.hpp"
#include "core/output_place.hpp"
#include "core/spelling.hpp"
#include "core/staged_file.hpp"
#include "study/adversary/climb_file.hpp"

namespace sassafras::study::adversary {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t default_evaluations = 1000;
constexpr std::chrono::seconds save_interval{20};

/// The sum of a metric over all launches.
Result<double> sum_of(const std::string& name, const sim::Device& device) {
    const auto wanted = sim::find_metric(name);
    std::vector<sim::MetricId> there;
    double sum = 0;
    for (const sim::KernelResult& kernel : device.results())
        for (const auto& [metric, value] : kernel.metrics.reported()) {
            if (metric == wanted) sum += value;
            if (std::find(there.begin(), there.end(), metric) == there.end()) there.push_back(metric);
        }
    if (wanted && std::find(there.begin(), there.end(), *wanted) != there.end()) return sum;
    std::vector<std::string> names;
    for (const sim::MetricId metric : there) names.emplace_back(name_of(metric));
    return Error{ErrorKind::bad_input,
                 fmt::format("device {} has no metric {}", device.name(), name),
                 {},
                 name_one_of(name, names)};
}

/// What is searched for, so that a file is not resumed with another question: all that decides what comes out.
std::string question_of(const SearchSubject& subject, const SearchDevice& device, std::uint64_t seed,
                        const SearchPlan& plan) {
    // The numbers themselves, as two inputs can have one name.
    const auto bytes = std::as_bytes(std::span(subject.start));
    const std::uint64_t from = fnv1a_64({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    std::string values = "permuted";
    if (subject.rules.values)
        values = plan.values.empty()
                     ? fmt::format("ordered as {} to {}", subject.rules.values->least, subject.rules.values->greatest)
                     : "of " + plan.values;
    return fmt::format("{} {} of {}, {} {} numbers (hash {:016x}), {}, seed {}, patience {}, on {}{}",
                       subject.rules.goal == Goal::worst ? "greatest" : "least", plan.metric, subject.what,
                       subject.start.size(), names_of(subject.type).name, from, values, seed, plan.patience,
                       device.device->name(),
                       device.platform_hash.empty() ? std::string() : ", platform " + device.platform_hash);
}

Result<void> write_best(const std::string& path, ElementType type, const Numbers& numbers) {
    auto writer = ArrayWriter::create(path, type, numbers.size());
    if (!writer) return writer.error();
    const bool wide = bytes_of(type) == sizeof(std::uint64_t);
    const std::vector<std::uint32_t> narrow(wide ? numbers.end() : numbers.begin(), numbers.end());
    if (auto written = wide ? writer->append(std::span(numbers)) : writer->append(std::span(narrow)); !written)
        return written;
    return writer->finish();
}

/// Measures candidates until evaluations or time are used up; saves the state now and then.
class InputSearch {
  public:
    InputSearch(const SearchSubject& subject, SearchDevice& device, const SearchPlan& plan, std::string question,
                const SearchObserver& observer)
        : subject_(subject), device_(device), plan_(plan), question_(std::move(question)), observer_(observer) {}

    /// From the start, or from the file that --resume names.
    Result<void> begin(std::uint64_t seed) {
        std::error_code ignored;
        if (plan_.resume.empty() || !std::filesystem::exists(plan_.resume, ignored)) {
            climb_.emplace(subject_.start, seed, subject_.rules);
            return {};
        }
        auto state = read_climb(plan_.resume, question_, subject_.start.size(), all_bits(subject_.type));
        if (!state) return state.error();
        for (const Numbers& numbers : {state->current, state->best})
            if (!numbers.empty() && !reachable(subject_.rules, subject_.start, numbers))
                return Error{ErrorKind::bad_input, "the file holds numbers that this search could not have come to",
                             plan_.resume, "it was changed; name another, and the search begins anew"};
        climb_.emplace(std::move(*state), subject_.rules);
        if (climb_->state().evaluations > wanted())
            observer_.note(
                fmt::format("{} has {} evaluations, more than the {} that are asked for; no more are made, "
                            "and its best is of all of them",
                            plan_.resume, climb_->state().evaluations, wanted()));
        return measure_again();
    }

    /// Until the end, or until it is interrupted: then what there is is kept.
    Result<void> run() {
        try {
            if (auto done = climb(); !done) return done;
        } catch (const Interrupted&) {
            if (climb_->state().best.empty()) throw;
            is_interrupted_ = true;
        }
        observer_.pause();
        if (!plan_.resume.empty()) return write_climb(plan_.resume, question_, climb_->state());
        return {};
    }

    [[nodiscard]] const ClimbState& state() const { return climb_->state(); }
    [[nodiscard]] bool is_interrupted() const { return is_interrupted_; }

  private:
    Result<void> climb() {
        const auto begin = Clock::now();
        auto saved = begin;
        while (climb_->state().evaluations < wanted()) {
            const auto now = Clock::now();
            if (plan_.minutes && std::chrono::duration<double, std::ratio<60>>(now - begin).count() >= *plan_.minutes)
                break;
            const auto value = measure(climb_->candidate());
            if (!value) {
                observer_.pause();
                if (!plan_.resume.empty()) (void)write_climb(plan_.resume, question_, climb_->state());
                return value.error();  // which is worth more than that the state could not be saved
            }
            climb_->judge(*value);
            if (!plan_.resume.empty() && now - saved >= save_interval) {
                saved = now;
                if (auto written = write_climb(plan_.resume, question_, climb_->state()); !written) return written;
            }
            observer_.progress(climb_->state());
        }
        return {};
    }

    [[nodiscard]] std::uint64_t wanted() const {
        return plan_.evaluations.value_or(plan_.minutes ? ~std::uint64_t{0} : default_evaluations);
    }

    Result<double> measure(const Numbers& numbers) {
        if (device_.make_another) device_.device = device_.make_another();
        device_.device->clear_results();
        if (auto done = subject_.run(*device_.device, numbers); !done) return done.error();
        return sum_of(plan_.metric, *device_.device);
    }

    /// The values of a file are not trusted, nor are those that another version of the program measured.
    Result<void> measure_again() {
        const ClimbState& state = climb_->state();
        if (state.best.empty()) return {};
        const auto best = measure(state.best);
        if (!best) return best.error();
        const auto current = state.judged ? measure(state.current) : Result<double>(state.current_value);
        if (!current) return current.error();
        if (*best != state.best_value || *current != state.current_value)
            observer_.note(
                fmt::format("{} says {} and {} of its best and its current input; measured again they have {} and {}, "
                            "from which the search continues",
                            plan_.resume, state.best_value, state.current_value, *best, *current));
        climb_->correct(*best, *current);
        return {};
    }

    const SearchSubject& subject_;
    std::optional<HillClimb> climb_;
    SearchDevice& device_;
    const SearchPlan& plan_;
    std::string question_;
    const SearchObserver& observer_;
    bool is_interrupted_ = false;
};

}  // namespace

Result<SearchOutcome> search_input(SearchSubject subject, SearchDevice device, std::uint64_t seed,
                                   const SearchPlan& plan, const std::string& output, const SearchObserver& observer) {
    subject.rules.patience = plan.patience;
    if (!output.empty())
        if (const auto reserved = reserve_output_file({.path = output}); !reserved) return reserved.error();
    if (!plan.resume.empty()) {
        if (auto regular = check_regular_file(plan.resume); !regular) {
            Error error = regular.error();
            error.remedy = "give --resume a file that a search made, or one that does not exist yet";
            return error;
        }
        if (auto checked = reserve_output_file({plan.resume, "the state of the search", "--resume"}); !checked)
            return checked.error();
        if (same_file(plan.resume, output))
            return Error{ErrorKind::bad_input, "--output and --resume name one file", output, "give them two"};
    }
    for (const std::string& file : subject.files) {
        if (!output.empty())
            if (auto checked = check_not_read(output, "--output", file); !checked) return checked.error();
        if (plan.resume.empty()) continue;
        if (auto checked = check_not_read(plan.resume, "--resume", file); !checked) return checked.error();
    }
    const std::string question = question_of(subject, device, seed, plan);
    InputSearch search(subject, device, plan, question, observer);
    if (auto begun = search.begin(seed); !begun) return begun.error();
    if (auto done = search.run(); !done) return done.error();
    const ClimbState& state = search.state();
    if (state.best.empty())
        return Error{ErrorKind::bad_input, "no input was measured", {}, "give more --minutes or --evaluations"};
    if (!output.empty())
        if (auto written = write_best(output, subject.type, state.best); !written) return written.error();
    return SearchOutcome{question,       plan.metric,      state.evaluations,
                         state.restarts, state.best_value, search.is_interrupted()};
}

}  // namespace sassafras::study::adversary
