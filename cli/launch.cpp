#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <utility>

#include "cli/commands.hpp"
#include "cli/conflict_options.hpp"
#include "cli/launch_argument.hpp"
#include "cli/option_values.hpp"
#include "cli/options.hpp"

namespace sassafras::cli {

namespace {

struct LaunchOptions {
    MeasureOptions measure;
    std::string cubin;
    std::string kernel;
    std::string grid = "1,1,1";
    std::string block = "32,1,1";
    std::uint64_t shared = 0;
    std::vector<std::string> arguments;
    bool count_conflicts = false;
    ConflictCommandOptions conflicts;
};

struct PlacedBuffer {
    std::size_t argument = 0;
    Address address;
    Bytes size;
};

Result<std::vector<PlacedBuffer>> place_arguments(sim::Device& device, const LaunchOptions& options,
                                                  sim::Launch& launch) {
    std::vector<PlacedBuffer> buffers;
    for (std::size_t i = 0; i < options.arguments.size(); ++i) {
        auto parsed = parse_launch_argument(options.arguments[i]);
        if (!parsed) return parsed.error();
        if (const auto* bytes = std::get_if<std::vector<std::byte>>(&*parsed)) {
            launch.arguments.add_bytes(*bytes);
            continue;
        }
        const auto& wanted = std::get<BufferArgument>(*parsed);
        auto address = device.allocate(wanted.size);
        if (!address) return address.error();
        if (auto done = device.copy_to_device(*address, make_content(wanted, options.measure.seed + i)); !done)
            return done.error();
        launch.arguments.add(address->value);
        buffers.push_back({i, *address, wanted.size});
    }
    return buffers;
}

/// What ran, for results, and for how long.
struct Launched {
    nlohmann::ordered_json workload;
    double wall_seconds = 0;
};

Result<Launched> launch_on(sim::Device& device, const LaunchOptions& options, std::span<const std::byte> cubin) {
    auto grid = parse_extents(options.grid, "--grid");
    if (!grid) return grid.error();
    auto block = parse_extents(options.block, "--block");
    if (!block) return block.error();
    auto module = device.load_module(cubin, options.cubin);
    if (!module) return module.error();
    sim::Launch launch;
    launch.module = *module;
    launch.kernel = options.kernel;
    launch.grid = *grid;
    launch.block = *block;
    launch.dynamic_shared = Bytes{options.shared};
    auto buffers = place_arguments(device, options, launch);
    if (!buffers) return buffers.error();

    Launched launched;
    const auto begin = std::chrono::steady_clock::now();
    if (auto done = device.launch(launch); !done) return done.error();
    if (auto done = device.synchronize(); !done) return done.error();
    launched.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    auto contents = nlohmann::ordered_json::array();
    for (const auto& buffer : *buffers) {
        std::vector<std::byte> bytes(buffer.size.count);
        if (auto done = device.copy_from_device(bytes, buffer.address); !done) return done.error();
        contents.push_back({{"argument", buffer.argument},
                            {"bytes", buffer.size.count},
                            {"fnv1a64", fmt::format("{:016x}", checksum(bytes))}});
    }
    launched.workload = {{"name", "launch"},
                         {"cubin", options.cubin},
                         {"kernel", options.kernel},
                         {"arguments", options.arguments},
                         {"buffers", std::move(contents)}};
    return launched;
}

Result<int> count_conflicts(const LaunchOptions& options, const std::vector<std::string>& command) {
    auto cubin = read_file(options.cubin);
    if (!cubin) return cubin.error();
    auto lines = workloads::lines_of(*cubin, options.cubin);
    if (!lines) return lines.error();
    auto run = ConflictRun::make(options.conflicts, options.measure, {}, std::move(*lines));
    if (!run) return run.error();
    auto launched = launch_on((*run)->device(), options, *cubin);
    if (!launched) return launched.error();
    ConflictReport report;
    report.workload = std::move(launched->workload);
    report.wall_seconds = launched->wall_seconds;
    if (auto done = (*run)->deliver(std::move(report), command); !done) return done.error();
    return 0;
}

Result<int> run_launch(const LaunchOptions& options, const std::vector<std::string>& command) {
    if (options.count_conflicts) return count_conflicts(options, command);
    auto cubin = read_file(options.cubin);
    if (!cubin) return cubin.error();
    auto chosen = choose_device(options.measure);
    if (!chosen) return chosen.error();
    sim::Device& device = *chosen->device;
    auto launched = launch_on(device, options, *cubin);
    if (!launched) return launched.error();
    Report report;
    report.command = recorded_command(command);
    report.device = device.name();
    report.platform = std::move(chosen->platform);
    report.workload = std::move(launched->workload);
    report.wall_seconds = launched->wall_seconds;
    take_results(device, report);
    if (auto done = deliver(report, options.measure); !done) return done.error();
    return 0;
}

}  // namespace

void add_launch(CLI::App& app, Program& program) {
    auto options = std::make_shared<LaunchOptions>();
    CLI::App* command = app.add_subcommand("launch", "Launch one kernel of a cubin, without a host program");
    command->add_option("--cubin", options->cubin, "sm_90 cubin")->required();
    command->add_option("--kernel", options->kernel, "mangled name, as in the cubin")->required();
    command->add_option("--grid", options->grid, "X,Y,Z blocks")->capture_default_str();
    command->add_option("--block", options->block, "X,Y,Z threads")->capture_default_str();
    command->add_option("--shared", options->shared, "bytes of dynamic shared memory")->transform(whole_number());
    command
        ->add_option("--arg", options->arguments,
                     "one per parameter: i32:N u32:N i64:N u64:N f32:X f64:X buffer:BYTES[:zero|iota|random]")
        ->take_all()
        ->expected(1)
        ->allow_extra_args(false);
    add_measure_options(*command, options->measure);
    CLI::Option* const conflicts =
        command->add_flag("--conflicts", options->count_conflicts,
                          "count bank conflicts, as `sassafras conflicts` does for workloads, in place of the rest");
    add_conflict_options(*command, options->conflicts, false);
    for (const char* option : {"--banks", "--bank-width", "--by", "--explain", "--pc", "--request", "--svg"})
        command->get_option(option)->needs(conflicts);
    command->callback([options, &program] {
        program.chosen = [options, &program] { return run_launch(*options, program.arguments); };
    });
}

}  // namespace sassafras::cli
