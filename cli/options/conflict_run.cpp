#include "cli/options/conflict_run.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <utility>

#include "cli/html/html_reports.hpp"
#include "cli/reports/explain.hpp"
#include "core/staged_file.hpp"
#include "sim/platform/platform_json.hpp"

namespace sassafras::cli {

namespace {

constexpr std::uint32_t widest_access = 16;  ///< bytes of a lane; one row of all banks must hold it

Result<void> set_geometry(const ConflictCommandOptions& options, sim::SmParameters& sm) {
    if (options.banks != 0) sm.shared_banks = options.banks;
    if (options.bank_width != 0) sm.shared_bank_bytes = options.bank_width;
    const auto refuse = [](std::string what, std::string remedy) {
        return Error{ErrorKind::bad_input, std::move(what), {}, std::move(remedy)};
    };
    if (!std::has_single_bit(sm.shared_banks) || sm.shared_banks > sim::most_banks)
        return refuse(fmt::format("{} banks are not modelled", sm.shared_banks),
                      fmt::format("give --banks a power of two up to {}", sim::most_banks));
    if (sm.shared_bank_bytes != 4 && sm.shared_bank_bytes != 8 && sm.shared_bank_bytes != 16)
        return refuse(fmt::format("banks of {} bytes are not modelled", sm.shared_bank_bytes),
                      "give --bank-width 4, 8 or 16");
    if (sm.shared_banks * sm.shared_bank_bytes < widest_access)
        return refuse(fmt::format("{} banks of {} bytes cannot hold what one lane accesses", sm.shared_banks,
                                  sm.shared_bank_bytes),
                      fmt::format("choose {} bytes or more in all banks together", widest_access));
    return {};
}

Result<std::optional<std::uint64_t>> parse_pc(std::string_view text) {
    if (text.empty()) return std::optional<std::uint64_t>();
    std::string_view digits = text;
    if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
    std::uint64_t pc = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), pc, 16);
    if (digits.empty() || code != std::errc() || end != digits.data() + digits.size())
        return Error{ErrorKind::bad_input, fmt::format("\"{}\" is no address of an instruction", text), "--pc",
                     "give it in hexadecimal, as the report shows it: --pc 0x4a0"};
    return std::optional(pc);
}

/// What would have no effect.
Result<void> check_choices(const ConflictCommandOptions& options, const MeasureOptions& measure) {
    const GivenOptions& given = measure.given;
    if (!options.explains())
        if (auto checked =
                given.refuse({options.chooses_kernel ? "--kernel" : "", "--pc", "--request"},
                             "it chooses what is explained, and nothing is", "add --explain, or --svg with a file");
            !checked)
            return checked;
    if (options.explain)
        if (auto checked = given.refuse({"--csv", "--by"}, "--explain draws one request in place of rows",
                                        "give --svg a file in place of --explain");
            !checked)
            return checked;
    if (measure.json == "-") return given.refuse({"--by"}, "JSON is all there is to print, and has every view");
    return {};
}

OutputName svg_file(const std::string& path) { return {path, "the SVG file", "--svg"}; }

}  // namespace

Result<ConflictPlan> ConflictPlan::make(ConflictCommandOptions options, MeasureOptions measure) {
    if (names_folder(options.svg)) measure.html.folder = std::exchange(options.svg, {});
    if (auto checked = check_outputs(measure); !checked) return checked.error();
    if (auto checked = check_choices(options, measure); !checked) return checked.error();
    ReservedOutput svg_place;
    if (!options.svg.empty()) {
        auto reserved = reserve_output_file(svg_file(options.svg));
        if (!reserved) return reserved.error();
        svg_place = std::move(*reserved);
    }
    auto pc = parse_pc(options.pc);
    if (!pc) return pc.error();
    auto resolved = chosen_platform(measure);
    if (!resolved) return resolved.error();
    ConflictPlan plan;
    plan.options_ = options;
    plan.measure_ = measure;
    plan.svg_place_ = std::move(svg_place);
    plan.platform_json_ = {
        {"name", resolved->platform.name}, {"hash", resolved->hash}, {"resolved", sim::platform_json(*resolved)}};
    if (auto set = set_geometry(options, resolved->platform.sm); !set) return set.error();
    plan.platform_ = std::move(*resolved);
    plan.choice_ = {.kernel = options.kernel, .pc = *pc, .number = options.request};
    return plan;
}

Result<std::optional<ExplainedRequest>> ConflictPlan::explained(const std::vector<sim::LaunchConflicts>& launches,
                                                                const study::ConflictSummary& summary) const {
    if (!options_.explains()) return std::optional<ExplainedRequest>();
    const auto excess = [](const sim::SharedRequest& request) {
        return request.wavefronts.actual - request.wavefronts.ideal;
    };
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < launches.size(); ++i)
        if (launches[i].chosen && (!best || excess(*launches[i].chosen) > excess(*launches[*best].chosen))) best = i;
    if (!best)
        return Error{ErrorKind::bad_input,
                     "no request to shared memory fits the choice",
                     {},
                     "the report by instruction shows kernels, addresses and numbers of requests"};
    const sim::LaunchConflicts& launch = launches[*best];
    ExplainedRequest explained;
    explained.kernel = launch.kernel;
    explained.launch = *best;
    explained.phase_is_line = summary.phases_are_lines;
    explained.grid = launch.grid;
    explained.block = launch.block;
    explained.geometry = launch.geometry;
    explained.request = *launch.chosen;
    const std::uint64_t pc = std::uint64_t{explained.request.instruction} * isa::instruction_bytes;
    for (const auto& one : summary.instructions) {
        if (one.kernel != launch.kernel || one.code_hash != launch.code_hash || one.pc != pc) continue;
        explained.decoded = one.decoded;
        explained.line = one.line;
        explained.phase = summary.phases[one.phase].part + ": " + summary.phases[one.phase].phase;
    }
    return std::optional(std::move(explained));
}

Result<void> ConflictPlan::deliver(ConflictReport report, const CountedConflicts& counted,
                                   const std::vector<std::string>& command) const {
    report.command = recorded_command(command);
    report.platform = platform_json_;
    report.launches = counted.launches.size();
    report.summary = study::summarise(counted.launches, counted.rules, counted.lines);
    // Also where nothing was launched.
    report.summary.geometry = {platform_.platform.sm.shared_banks, platform_.platform.sm.shared_bank_bytes};
    auto found = explained(counted.launches, report.summary);
    if (!found) return found.error();
    report.explained = std::move(*found);
    Result<void> drawn;
    if (!options_.svg.empty()) drawn = write_output_file(svg_file(options_.svg), explain_svg(*report.explained));
    const auto text = [&] {
        if (measure_.csv) return to_csv(report, options_.view());
        return options_.explain ? explain_text(*report.explained) : to_table(report, options_.view());
    };
    auto delivered = cli::deliver([&] { return to_json(report); }, text, measure_);
    if (auto page = deliver_html_of(report, measure_.html); drawn) drawn = std::move(page);
    return drawn ? delivered : drawn;
}

ConflictRun::ConflictRun(ConflictPlan plan, std::span<const workloads::PhaseRule> rules, study::LinesByKernel lines)
    : plan_(std::move(plan)), counted_{{}, rules, std::move(lines)} {
    sim::ConflictOptions counting;
    counting.choice = plan_.choice();
    counting.rounds = [rules, &known = counted_.lines](const isa::Program& program) {
        return study::round_marks(program, rules, known);
    };
    device_ = sim::make_conflict_device(plan_.platform().platform, model_options(plan_.measure()), std::move(counting),
                                        counted_.launches);
}

}  // namespace sassafras::cli
