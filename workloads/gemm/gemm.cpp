#include "workloads/gemm/gemm.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "workloads/cubins.hpp"
#include "workloads/device_buffer.hpp"
#include "workloads/selection.hpp"
#include "workloads/verify.hpp"

namespace sassafras::workloads::gemm {
namespace {

constexpr std::uint32_t threads = 256;  ///< a block, in every variant
constexpr std::int64_t greatest_order = 16384;

std::uint32_t tiles(std::size_t extent, std::int64_t tile) {
    return static_cast<std::uint32_t>((static_cast<std::int64_t>(extent) + tile - 1) / tile);
}

}  // namespace

WorkloadInfo info() {
    WorkloadInfo info;
    info.name = "gemm";
    info.description = "C = A B in FP32, square tiles in shared memory, sums in registers";
    info.size_description = "order of the matrices";
    info.default_n = 512;
    info.greatest_n = greatest_order;
    info.variants = {{"64x64x16", {{"N_TB", 64}}},
                     {"16x16x16", {{"N_TB", 16}}},
                     {"32x32x32", {{"N_TB", 32}}},
                     {"96x96x16", {{"N_TB", 96}}},
                     {"128x128x8", {{"N_TB", 128}}}};
    info.inputs = {"random", "integers"};
    info.parameters = {{"N_TB", "rows and columns of C that a block computes", 1, 128, std::nullopt},
                       {"M", "rows of A and C; n if not given", 0, greatest_order, std::nullopt},
                       {"K", "columns of A, rows of B; n if not given", 0, greatest_order, std::nullopt}};
    return info;
}

std::vector<float> make_matrix(std::string_view kind, std::size_t elements, std::uint64_t seed) {
    Random random(seed);
    std::vector<float> matrix(elements);
    if (kind == "integers") {
        for (float& element : matrix) element = static_cast<float>(static_cast<int>(random.below(17)) - 8);
    } else {
        require_invariant(kind == "random", "an input kind that was never offered");
        for (float& element : matrix) element = random.signed_unit();
    }
    return matrix;
}

std::vector<float> reference(const std::vector<float>& a, const std::vector<float>& b, Shape shape) {
    std::vector<float> c(shape.rows * shape.columns, 0.0F);
    // A slab of B's rows and a stretch of its columns stay in the cache while all of A passes by; k still ascends for
    // every element.
    constexpr std::size_t stretch = 512;
    constexpr std::size_t slab = 128;
    for (std::size_t first_column = 0; first_column < shape.columns; first_column += stretch)
        for (std::size_t first = 0; first < shape.inner; first += slab)
            for (std::size_t row = 0; row < shape.rows; ++row)
                for (std::size_t k = first; k < std::min(first + slab, shape.inner); ++k) {
                    const float factor = a[row * shape.inner + k];
                    const float* from = b.data() + k * shape.columns;
                    float* sums = c.data() + row * shape.columns;
                    const std::size_t end = std::min(first_column + stretch, shape.columns);
                    for (std::size_t column = first_column; column < end; ++column)
                        sums[column] = std::fma(factor, from[column], sums[column]);
                }
    return c;
}

Result<WorkloadRun> run(sim::Device& device, const WorkloadRequest& request) {
    const WorkloadInfo about = info();
    auto selection = select(about, request);
    if (!selection) return selection.error();
    const std::size_t n = selection->n;
    const Shape shape{static_cast<std::size_t>(selection->parameter_or("M", static_cast<std::int64_t>(n))), n,
                      static_cast<std::size_t>(selection->parameter_or("K", static_cast<std::int64_t>(n)))};
    const std::vector<float> a = make_matrix(selection->input, shape.rows * shape.inner, selection->seed);
    const std::vector<float> b = make_matrix(selection->input, shape.inner * shape.columns, selection->seed + 1);

    const auto module = device.load_module(cubins::gemm(), "workloads/gemm/gemm.cubin");
    if (!module) return module.error();
    const auto device_a = DeviceBuffer<float>::from(device, a);
    if (!device_a) return device_a.error();
    const auto device_b = DeviceBuffer<float>::from(device, b);
    if (!device_b) return device_b.error();
    const auto device_c = DeviceBuffer<float>::make(device, shape.rows * shape.columns);
    if (!device_c) return device_c.error();

    if (shape.rows != 0 && shape.columns != 0) {
        const std::int64_t tile = selection->parameter("N_TB");
        sim::Launch launch;
        launch.module = *module;
        launch.kernel = "gemm_" + selection->variant;
        launch.grid = {tiles(shape.columns, tile), tiles(shape.rows, tile), 1};
        launch.block = {threads, 1, 1};
        launch.arguments.add(device_a->argument()).add(device_b->argument()).add(device_c->argument());
        launch.arguments.add(static_cast<std::int32_t>(shape.rows))
            .add(static_cast<std::int32_t>(shape.columns))
            .add(static_cast<std::int32_t>(shape.inner));
        if (auto launched = device.launch(launch); !launched) return launched.error();
    }
    if (auto done = device.synchronize(); !done) return done.error();
    const auto c = device_c->read();
    if (!c) return c.error();
    WorkloadRun run = start_run(about, *selection);
    verify(run, *c, reference(a, b, shape));
    return run;
}

}  // namespace sassafras::workloads::gemm
