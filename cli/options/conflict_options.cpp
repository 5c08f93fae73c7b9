#include "cli/options/conflict_options.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <utility>

#include "cli/options/option_values.hpp"
#include "cli/reports/explain.hpp"
#include "core/spelling.hpp"
#include "core/staged_file.hpp"
#include "sim/platform/platform_json.hpp"
#include "sim/platform/platform_reader.hpp"

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

ConflictView ConflictCommandOptions::view() const {
    if (by == "phase") return ConflictView::phase;
    if (by == "round") return ConflictView::round;
    if (by == "instruction") return ConflictView::instruction;
    if (by == "degree") return ConflictView::degree;
    return by == "bank" ? ConflictView::bank : ConflictView::overview;
}

void add_conflict_options(CLI::App& command, ConflictCommandOptions& options, bool with_kernel) {
    options.chooses_kernel = with_kernel;
    command.add_option("--banks", options.banks, "count for a memory of so many banks (a power of two up to 64)")
        ->transform(whole_number(1, sim::most_banks));
    command.add_option("--bank-width", options.bank_width, "count for banks of so many bytes (4, 8 or 16)")
        ->transform(whole_number(4, widest_access));
    command.add_option("--by", options.by, "what a row of the table or of the CSV is; the CSV's overview is by phase")
        ->check(one_of({"overview", "phase", "round", "instruction", "degree", "bank"}))
        ->capture_default_str();
    command.add_flag("--explain", options.explain,
                     "draw one request: lanes, banks, passes; that with most conflicts, if not chosen");
    if (with_kernel)
        command.add_option("--kernel", options.kernel, "explain a request of this kernel")
            ->check(not_empty("a kernel's mangled name"));
    command.add_option("--pc", options.pc, "explain a request of the instruction at this address (hexadecimal)")
        ->check(not_empty("an address"));
    command
        .add_option("--request", options.request,
                    "explain this one of an instruction's requests in a launch, from 0 in order of execution")
        ->transform(whole_number());
    command.add_option("--svg", options.svg, "write the drawing to this file as SVG")->check(output_file());
}

ConflictRun::ConflictRun(const ConflictCommandOptions& options, const MeasureOptions& measure,
                         std::span<const workloads::PhaseRule> rules, study::LinesByKernel lines)
    : options_(options), measure_(measure), rules_(rules), lines_(std::move(lines)) {}

Result<std::unique_ptr<ConflictRun>> ConflictRun::make(const ConflictCommandOptions& options,
                                                       const MeasureOptions& measure,
                                                       std::span<const workloads::PhaseRule> rules,
                                                       study::LinesByKernel lines) {
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
    auto resolved = sim::load_platform(measure.platform);
    if (!resolved) return resolved.error();
    // The tables of source lines are of the code for sm_90.
    const sim::GpuParameters& gpu = resolved->platform.gpu;
    if (!isa::runs_on(isa::Architecture::sm_90, {gpu.compute_capability_major, gpu.compute_capability_minor}))
        lines.clear();
    std::unique_ptr<ConflictRun> run(new ConflictRun(options, measure, rules, std::move(lines)));
    run->svg_place_ = std::move(svg_place);
    run->platform_ = {
        {"name", resolved->platform.name}, {"hash", resolved->hash}, {"resolved", sim::platform_json(*resolved)}};
    if (auto set = set_geometry(options, resolved->platform.sm); !set) return set.error();
    run->geometry_ = {resolved->platform.sm.shared_banks, resolved->platform.sm.shared_bank_bytes};
    sim::ConflictOptions counting;
    counting.choice = {.kernel = options.kernel, .pc = *pc, .number = options.request};
    counting.rounds = [rules, &known = run->lines_](const isa::Program& program) {
        return study::round_marks(program, rules, known);
    };
    run->device_ =
        sim::make_conflict_device(resolved->platform, model_options(measure), std::move(counting), run->launches_);
    return run;
}

Result<std::optional<ExplainedRequest>> ConflictRun::explained(const study::ConflictSummary& summary) const {
    if (!options_.explains()) return std::optional<ExplainedRequest>();
    const auto excess = [](const sim::SharedRequest& request) {
        return request.wavefronts.actual - request.wavefronts.ideal;
    };
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < launches_.size(); ++i)
        if (launches_[i].chosen && (!best || excess(*launches_[i].chosen) > excess(*launches_[*best].chosen))) best = i;
    if (!best)
        return Error{ErrorKind::bad_input,
                     "no request to shared memory fits the choice",
                     {},
                     "the report by instruction shows kernels, addresses and numbers of requests"};
    const sim::LaunchConflicts& launch = launches_[*best];
    ExplainedRequest explained;
    explained.kernel = launch.kernel;
    explained.launch = *best;
    explained.grid = launch.grid;
    explained.block = launch.block;
    explained.geometry = launch.geometry;
    explained.request = *launch.chosen;
    const std::uint64_t pc = std::uint64_t{explained.request.instruction} * isa::instruction_bytes;
    for (const auto& one : summary.instructions) {
        if (one.kernel != launch.kernel || one.pc != pc) continue;
        explained.decoded = one.decoded;
        explained.line = one.line;
        explained.phase = summary.phases[one.phase].part + ": " + summary.phases[one.phase].phase;
    }
    return std::optional(std::move(explained));
}

Result<void> ConflictRun::deliver(ConflictReport report, const std::vector<std::string>& command) {
    report.command = recorded_command(command);
    report.platform = platform_;
    report.launches = launches_.size();
    report.summary = study::summarise(launches_, rules_, lines_);
    report.summary.geometry = geometry_;  // also where nothing was launched
    auto found = explained(report.summary);
    if (!found) return found.error();
    report.explained = std::move(*found);
    Result<void> drawn;
    if (!options_.svg.empty()) drawn = write_output_file(svg_file(options_.svg), explain_svg(*report.explained));
    const auto text = [&] {
        if (measure_.csv) return to_csv(report, options_.view());
        return options_.explain ? explain_text(*report.explained) : to_table(report, options_.view());
    };
    auto delivered = cli::deliver([&] { return to_json(report); }, text, measure_);
    return drawn ? delivered : drawn;
}

}  // namespace sassafras::cli
