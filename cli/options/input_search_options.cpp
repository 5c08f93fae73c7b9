#include "cli/options/input_search_options.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "cli/options/interruptible.hpp"
#include "cli/options/option_values.hpp"
#include "core/interrupted.hpp"
#include "core/number_text.hpp"

namespace sassafras::cli {

namespace {

using study::adversary::ClimbState;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds show_interval{200};

/// Says on a terminal how far the search is.
class SearchLine {
  public:
    explicit SearchLine(const Console& console) : terminal_(console.shows_progress && isatty(STDERR_FILENO) == 1) {}
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
    bool terminal_;
    Clock::time_point last_;
};

}  // namespace

void add_input_search_options(CLI::App& command, study::adversary::SearchPlan& plan, MeasureOptions& measure) {
    command
        .add_option(
            "--metric", plan.metric,
            "search for the input with the greatest or least sum of this metric (a name of --page raw) over all "
            "launches")
        ->check(not_empty("the name of a metric"));
    command
        .add_option(
            "--values", plan.values,
            "LEAST..GREATEST: numbers that a search may put in place of others; otherwise it only permutes them, "
            "save queries and colours, which become any others")
        ->check(not_empty("LEAST..GREATEST"));
    command
        .add_option("--evaluations", plan.evaluations, "runs of a search, those resumed included; 1000 if not given")
        ->transform(whole_number(1));
    command.add_option("--minutes", plan.minutes, "time of a search")->check(real_number(1e-6, 1e6));
    command.add_option("--resume", plan.resume, "file that a search continues from, if it exists, and is saved to")
        ->check(output_file());
    command.add_option("--patience", plan.patience, "runs without a better value before a search begins anew")
        ->transform(whole_number(1))
        ->capture_default_str();
    command.add_option("--device", measure.device, "what a search measures with")
        ->check(one_of({"simulated", "functional", "cuda"}))
        ->capture_default_str();
    command.add_option("--platform", measure.platform, "the GPU that a search models")->capture_default_str();
    add_setting_option(command, measure.settings);
    command.add_option("--threads", measure.threads, "threads that simulate; the result does not depend on it")
        ->transform(whole_number(1, 1024))
        ->capture_default_str();
    add_instruction_limit(command, measure);
}

Result<void> check_no_search(const GivenOptions& given) {
    return given.refuse({"--values", "--evaluations", "--minutes", "--resume", "--patience", "--device", "--platform",
                         "--set", "--threads", "--instruction-limit", "--input", "--input-type"},
                        "nothing is searched for", "add --metric NAME");
}

Result<int> run_search(const study::adversary::SearchSubject& subject, ChosenDevice chosen,
                       const MeasureOptions& measure, const study::adversary::SearchPlan& plan, CaseReport report) {
    const nlohmann::ordered_json& hash = chosen.platform["hash"];
    study::adversary::SearchDevice device{std::move(chosen.device), std::move(chosen.make_another),
                                          hash.is_string() ? hash.get<std::string>() : std::string()};
    const Console& console = *measure.console;
    SearchLine line(console);
    const study::adversary::SearchObserver observer{
        [&](const ClimbState& state) {
            console.poll_if_asked();
            line.show(state, plan.metric);
        },
        [&] { line.clear(); },
        [&](const std::string& note) { console.note(fmt::format("sassafras: note: {}\n", note)); }};
    auto found =
        study::adversary::search_input(subject, std::move(device), measure.seed, plan, report.output, observer);
    if (!found) return found.error();
    report.count = subject.start.size();
    report.type = subject.type;
    report.run_with = subject.run_with(report.output);
    report.search = std::move(*found);
    const auto delivered = deliver_case(report, measure);
    if (!delivered || !report.search->is_interrupted) return delivered;
    if (console.take_json) throw Interrupted();  // who has interrupted it is told so
    console.note(fmt::format("sassafras: error: interrupted; this is the best of {} evaluation{}\n",
                             report.search->evaluations, report.search->evaluations == 1 ? "" : "s"));
    return status_interrupted;
}

Result<ReservedOutput> reserve_case_file(const std::string& path) {
    if (path.empty()) return ReservedOutput();
    return reserve_output_file({.path = path});
}

Result<int> deliver_case(const CaseReport& report, const MeasureOptions& measure) {
    const auto text = [&] { return to_table(report); };
    if (auto delivered = deliver([&] { return to_json(report); }, text, measure); !delivered) return delivered.error();
    if (measure.console->take_json) return end_with(*measure.console, text());
    return 0;
}

}  // namespace sassafras::cli
