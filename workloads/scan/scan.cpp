#include "workloads/scan/scan.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "workloads/cubins.hpp"
#include "workloads/device_buffer.hpp"
#include "workloads/inputs.hpp"
#include "workloads/load_cubin.hpp"
#include "workloads/selection.hpp"
#include "workloads/verify.hpp"

namespace sassafras::workloads::scan {
namespace {

using Buffer = DeviceBuffer<std::uint32_t>;

constexpr std::uint32_t w = 32;                    ///< lanes of a warp
constexpr std::uint64_t page = w * w;              ///< words a warp works on at a time
constexpr std::uint64_t page_cells = w * (w + 1);  ///< of it in shared memory

sim::Launch launch_of(sim::ModuleId module, std::string kernel, std::uint64_t blocks, std::uint64_t threads,
                      std::uint64_t shared_cells) {
    sim::Launch launch;
    launch.module = module;
    launch.kernel = std::move(kernel);
    launch.grid = {static_cast<std::uint32_t>(blocks), 1, 1};
    launch.block = {static_cast<std::uint32_t>(threads), 1, 1};
    launch.dynamic_shared = Bytes{shared_cells * sizeof(std::uint32_t)};
    return launch;
}

/// Blelloch's scan of in to out: blocks of 2b words, then their sums by the same means, then the sums before each block
/// added.
Result<void> scan_levels(sim::Device& device, sim::ModuleId module, const std::string& variant, std::uint64_t threads,
                         const Buffer& in, const Buffer& out, std::uint64_t count) {
    const std::uint64_t words = 2 * threads;
    const std::uint64_t blocks = (count + words - 1) / words;
    const auto sums = Buffer::make(device, blocks);
    if (!sums) return sums.error();
    const std::uint64_t padding = variant == "padded" ? words / w + words / page : 0;
    sim::Launch scan = launch_of(module, "scan_" + variant, blocks, threads, words + padding);
    scan.arguments.add(in.argument()).add(out.argument()).add(sums->argument()).add(static_cast<std::uint32_t>(count));
    if (auto launched = device.launch(scan); !launched) return launched.error();
    if (blocks == 1) return device.synchronize();
    const auto before = Buffer::make(device, blocks);
    if (!before) return before.error();
    if (auto scanned = scan_levels(device, module, variant, threads, *sums, *before, blocks); !scanned)
        return scanned.error();
    sim::Launch add = launch_of(module, "scan_add", blocks, threads, 0);
    add.arguments.add(out.argument()).add(before->argument()).add(static_cast<std::uint32_t>(count));
    if (auto launched = device.launch(add); !launched) return launched.error();
    return device.synchronize();  // the sums are still needed
}

/// Sums of each block's pages, their scan, the pages themselves. `colors` is nullptr for plain sums.
Result<void> scan_phases(sim::Device& device, sim::ModuleId module, std::uint64_t blocks, const Buffer& in,
                         const Buffer* colors, std::uint32_t color_count, const Buffer& out, std::uint64_t count) {
    const std::string name = colors != nullptr ? "scan_colored_" : "scan_three_phase_";
    const std::uint64_t shared = colors != nullptr ? 2 * page_cells + std::uint64_t{w} * color_count : page_cells;
    const auto sums = Buffer::make(device, blocks * color_count);
    if (!sums) return sums.error();
    const auto n = static_cast<std::uint32_t>(count);

    sim::Launch first = launch_of(module, name + "sums", blocks, w, shared);
    first.arguments.add(in.argument());
    if (colors != nullptr) first.arguments.add(colors->argument());
    first.arguments.add(sums->argument()).add(n);
    if (colors != nullptr) first.arguments.add(color_count);
    if (auto launched = device.launch(first); !launched) return launched.error();

    sim::Launch second = launch_of(module, name + "offsets", colors != nullptr ? (color_count + w - 1) / w : 1, w, 0);
    second.arguments.add(sums->argument()).add(static_cast<std::uint32_t>(blocks));
    if (colors != nullptr) second.arguments.add(color_count);
    if (auto launched = device.launch(second); !launched) return launched.error();

    sim::Launch third = launch_of(module, name + "pages", blocks, w, shared);
    third.arguments.add(in.argument());
    if (colors != nullptr) third.arguments.add(colors->argument());
    third.arguments.add(out.argument()).add(sums->argument()).add(n);
    if (colors != nullptr) third.arguments.add(color_count);
    if (auto launched = device.launch(third); !launched) return launched.error();
    return device.synchronize();  // the sums are still needed
}

/// Sets the parameters that the variant has to what will be used, save the number of blocks.
Result<void> complete(Selection& selection, const std::string& workload) {
    const bool by_levels = selection.variant == "unpadded" || selection.variant == "padded";
    if (auto checked = refuse_parameters(selection, {by_levels ? "blocks" : "b"}, workload); !checked)
        return checked.error();
    if (selection.variant == "colored")
        selection.parameter_or("colors", 8);
    else if (auto checked = refuse_parameters(selection, {"colors"}, workload); !checked)
        return checked.error();
    if (by_levels) {
        const auto threads = static_cast<std::uint64_t>(selection.parameter_or("b", 256));
        if (!std::has_single_bit(threads))
            return Error{ErrorKind::bad_input, fmt::format("b = {} is no power of two", threads), workload,
                         "Blelloch's scan halves and doubles it"};
    }
    return {};
}

/// Warps of their own; enough of them to have loads under way all the time.
void choose_blocks(Selection& selection, const sim::Device& device) {
    constexpr std::int64_t resident_blocks = 16;
    const auto pages = static_cast<std::int64_t>((selection.n + page - 1) / page);
    selection.parameter_or("blocks",
                           std::clamp<std::int64_t>(pages, 1, resident_blocks * std::int64_t{device.sm_count()}));
}

/// Colours that are drawn, sorted, equal ... as keys of the kind are.
Words make_colors(const std::string& kind, std::uint64_t count, std::uint64_t seed, std::uint32_t color_count,
                  const HostPoll& poll) {
    Words colors = make_keys(kind, count, seed, poll);
    for (std::uint32_t& color : colors)
        color = static_cast<std::uint32_t>(static_cast<std::uint64_t>(color) * color_count >> 32U);
    return colors;
}

/// What a user may give, and the choice it belongs to.
struct Problem {
    Selection selection;
    Words numbers;
};

Result<Problem> problem_of(const WorkloadRequest& request) {
    const WorkloadInfo about = info();
    auto selection = select(about, request);
    if (!selection) return selection.error();
    if (auto completed = complete(*selection, about.name); !completed) return completed.error();
    const bool is_colored = selection->variant == "colored";
    const auto color_count = static_cast<std::uint32_t>(is_colored ? selection->parameter("colors") : 1);
    Problem problem{std::move(*selection), {}};
    const Selection& chosen = problem.selection;
    if (!request.keys) {
        problem.numbers = is_colored ? make_colors(chosen.input, chosen.n, chosen.seed + 1, color_count, request.poll)
                                     : make_keys(chosen.input, chosen.n, chosen.seed, request.poll);
        return problem;
    }
    problem.numbers = *request.keys;
    if (!is_colored) return problem;
    const auto wrong = std::find_if(problem.numbers.begin(), problem.numbers.end(),
                                    [&](std::uint32_t color) { return color >= color_count; });
    if (wrong != problem.numbers.end())
        return Error{ErrorKind::bad_input,
                     fmt::format("number {} (from 0) is {}, no colour", wrong - problem.numbers.begin(), *wrong),
                     about.name, fmt::format("there are {} colours, from 0; --colors says how many", color_count)};
    return problem;
}

}  // namespace

WorkloadInfo info() {
    WorkloadInfo info;
    info.name = "scan";
    info.description = "exclusive prefix sums of 32-bit words";
    info.size_description = "words";
    info.default_n = 1U << 20U;
    info.greatest_n = 1U << 30U;
    info.variants = {{"unpadded", {}}, {"padded", {}}, {"three-phase", {}}, {"colored", {}}};
    info.own_input = "words of 32 bits; for colored, the colours of words that are drawn at random";
    info.own_numbers = OwnNumbers::words;
    info.inputs = key_input_kinds();  // of the words; of the colours for colored, whose words are random
    info.parameters = {
        {"b", "threads a block, a power of two (unpadded, padded); 256 if not given", 1, 1024, std::nullopt},
        {"blocks", "blocks of one warp (three-phase, colored); enough to fill the GPU if not given", 1, 1 << 20,
         std::nullopt},
        {"colors", "colours (colored); 8 if not given", 1, 1024, std::nullopt}};
    return info;
}

Words reference(const Words& words) {
    Words sums;
    sums.reserve(words.size());
    std::uint32_t sum = 0;
    for (const std::uint32_t word : words) {
        sums.push_back(sum);
        sum += word;
    }
    return sums;
}

Words colored_reference(const Words& words, const Words& colors, std::uint32_t color_count) {
    Words sums;
    sums.reserve(words.size());
    Words running(color_count, 0);
    for (std::size_t i = 0; i < words.size(); ++i) {
        sums.push_back(running[colors[i]]);
        running[colors[i]] += words[i];
    }
    return sums;
}

Result<Words> own_numbers(const WorkloadRequest& request) {
    auto problem = problem_of(request);
    if (!problem) return problem.error();
    return std::move(problem->numbers);
}

Result<std::optional<std::uint32_t>> colors_of(const WorkloadRequest& request) {
    auto selection = select(info(), request);
    if (!selection) return selection.error();
    if (selection->variant != "colored") return std::optional<std::uint32_t>();
    return std::optional(static_cast<std::uint32_t>(selection->parameter_or("colors", 8)));
}

Result<WorkloadRun> run(sim::Device& device, const WorkloadRequest& request) {
    auto problem = problem_of(request);
    if (!problem) return problem.error();
    Selection& selection = problem->selection;
    const std::uint64_t n = selection.n;
    const bool is_colored = selection.variant == "colored";
    const bool by_levels = selection.parameters.contains("b");
    if (!by_levels) choose_blocks(selection, device);
    const auto color_count = static_cast<std::uint32_t>(is_colored ? selection.parameter("colors") : 1);
    const Words words = is_colored ? make_keys("random", n, selection.seed, request.poll) : problem->numbers;
    const Words colors = is_colored ? problem->numbers : Words{};

    const auto module = load_cubin(device, cubins::scan(), "workloads/scan/scan.cubin");
    if (!module) return module.error();
    const auto in = Buffer::from(device, words);
    if (!in) return in.error();
    const auto device_colors = Buffer::from(device, colors);
    if (!device_colors) return device_colors.error();
    const auto out = Buffer::make(device, n);
    if (!out) return out.error();

    if (n != 0) {
        auto scanned = by_levels
                           ? scan_levels(device, *module, selection.variant,
                                         static_cast<std::uint64_t>(selection.parameter("b")), *in, *out, n)
                           : scan_phases(device, *module, static_cast<std::uint64_t>(selection.parameter("blocks")),
                                         *in, is_colored ? &*device_colors : nullptr, color_count, *out, n);
        if (!scanned) return scanned.error();
    }
    if (auto done = device.synchronize(); !done) return done.error();
    request.poll_if_asked();
    const auto sums = out->read();
    if (!sums) return sums.error();
    WorkloadRun run = start_run(info(), selection);
    verify(run, *sums, is_colored ? colored_reference(words, colors, color_count) : reference(words));
    return run;
}

}  // namespace sassafras::workloads::scan
