#include "workloads/stencil/stencil.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/random.hpp"
#include "workloads/cubins.hpp"
#include "workloads/device_buffer.hpp"
#include "workloads/load_cubin.hpp"
#include "workloads/selection.hpp"
#include "workloads/verify.hpp"

namespace sassafras::workloads::stencil {
namespace {

constexpr std::int64_t greatest_extent = 1024;
// Those of the sources' benchmark: what flows out of a point, and what a neighbour gives.
constexpr float c0 = -1.0F / 6.0F;
constexpr float c1 = 1.0F / 6.0F / 6.0F;

std::uint32_t blocks(std::size_t points, std::size_t each) {
    return static_cast<std::uint32_t>((points + each - 1) / each);
}

sim::Launch launch_of(const std::string& variant, Box box, std::uint32_t threads) {
    sim::Launch launch;
    launch.kernel = "stencil_" + variant;
    std::replace(launch.kernel.begin(), launch.kernel.end(), '-', '_');
    if (variant == "parboil-base") {
        launch.grid = {static_cast<std::uint32_t>(box.ny - 2), static_cast<std::uint32_t>(box.nz - 2), 1};
        launch.block = {static_cast<std::uint32_t>(box.nx - 1), 1, 1};
    } else if (variant == "parboil-tiled") {
        launch.grid = {blocks(box.nx, 64), blocks(box.ny, 4), 1};
        launch.block = {32, 4, 1};
        launch.dynamic_shared = Bytes{64 * 4 * sizeof(float)};
    } else if (variant == "base") {
        launch.grid = {blocks(box.nx, threads), static_cast<std::uint32_t>(box.ny - 2),
                       static_cast<std::uint32_t>(box.nz - 2)};
        launch.block = {threads, 1, 1};
    } else {
        launch.grid = {blocks(box.nx, 64), blocks(box.ny, 4), 1};
        launch.block = {128, 1, 1};
    }
    return launch;
}

Result<std::uint64_t> n_of_own(std::uint64_t count, const std::map<std::string, std::int64_t>& parameters) {
    if (parameters.contains("ny") || parameters.contains("nz"))
        return Error{ErrorKind::bad_input, "ny or nz is given, but not n", "stencil", "give --n, the points along x"};
    const auto edge = static_cast<std::uint64_t>(std::llround(std::cbrt(static_cast<double>(count))));
    if (edge * edge * edge == count) return edge;
    return Error{ErrorKind::bad_input, fmt::format("{} numbers are given, no cube", count), "stencil",
                 "--n, --ny and --nz say how many points lie along each axis"};
}

struct Problem {
    Selection selection;
    Box box;
    std::vector<float> points;
};

/// What the iterations begin with, and its extents.
Result<Problem> problem_of(const WorkloadRequest& request) {
    const WorkloadInfo about = info();
    auto selection = select(about, request);
    if (!selection) return selection.error();
    if (selection->variant == "parboil-base")
        if (auto checked = refuse_parameters(*selection, {"b"}, about.name); !checked) return checked.error();
    const auto n = static_cast<std::int64_t>(selection->n);
    const Box box{selection->n, static_cast<std::size_t>(selection->parameter_or("ny", n)),
                  static_cast<std::size_t>(selection->parameter_or("nz", n))};
    Problem problem{std::move(*selection), box, {}};
    if (!request.keys) {
        problem.points = make_points(problem.selection.input, box, problem.selection.seed);
        return problem;
    }
    if (auto checked = check_own_count(about.name, request.keys->size(), box.nx * box.ny * box.nz,
                                       fmt::format("give {} x {} x {} points, x the fastest", box.nx, box.ny, box.nz));
        !checked)
        return checked.error();
    problem.points = floats_of(*request.keys);
    return problem;
}

}  // namespace

WorkloadInfo info() {
    WorkloadInfo info;
    info.name = "stencil";
    info.description = "7-point stencil of the heat equation in FP32, Jacobi iterations";
    info.size_description = "points along x, and along y and z if not given";
    info.default_n = 128;
    info.greatest_n = greatest_extent;
    info.variants = {{"base", {}}, {"tiled", {{"b", 128}}}, {"parboil-base", {}}, {"parboil-tiled", {{"b", 128}}}};
    info.inputs = {"random", "equal", "point"};
    info.own_input = "floats of 32 bits: the points, x the fastest";
    info.own_numbers = OwnNumbers::floats;
    info.n_of_own = n_of_own;
    info.greatest_own = static_cast<std::uint64_t>(greatest_extent * greatest_extent * greatest_extent);
    info.parameters = {{"ny", "points along y; n if not given", 0, greatest_extent, std::nullopt},
                       {"nz", "points along z; n if not given", 0, greatest_extent, std::nullopt},
                       {"T", "iterations", 1, 1000, 2},
                       {"b", "threads of a block, along x (base); 256 if not given", 1, 1024, std::nullopt}};
    return info;
}

std::vector<float> make_points(std::string_view kind, Box box, std::uint64_t seed) {
    Random random(seed);
    std::vector<float> points(box.nx * box.ny * box.nz);
    if (points.empty()) return points;
    if (kind == "random") {
        for (float& point : points) point = random.signed_unit();
    } else if (kind == "equal") {
        points.assign(points.size(), random.signed_unit());
    } else {
        require_invariant(kind == "point", "an input kind that was never offered");
        points[(box.nz / 2 * box.ny + box.ny / 2) * box.nx + box.nx / 2] = 1.0F;
    }
    return points;
}

std::vector<float> reference(std::vector<float> points, Box box, std::int64_t iterations, const HostPoll& poll) {
    if (box.nx < 3 || box.ny < 3 || box.nz < 3) return points;
    std::vector<float> next = points;
    const std::size_t row = box.nx;
    const std::size_t plane = box.nx * box.ny;
    for (std::int64_t iteration = 0; iteration < iterations; ++iteration) {
        for (std::size_t z = 1; z < box.nz - 1; ++z) {
            if (poll) poll();
            for (std::size_t y = 1; y < box.ny - 1; ++y)
                for (std::size_t x = 1; x < box.nx - 1; ++x) {
                    const std::size_t at = z * plane + y * row + x;
                    const float sum = points[at + plane] + points[at - plane] + points[at + row] + points[at - row] +
                                      points[at + 1] + points[at - 1];
                    next[at] = std::fma(c1, sum, c0 * points[at]);
                }
        }
        points.swap(next);
    }
    return points;
}

Result<std::vector<float>> own_numbers(const WorkloadRequest& request) {
    auto problem = problem_of(request);
    if (!problem) return problem.error();
    return std::move(problem->points);
}

Result<WorkloadRun> run(sim::Device& device, const WorkloadRequest& request) {
    auto problem = problem_of(request);
    if (!problem) return problem.error();
    Selection& selection = problem->selection;
    const Box box = problem->box;
    const auto threads = static_cast<std::uint32_t>(selection.parameter_or(
        "b", selection.variant == "parboil-base" && box.nx > 0 ? static_cast<std::int64_t>(box.nx) - 1 : 256));
    const std::int64_t iterations = selection.parameter("T");
    const std::vector<float>& points = problem->points;

    request.poll_if_asked();
    const auto module = selection.variant.starts_with("parboil")
                            ? load_cubin(device, cubins::stencil_parboil(), "workloads/stencil/stencil_parboil.cubin")
                            : load_cubin(device, cubins::stencil(), "workloads/stencil/stencil.cubin");
    if (!module) return module.error();
    // Both begin with the points: the surface is never written.
    auto now = DeviceBuffer<float>::from(device, points);
    if (!now) return now.error();
    auto next = DeviceBuffer<float>::from(device, points);
    if (!next) return next.error();

    if (box.nx > 2 && box.ny > 2 && box.nz > 2)
        for (std::int64_t iteration = 0; iteration < iterations; ++iteration) {
            sim::Launch launch = launch_of(selection.variant, box, threads);
            launch.module = *module;
            launch.arguments.add(now->argument()).add(next->argument());
            launch.arguments.add(static_cast<std::int32_t>(box.nx))
                .add(static_cast<std::int32_t>(box.ny))
                .add(static_cast<std::int32_t>(box.nz));
            launch.arguments.add(c0).add(c1);
            if (auto launched = device.launch(launch); !launched) return launched.error();
            std::swap(*now, *next);
        }
    if (auto done = device.synchronize(); !done) return done.error();
    request.poll_if_asked();
    const auto result = now->read();
    if (!result) return result.error();
    WorkloadRun run = start_run(info(), selection);
    verify(run, *result, reference(points, box, iterations, request.poll));
    return run;
}

}  // namespace sassafras::workloads::stencil
