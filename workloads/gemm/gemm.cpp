#include "workloads/gemm/gemm.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/random.hpp"
#include "workloads/cubins.hpp"
#include "workloads/device_buffer.hpp"
#include "workloads/load_cubin.hpp"
#include "workloads/selection.hpp"
#include "workloads/verify.hpp"

namespace sassafras::workloads::gemm {
namespace {

constexpr std::int64_t greatest_order = 16384;

/// The (N_TB, lambda, b) for which gemm_magma.cu has a kernel; the first is MAGMA's own choice.
struct MagmaShape {
    std::int64_t N_TB, lambda, b;
};
constexpr std::array<MagmaShape, 21> magma_shapes{
    {{96, 16, 256}, {32, 16, 256}, {32, 32, 256},  {64, 8, 256},   {64, 16, 256},  {64, 32, 256}, {96, 8, 256},
     {96, 32, 256}, {128, 8, 256}, {128, 16, 256}, {160, 8, 256},  {160, 16, 256}, {192, 8, 256}, {192, 16, 256},
     {32, 16, 128}, {64, 16, 128}, {96, 16, 128},  {128, 16, 128}, {32, 16, 64},   {64, 16, 64},  {96, 16, 64}}};

std::uint32_t tiles(std::size_t extent, std::int64_t tile) {
    return static_cast<std::uint32_t>((static_cast<std::int64_t>(extent) + tile - 1) / tile);
}

/// What a variant's kernel is and how its grid covers C; A and C are column-major on the device if `by_columns`.
struct Plan {
    std::span<const std::byte> cubin;
    const char* origin = "";
    std::string kernel;
    Dim3 grid;
    Dim3 block;
    bool by_columns = false;
    Shape on_device{};       ///< what the kernel is told: the matrices' own, or padded to what it needs
    bool updates_c = false;  ///< C = alpha A B + beta C
};

Error no_such_shape(const Selection& selection) {
    std::string shapes;
    for (const MagmaShape& shape : magma_shapes)
        shapes += fmt::format("{}{}, {}, {}", shapes.empty() ? "" : "; ", shape.N_TB, shape.lambda, shape.b);
    return {ErrorKind::bad_input,
            fmt::format("magma is not compiled for N_TB = {}, lambda = {}, b = {}", selection.parameter("N_TB"),
                        selection.parameter("lambda"), selection.parameter("b")),
            "gemm", fmt::format("choose N_TB, lambda, b from {}", shapes)};
}

std::size_t rounded_up(std::size_t extent, std::size_t tile) { return (extent + tile - 1) / tile * tile; }

/// Parboil's kernels test no bounds, so their matrices are padded to whole tiles.
Plan parboil_plan(bool tiled, const Shape& shape) {
    Plan plan{cubins::gemm_parboil(), "workloads/gemm/gemm_parboil.cubin", {}, {}, {}, true, shape, true};
    plan.kernel = tiled ? "gemm_parboil_regtile" : "gemm_parboil_base";
    const std::uint32_t rows = tiled ? 128 : 16;
    constexpr std::uint32_t columns = 16;
    plan.grid = {tiles(shape.rows, rows), tiles(shape.columns, columns), 1};
    plan.block = {16, tiled ? 8U : 16U, 1};
    plan.on_device = {rounded_up(shape.rows, rows), rounded_up(shape.columns, columns),
                      tiled ? rounded_up(shape.inner, 8) : shape.inner};
    return plan;
}

Result<Plan> plan_of(Selection& selection, const Shape& shape) {
    if (selection.variant.ends_with("regtile") && selection.parameters.contains("N_TB"))
        return Error{ErrorKind::bad_input, selection.variant + " has no N_TB: its tile is 128 x 16", "gemm",
                     "leave N_TB out"};
    if (selection.variant.starts_with("parboil")) return parboil_plan(selection.variant == "parboil-regtile", shape);
    if (selection.variant == "regtile")
        return Plan{cubins::gemm_simple(),
                    "workloads/gemm/gemm_simple.cubin",
                    "gemm_regtile",
                    {tiles(shape.rows, 128), tiles(shape.columns, 16), 1},
                    {128, 1, 1},
                    true,
                    shape};
    Plan plan{cubins::gemm(), "workloads/gemm/gemm.cubin", "gemm_" + selection.variant, {}, {}, false, shape};
    if (selection.variant == "naive" || selection.variant == "tiled") {
        plan.cubin = cubins::gemm_simple();
        plan.origin = "workloads/gemm/gemm_simple.cubin";
    } else if (selection.variant == "magma") {
        const MagmaShape wanted{selection.parameter_or("N_TB", magma_shapes[0].N_TB),
                                selection.parameter_or("lambda", magma_shapes[0].lambda),
                                selection.parameter_or("b", magma_shapes[0].b)};
        if (std::none_of(magma_shapes.begin(), magma_shapes.end(), [&](const MagmaShape& known) {
                return known.N_TB == wanted.N_TB && known.lambda == wanted.lambda && known.b == wanted.b;
            }))
            return no_such_shape(selection);
        plan.cubin = cubins::gemm_magma();
        plan.origin = "workloads/gemm/gemm_magma.cubin";
        plan.kernel = fmt::format("gemm_magma_{}_{}_{}", wanted.N_TB, wanted.lambda, wanted.b);
    }
    const std::int64_t tile = selection.parameter("N_TB");
    plan.grid = {tiles(shape.columns, tile), tiles(shape.rows, tile), 1};
    plan.block = {static_cast<std::uint32_t>(selection.parameter("b")), 1, 1};
    return plan;
}

Result<std::uint64_t> n_of_own(std::uint64_t count, const std::map<std::string, std::int64_t>& parameters) {
    if (parameters.contains("M") || parameters.contains("K"))
        return Error{ErrorKind::bad_input, "M or K is given, but not n", "gemm", "give --n, the columns of B"};
    const auto order = static_cast<std::uint64_t>(std::llround(std::sqrt(static_cast<double>(count) / 2)));
    if (2 * order * order == count) return order;
    return Error{ErrorKind::bad_input, fmt::format("{} numbers are given, no two square matrices of one order", count),
                 "gemm", "give A by rows, then B by rows; --n, --M and --K say their shapes"};
}

struct Problem {
    Selection selection;
    Shape shape;
    std::vector<float> a;
    std::vector<float> b;
};

/// What is multiplied, and of what shape.
Result<Problem> problem_of(const WorkloadRequest& request) {
    const WorkloadInfo about = info();
    auto selection = select(about, request);
    if (!selection) return selection.error();
    const std::size_t n = selection->n;
    const Shape shape{static_cast<std::size_t>(selection->parameter_or("M", static_cast<std::int64_t>(n))), n,
                      static_cast<std::size_t>(selection->parameter_or("K", static_cast<std::int64_t>(n)))};
    const std::size_t of_a = shape.rows * shape.inner;
    const std::size_t of_b = shape.inner * shape.columns;
    Problem problem{std::move(*selection), shape, {}, {}};
    if (!request.keys) {
        problem.a = make_matrix(problem.selection.input, of_a, problem.selection.seed);
        problem.b = make_matrix(problem.selection.input, of_b, problem.selection.seed + 1);
        return problem;
    }
    if (auto checked = check_own_count(about.name, request.keys->size(), of_a + of_b,
                                       fmt::format("give A of {} x {} by rows, then B of {} x {} by rows", shape.rows,
                                                   shape.inner, shape.inner, shape.columns));
        !checked)
        return checked.error();
    problem.a = floats_of(*request.keys);
    problem.b.assign(problem.a.begin() + static_cast<std::ptrdiff_t>(of_a), problem.a.end());
    problem.a.resize(of_a);
    return problem;
}

/// A rows x columns matrix by rows, from one by columns, or the other way round with the extents exchanged.
std::vector<float> transposed(const std::vector<float>& matrix, std::size_t rows, std::size_t columns) {
    std::vector<float> result(matrix.size());
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column)
            result[row * columns + column] = matrix[column * rows + row];
    return result;
}

/// The matrix's top left part in one of other extents, elsewhere `fill`. By rows.
std::vector<float> resized(const std::vector<float>& matrix, std::size_t from_columns, std::size_t rows,
                           std::size_t columns, float fill) {
    std::vector<float> result(rows * columns, fill);
    const std::size_t from_rows = from_columns == 0 ? 0 : matrix.size() / from_columns;
    for (std::size_t row = 0; row < std::min(rows, from_rows); ++row)
        std::copy_n(matrix.begin() + static_cast<std::ptrdiff_t>(row * from_columns), std::min(columns, from_columns),
                    result.begin() + static_cast<std::ptrdiff_t>(row * columns));
    return result;
}

/// The matrices as the kernel wants them, where that is not as they are. Whatever a sum is, +0 or -0 too, it stays if
/// -0 times +0 is added to it.
struct Prepared {
    std::vector<float> a, b, c;
};
Prepared prepare(const Plan& plan, const Shape& shape, const std::vector<float>& a, const std::vector<float>& b) {
    const Shape& padded = plan.on_device;
    if (!plan.by_columns) return {};
    if (!plan.updates_c) return {transposed(a, shape.inner, shape.rows), {}, {}};
    return {transposed(resized(a, shape.inner, padded.rows, padded.inner, -0.0F), padded.inner, padded.rows),
            resized(b, shape.columns, padded.inner, padded.columns, 0.0F),
            std::vector<float>(padded.rows * padded.columns, -0.0F)};
}

}  // namespace

WorkloadInfo info() {
    WorkloadInfo info;
    info.name = "gemm";
    info.description = "C = A B in FP32, each element one chain of FMAs over ascending k";
    info.size_description = "order of the matrices";
    info.default_n = 512;
    info.greatest_n = greatest_order;
    info.variants = {{"64x64x16", {{"N_TB", 64}, {"lambda", 16}, {"b", 256}}},
                     {"16x16x16", {{"N_TB", 16}, {"lambda", 16}, {"b", 256}}},
                     {"32x32x32", {{"N_TB", 32}, {"lambda", 32}, {"b", 256}}},
                     {"96x96x16", {{"N_TB", 96}, {"lambda", 16}, {"b", 256}}},
                     {"128x128x8", {{"N_TB", 128}, {"lambda", 8}, {"b", 256}}},
                     {"magma", {}},
                     {"naive", {{"N_TB", 16}, {"lambda", 1}, {"b", 256}}},
                     {"tiled", {{"N_TB", 16}, {"lambda", 16}, {"b", 256}}},
                     {"regtile", {{"lambda", 8}, {"b", 128}}},
                     {"parboil-base", {{"N_TB", 16}, {"lambda", 1}, {"b", 256}}},
                     {"parboil-regtile", {{"lambda", 8}, {"b", 128}}}};
    info.inputs = {"random", "integers"};
    info.own_input = "floats of 32 bits: A by rows, then B by rows";
    info.own_numbers = OwnNumbers::floats;
    info.n_of_own = n_of_own;
    info.greatest_own = 2 * static_cast<std::uint64_t>(greatest_order) * static_cast<std::uint64_t>(greatest_order);
    info.parameters = {
        {"N_TB", "rows and columns of C that a block computes; magma: 96 if not given", 1, 192, std::nullopt},
        {"lambda", "depth of a batch along k; magma: 16 if not given", 1, 32, std::nullopt},
        {"b", "threads of a block; magma: 256 if not given", 1, 256, std::nullopt},
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

Result<std::vector<float>> own_numbers(const WorkloadRequest& request) {
    auto problem = problem_of(request);
    if (!problem) return problem.error();
    std::vector<float> numbers = std::move(problem->a);
    numbers.insert(numbers.end(), problem->b.begin(), problem->b.end());
    return numbers;
}

Result<WorkloadRun> run(sim::Device& device, const WorkloadRequest& request) {
    auto problem = problem_of(request);
    if (!problem) return problem.error();
    const auto& [selection, shape, a, b] = *problem;
    const auto plan = plan_of(problem->selection, shape);
    if (!plan) return plan.error();

    const auto module = load_cubin(device, plan->cubin, plan->origin);
    if (!module) return module.error();
    const Shape& padded = plan->on_device;
    const Prepared prepared = prepare(*plan, shape, a, b);
    const auto device_a = DeviceBuffer<float>::from(device, plan->by_columns ? prepared.a : a);
    if (!device_a) return device_a.error();
    const auto device_b = DeviceBuffer<float>::from(device, plan->updates_c ? prepared.b : b);
    if (!device_b) return device_b.error();
    const auto device_c = plan->updates_c ? DeviceBuffer<float>::from(device, prepared.c)
                                          : DeviceBuffer<float>::make(device, padded.rows * padded.columns);
    if (!device_c) return device_c.error();

    if (shape.rows != 0 && shape.columns != 0) {
        sim::Launch launch;
        launch.module = *module;
        launch.kernel = plan->kernel;
        launch.grid = plan->grid;
        launch.block = plan->block;
        launch.arguments.add(device_a->argument()).add(device_b->argument()).add(device_c->argument());
        launch.arguments.add(static_cast<std::int32_t>(padded.rows))
            .add(static_cast<std::int32_t>(padded.columns))
            .add(static_cast<std::int32_t>(padded.inner));
        if (plan->updates_c) launch.arguments.add(1.0F).add(0.0F);  // alpha, beta
        if (auto launched = device.launch(launch); !launched) return launched.error();
    }
    if (auto done = device.synchronize(); !done) return done.error();
    request.poll_if_asked();
    auto c = device_c->read();
    if (!c) return c.error();
    if (plan->by_columns) c = transposed(*c, padded.rows, padded.columns);
    if (plan->updates_c) c = resized(*c, padded.columns, shape.rows, shape.columns, 0.0F);
    WorkloadRun run = start_run(info(), selection);
    verify(run, *c, reference(a, b, shape, request.poll));
    return run;
}

}  // namespace sassafras::workloads::gemm
