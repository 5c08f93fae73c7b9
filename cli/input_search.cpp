#include "cli/input_search.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "cli/option_values.hpp"
#include "cli/workload_options.hpp"
#include "core/hash.hpp"
#include "core/number_text.hpp"
#include "core/spelling.hpp"
#include "workloads/adversary/climb_file.hpp"
#include "workloads/adversary/climb_start.hpp"
#include "workloads/array_file/array_writer.hpp"

namespace sassafras::cli {

namespace {

using namespace workloads::adversary;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t default_evaluations = 1000;
constexpr std::chrono::seconds save_interval{20};
constexpr std::chrono::milliseconds show_interval{200};

/// The sum of a metric over all launches.
Result<double> sum_of(const std::string& metric, const sim::Device& device) {
    std::vector<std::string> there;
    double sum = 0;
    bool found = false;
    for (const sim::KernelResult& kernel : device.results())
        for (const auto& [name, value] : kernel.metrics) {
            if (name == metric) {
                found = true;
                sum += value;
            }
            if (std::find(there.begin(), there.end(), name) == there.end()) there.push_back(name);
        }
    if (found) return sum;
    return Error{ErrorKind::bad_input,
                 fmt::format("device {} has no metric {}", device.name(), metric),
                 {},
                 name_one_of(metric, there)};
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

/// What is searched for, so that a file is not resumed with another question.
std::string question_of(Goal goal, const ClimbStart& start, const ChosenDevice& chosen, const std::string& metric) {
    const auto& request = start.request;
    std::string text = fmt::format("{} {} of {}", goal == Goal::worst ? "greatest" : "least", metric, request.name);
    if (!request.variant.empty()) text += " " + request.variant;
    for (const auto& [name, value] : request.parameters) text += fmt::format(" --{} {}", name, value);
    const nlohmann::ordered_json& hash = chosen.platform["hash"];
    // The numbers themselves, as two inputs can have one name.
    const auto bytes = std::as_bytes(std::span(start.numbers));
    const std::uint64_t from = fnv1a_64({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return text + fmt::format(", {} numbers (hash {:016x}), seed {}, on {}{}", start.numbers.size(), from, request.seed,
                              chosen.device->name(), hash.is_string() ? ", platform " + hash.get<std::string>() : "");
}

Result<void> write_best(const std::string& path, const Numbers& numbers) {
    auto writer = workloads::ArrayWriter::create(path, workloads::ElementType::u32, numbers.size());
    if (!writer) return writer.error();
    if (auto written = writer->append(numbers); !written) return written;
    return writer->finish();
}

/// Measures candidates until evaluations or time are used up; saves the state now and then.
class Search {
  public:
    Search(ClimbStart start, HillClimb climb, sim::Device& device, const InputSearchOptions& options,
           std::string question)
        : start_(std::move(start)),
          climb_(std::move(climb)),
          device_(device),
          options_(options),
          question_(std::move(question)) {}

    Result<void> run() {
        const auto begin = Clock::now();
        auto saved = begin;
        const std::uint64_t wanted =
            options_.evaluations.value_or(options_.minutes ? ~std::uint64_t{0} : default_evaluations);
        while (climb_.state().evaluations < wanted) {
            const auto now = Clock::now();
            if (options_.minutes &&
                std::chrono::duration<double, std::ratio<60>>(now - begin).count() >= *options_.minutes)
                break;
            if (auto measured = measure(); !measured) return measured;
            if (!options_.resume.empty() && now - saved >= save_interval) {
                saved = now;
                if (auto written = write_climb(options_.resume, question_, climb_.state()); !written) return written;
            }
            line_.show(climb_.state(), options_.metric);
        }
        line_.clear();
        if (!options_.resume.empty()) return write_climb(options_.resume, question_, climb_.state());
        return {};
    }

    [[nodiscard]] const ClimbState& state() const { return climb_.state(); }

  private:
    Result<void> measure() {
        start_.request.keys = climb_.candidate();
        device_.clear_results();
        const auto done = workloads::run_workload(device_, start_.request);
        if (!done) return done.error();
        if (!done->verified) return wrong_result(*done);
        const auto value = sum_of(options_.metric, device_);
        if (!value) return value.error();
        climb_.judge(*value);
        return {};
    }

    ClimbStart start_;
    HillClimb climb_;
    sim::Device& device_;
    const InputSearchOptions& options_;
    std::string question_;
    SearchLine line_;
};

}  // namespace

void add_input_search_options(CLI::App& command, InputSearchOptions& options, MeasureOptions& measure) {
    command.add_option("--metric", options.metric,
                       "search for the input with the greatest or least sum of this metric (a name of --page raw) over "
                       "all launches, in place of a construction");
    command
        .add_option("--evaluations", options.evaluations, "runs of a search, those resumed included; 1000 if not given")
        ->transform(whole_number(1));
    command.add_option("--minutes", options.minutes, "time of a search")->check(CLI::Range(1e-6, 1e6));
    command.add_option("--resume", options.resume, "file that a search continues from, if it exists, and is saved to");
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
}

Result<void> check_no_search(const InputSearchOptions& options) {
    const bool given = options.evaluations || options.minutes || !options.resume.empty();
    if (!given) return {};
    return Error{
        ErrorKind::bad_input, "--evaluations, --minutes and --resume are for a search", {}, "add --metric NAME"};
}

Result<int> search_input(Goal goal, const workloads::WorkloadRequest& request, const MeasureOptions& measure,
                         const InputSearchOptions& options, const std::string& output) {
    auto start = begin_climb(request, goal);
    if (!start) return start.error();
    start->rules.patience = options.patience;
    auto chosen = choose_device(measure);
    if (!chosen) return chosen.error();
    const std::string question = question_of(goal, *start, *chosen, options.metric);
    std::error_code ignored;
    const bool resumes = !options.resume.empty() && std::filesystem::exists(options.resume, ignored);
    std::optional<HillClimb> climb;
    if (resumes) {
        auto state = read_climb(options.resume, question, start->numbers.size());
        if (!state) return state.error();
        climb.emplace(std::move(*state), start->rules);
    } else {
        climb.emplace(start->numbers, measure.seed, start->rules);
    }
    Search search(std::move(*start), std::move(*climb), *chosen->device, options, question);
    if (auto done = search.run(); !done) return done.error();
    const ClimbState& state = search.state();
    if (state.best.empty())
        return Error{ErrorKind::bad_input, "no input was measured", {}, "give more --minutes or --evaluations"};
    if (auto written = write_best(output, state.best); !written) return written.error();
    fmt::print("{}\n{} evaluations, {} restarts: {}\nwrote {}\n", question, grouped(state.evaluations),
               grouped(state.restarts), state.best_value, output);
    return 0;
}

}  // namespace sassafras::cli
