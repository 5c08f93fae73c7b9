#include "cli/commands/input_search.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "cli/options/option_values.hpp"
#include "core/array_file/array_writer.hpp"
#include "core/array_file/element_order.hpp"
#include "core/hash.hpp"
#include "core/number_text.hpp"
#include "core/spelling.hpp"
#include "study/adversary/climb_file.hpp"

namespace sassafras::cli {

namespace {

using namespace study::adversary;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t default_evaluations = 1000;
constexpr std::chrono::seconds save_interval{20};
constexpr std::chrono::milliseconds show_interval{200};

/// The sum of a metric over all launches.
Result<double> sum_of(const std::string& name, const sim::Device& device) {
    std::vector<std::string> there;
    double sum = 0;
    bool found = false;
    for (const sim::KernelResult& kernel : device.results())
        for (const auto& [metric, value] : kernel.metrics.reported()) {
            if (name_of(metric) == name) {
                found = true;
                sum += value;
            }
            if (std::find(there.begin(), there.end(), name_of(metric)) == there.end())
                there.emplace_back(name_of(metric));
        }
    if (found) return sum;
    return Error{ErrorKind::bad_input,
                 fmt::format("device {} has no metric {}", device.name(), name),
                 {},
                 name_one_of(name, there)};
}

/// Says on a terminal how far the search is.
class SearchLine {
  public:
    void show(const ClimbState& state, const std::string& metric) {
        if (!terminal_) return;
        const auto now = Clock::now();
        if (now - last_ < show_interval) return;
        last_ = now;
        fmt::print(stderr, "\r\033[K{} evaluations, {} restarts: {} {}", grouped(state.evaluations),
                   grouped(state.restarts), metric, state.best_value);
        std::fflush(stderr);
    }
    void clear() const {
        if (terminal_) fmt::print(stderr, "\r\033[K");
    }

  private:
    bool terminal_ = isatty(STDERR_FILENO) == 1;
    Clock::time_point last_;
};

/// What is searched for, so that a file is not resumed with another question: all that decides what comes out.
std::string question_of(const SearchSubject& subject, const ChosenDevice& chosen, const MeasureOptions& measure,
                        const InputSearchOptions& options) {
    const nlohmann::ordered_json& hash = chosen.platform["hash"];
    // The numbers themselves, as two inputs can have one name.
    const auto bytes = std::as_bytes(std::span(subject.start));
    const std::uint64_t from = fnv1a_64({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    std::string values = "permuted";
    if (subject.rules.values)
        values = options.values.empty()
                     ? fmt::format("ordered as {} to {}", subject.rules.values->least, subject.rules.values->greatest)
                     : "of " + options.values;
    return fmt::format("{} {} of {}, {} {} numbers (hash {:016x}), {}, seed {}, patience {}, on {}{}",
                       subject.rules.goal == Goal::worst ? "greatest" : "least", options.metric, subject.what,
                       subject.start.size(), names_of(subject.type).name, from, values, measure.seed, options.patience,
                       chosen.device->name(), hash.is_string() ? ", platform " + hash.get<std::string>() : "");
}

/// Where a path leads, also through a link to what does not exist yet.
std::filesystem::path end_of(std::filesystem::path path) {
    constexpr int most_links = 40;  // as Linux follows
    std::error_code failed;
    for (int links = 0; links < most_links; ++links) {
        if (!std::filesystem::is_symlink(std::filesystem::symlink_status(path, failed))) break;
        const auto next = std::filesystem::read_symlink(path, failed);
        if (failed) break;
        path = path.parent_path() / next;  // an absolute one replaces it
    }
    auto whole = std::filesystem::weakly_canonical(std::filesystem::absolute(path, failed), failed);
    return failed ? path.lexically_normal() : whole;
}

/// Whether two names are of one file.
bool same_file(const std::string& one, const std::string& other) {
    std::error_code failed;
    if (std::filesystem::equivalent(one, other, failed) && !failed) return true;  // hard links, too
    return end_of(one) == end_of(other);
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
class Search {
  public:
    Search(const SearchSubject& subject, ChosenDevice& chosen, const InputSearchOptions& options, std::string question)
        : subject_(subject), chosen_(chosen), options_(options), question_(std::move(question)) {}

    /// From the start, or from the file that --resume names.
    Result<void> begin(std::uint64_t seed) {
        std::error_code ignored;
        if (options_.resume.empty() || !std::filesystem::exists(options_.resume, ignored)) {
            climb_.emplace(subject_.start, seed, subject_.rules);
            return {};
        }
        auto state = read_climb(options_.resume, question_, subject_.start.size(), all_bits(subject_.type));
        if (!state) return state.error();
        for (const Numbers& numbers : {state->current, state->best})
            if (!numbers.empty() && !reachable(subject_.rules, subject_.start, numbers))
                return Error{ErrorKind::bad_input, "the file holds numbers that this search could not have come to",
                             options_.resume, "it was changed; name another, and the search begins anew"};
        climb_.emplace(std::move(*state), subject_.rules);
        if (climb_->state().evaluations > wanted())
            fmt::print(stderr,
                       "sassafras: note: {} has {} evaluations, more than the {} that are asked for; no more are made, "
                       "and its best is of all of them\n",
                       options_.resume, climb_->state().evaluations, wanted());
        return measure_again();
    }

    Result<void> run() {
        const auto begin = Clock::now();
        auto saved = begin;
        while (climb_->state().evaluations < wanted()) {
            const auto now = Clock::now();
            if (options_.minutes &&
                std::chrono::duration<double, std::ratio<60>>(now - begin).count() >= *options_.minutes)
                break;
            const auto value = measure(climb_->candidate());
            if (!value) {
                line_.clear();
                if (!options_.resume.empty()) (void)write_climb(options_.resume, question_, climb_->state());
                return value.error();  // which is worth more than that the state could not be saved
            }
            climb_->judge(*value);
            if (!options_.resume.empty() && now - saved >= save_interval) {
                saved = now;
                if (auto written = write_climb(options_.resume, question_, climb_->state()); !written) return written;
            }
            line_.show(climb_->state(), options_.metric);
        }
        line_.clear();
        if (!options_.resume.empty()) return write_climb(options_.resume, question_, climb_->state());
        return {};
    }

    [[nodiscard]] const ClimbState& state() const { return climb_->state(); }

  private:
    [[nodiscard]] std::uint64_t wanted() const {
        return options_.evaluations.value_or(options_.minutes ? ~std::uint64_t{0} : default_evaluations);
    }

    Result<double> measure(const Numbers& numbers) {
        if (chosen_.make_another) chosen_.device = chosen_.make_another();
        chosen_.device->clear_results();
        if (auto done = subject_.run(*chosen_.device, numbers); !done) return done.error();
        return sum_of(options_.metric, *chosen_.device);
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
            fmt::print(
                stderr,
                "sassafras: note: {} says {} and {} of its best and its current input; measured again they have {} "
                "and {}, from which the search continues\n",
                options_.resume, state.best_value, state.current_value, *best, *current);
        climb_->correct(*best, *current);
        return {};
    }

    const SearchSubject& subject_;
    std::optional<HillClimb> climb_;
    ChosenDevice& chosen_;
    const InputSearchOptions& options_;
    std::string question_;
    SearchLine line_;
};

}  // namespace

void add_input_search_options(CLI::App& command, InputSearchOptions& options, MeasureOptions& measure) {
    command
        .add_option(
            "--metric", options.metric,
            "search for the input with the greatest or least sum of this metric (a name of --page raw) over all "
            "launches")
        ->check(not_empty("the name of a metric"));
    command
        .add_option(
            "--values", options.values,
            "LEAST..GREATEST: numbers that a search may put in place of others; otherwise it only permutes them, "
            "save queries and colours, which become any others")
        ->check(not_empty("LEAST..GREATEST"));
    command
        .add_option("--evaluations", options.evaluations, "runs of a search, those resumed included; 1000 if not given")
        ->transform(whole_number(1));
    command.add_option("--minutes", options.minutes, "time of a search")->check(real_number(1e-6, 1e6));
    command.add_option("--resume", options.resume, "file that a search continues from, if it exists, and is saved to")
        ->check(output_file());
    command.add_option("--patience", options.patience, "runs without a better value before a search begins anew")
        ->transform(whole_number(1))
        ->capture_default_str();
    command.add_option("--device", measure.device, "what a search measures with")
        ->check(one_of({"simulated", "functional", "cuda"}))
        ->capture_default_str();
    command.add_option("--platform", measure.platform, "the GPU that a search models")->capture_default_str();
    command.add_option("--threads", measure.threads, "threads that simulate; the result does not depend on it")
        ->transform(whole_number(1, 1024))
        ->capture_default_str();
    add_instruction_limit(command, measure);
}

Result<void> check_no_search(const GivenOptions& given) {
    return given.refuse({"--values", "--evaluations", "--minutes", "--resume", "--patience", "--device", "--platform",
                         "--threads", "--instruction-limit", "--input", "--input-type"},
                        "nothing is searched for", "add --metric NAME");
}

Result<void> check_output_place(const std::string& path, const char* option) {
    std::error_code ignored;
    const auto refuse = [&](std::string what) {
        return Error{ErrorKind::bad_input, "cannot write the file: " + what, path,
                     fmt::format("give {} a file in a folder that exists", option)};
    };
    if (std::filesystem::is_directory(path, ignored)) return refuse("this is a folder");
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder, ignored)) return refuse("its folder does not exist");
    return {};
}

Result<void> check_not_read(const std::string& path, const char* option, const std::string& read) {
    if (!same_file(path, read)) return {};
    return Error{ErrorKind::bad_input, fmt::format("{} would write over {}, which is read", option, read), path,
                 fmt::format("give {} another file", option)};
}

Result<int> search_input(SearchSubject subject, ChosenDevice chosen, const MeasureOptions& measure,
                         const InputSearchOptions& options, const std::string& output) {
    subject.rules.patience = options.patience;
    if (auto checked = check_output_place(output, "--output"); !checked) return checked.error();
    if (!options.resume.empty()) {
        if (auto checked = check_output_place(options.resume, "--resume"); !checked) return checked.error();
        if (same_file(options.resume, output))
            return Error{ErrorKind::bad_input, "--output and --resume name one file", output, "give them two"};
    }
    for (const std::string& file : subject.files) {
        if (auto checked = check_not_read(output, "--output", file); !checked) return checked.error();
        if (options.resume.empty()) continue;
        if (auto checked = check_not_read(options.resume, "--resume", file); !checked) return checked.error();
    }
    const std::string question = question_of(subject, chosen, measure, options);
    Search search(subject, chosen, options, question);
    if (auto begun = search.begin(measure.seed); !begun) return begun.error();
    if (auto done = search.run(); !done) return done.error();
    const ClimbState& state = search.state();
    if (state.best.empty())
        return Error{ErrorKind::bad_input, "no input was measured", {}, "give more --minutes or --evaluations"};
    if (auto written = write_best(output, subject.type, state.best); !written) return written.error();
    fmt::print("{}\n{} evaluations, {} restarts: {}\nwrote {}\nrun it with\n  {}\n", question,
               grouped(state.evaluations), grouped(state.restarts), state.best_value, output, subject.run_with(output));
    return 0;
}

}  // namespace sassafras::cli
