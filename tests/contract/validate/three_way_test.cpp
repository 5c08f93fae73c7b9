// Every workload three ways: each variant has an estimate or a reason; parts add up; our formulas count what the
// kernels do.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_reader.hpp"
#include "validate/compare/comparison.hpp"
#include "validate/models/spt/known_instances.hpp"
#include "validate/models/spt/measured_counts.hpp"
#include "validate/models/spt/workload_formula.hpp"
#include "validate/records/measured.hpp"
#include "workloads/selection.hpp"

using namespace sassafras;
using namespace sassafras::validate;

namespace {

spt::Instance h200() {
    auto instance = spt::known_instance("h200");
    REQUIRE(instance.ok());
    return *instance;
}

double count(const spt::Algorithm& algorithm, const std::string& symbol) {
    double sum = 0;
    for (const spt::Kernel& kernel : algorithm.kernels)
        for (const spt::OperationCount& operation : kernel.operations)
            if (operation.symbol == symbol) sum += operation.count;
    return sum;
}

struct Both {
    spt::Algorithm formula;
    spt::Algorithm counted;
};

Both both(const Case& one) {
    CAPTURE(one.workload, one.variant);
    const auto request = request_of(one);
    REQUIRE(request.ok());
    const auto resolved = sim::load_platform("h200");
    REQUIRE(resolved.ok());
    const auto device = sim::make_functional_device(resolved->platform, {});
    const auto run = workloads::run_workload(*device, *request);
    REQUIRE(run.ok());
    REQUIRE(run->verified);
    std::vector<KernelProfile> profiles;
    for (const sim::KernelResult& launch : device->results()) profiles.push_back(*profile_of(launch));
    const auto selection = workloads::select(*workloads::find(one.workload), *request);
    REQUIRE(selection.ok());
    const auto formula = spt::formula_of(one.workload, *selection, h200(), spt::Reading::printed, {});
    REQUIRE(formula.ok());
    return {*formula, spt::measured_counts(profiles, h200(), nullptr)};
}

}  // namespace

TEST_CASE("every variant has SPT's estimate or a reason; what was recorded, but microbenchmarks, has a formula") {
    const auto recorded = read_measured(SASSAFRAS_SOURCE_DIR "/validate/records/h200/measured");
    REQUIRE(recorded.ok());
    const auto is_recorded = [&](const std::string& workload, const std::string& variant) {
        return std::any_of(recorded->begin(), recorded->end(),
                           [&](const MeasuredRun& run) { return run.workload == workload && run.variant == variant; });
    };
    for (const workloads::WorkloadInfo& info : workloads::list())
        for (const workloads::VariantInfo& variant : info.variants) {
            CAPTURE(info.name, variant.name);
            const auto comparison = without_simulation({info.name, variant.name, info.default_n}, h200(), "a test");
            REQUIRE(comparison.ok());
            REQUIRE(comparison->models.size() == model_names().size());
            for (const ModelEstimate& model : comparison->models) {
                CAPTURE(model.model);
                CHECK(model.cycles.has_value() == model.reason.empty());
            }
            const ModelEstimate* printed = comparison->find("spt-printed");
            if (info.name == "micro")
                CHECK_THAT(printed->reason, Catch::Contains("no formula"));
            else if (is_recorded(info.name, variant.name))
                CHECK(printed->cycles.value_or(0) > 0);
            else  // a new family or variant, perhaps without one
                CHECK((printed->cycles || printed->reason.find("no formula") != std::string::npos));
        }
}

TEST_CASE("a simulated run has all estimates, and parts that add up") {
    const auto resolved = sim::load_platform("h200");
    REQUIRE(resolved.ok());
    for (const Case& one : {Case{"merge", "double-buffer", 5000}, Case{"sort", "mgpu", 5000},
                            Case{"scan", "padded", 3000}, Case{"ode", "base", 64}}) {
        CAPTURE(one.workload);
        const auto device = sim::make_simulated_device(resolved->platform, {});
        REQUIRE(workloads::run_workload(*device, *request_of(one)).ok());
        const auto comparison = compare_run(one, device->results(), h200(), 2770);
        REQUIRE(comparison.ok());
        double elapsed = 0;
        for (const sim::KernelResult& launch : device->results())
            elapsed += launch.metric("sm__cycles_elapsed.max"_metric);
        CHECK(comparison->simulated.value() == Approx(elapsed));
        CHECK(comparison->attribution->total() == Approx(elapsed));
        CHECK(comparison->attribution->launch == Approx(2770.0 * comparison->launches));
        CHECK(comparison->attribution->g > 0);
        CHECK((comparison->attribution->y > 0) == (one.workload != "ode"));
        for (const ModelEstimate& model : comparison->models) {
            CAPTURE(model.model);
            const std::set<std::string> without_time{"pem", "agpu-io", "agpu-time", "volkov-warps", "volkov-cusp"};
            CHECK(model.cycles.has_value() == !without_time.contains(model.model));
            if (!model.cycles) continue;
            CHECK(*model.cycles > *model.kernel_cycles);
            if (!model.parts) continue;
            CHECK(*model.kernel_cycles == Approx(model.parts->g + model.parts->s + model.parts->r + model.parts->y));
            CHECK(model.misjudged.has_value());
        }
        const ModelEstimate* counted = comparison->find("spt-counted");
        CHECK(*counted->cycles - *counted->kernel_cycles == Approx(comparison->launches * h200().sync_cycles));
    }
}

TEST_CASE("our formulas of ode count its accesses") {
    for (const char* variant : {"base", "coalesced", "shared", "registers", "float-literals"}) {
        const Both ode = both({"ode", variant, 1024});
        // Local and shared words exactly; the formula's blocks of w words are nine in base, a warp's sectors 32.
        CHECK(count(ode.counted, "s") == Approx(count(ode.formula, "s")));
        const double sectors = std::string(variant) == "base" ? 8.0 / 9 : 1;
        CHECK(count(ode.counted, "g") == Approx(sectors * count(ode.formula, "g")).epsilon(0.02));
    }
    // All in registers, in float: index arithmetic and moves beside the formula's are few.
    const Both literals = both({"ode", "float-literals", 1024});
    CHECK(count(literals.counted, "r") > count(literals.formula, "r"));
    CHECK(count(literals.counted, "r") < 1.1 * count(literals.formula, "r"));
}

TEST_CASE("our formulas of block sorts, coloured scans and regtile count their accesses") {
    for (const char* variant : {"shearsort", "bitonic"}) {  // 1024 keys: a block each, no merge
        const Both sort = both({"sort", variant, 1024});
        for (const char* symbol : {"g", "s", "y"})
            CHECK(count(sort.counted, symbol) == Approx(count(sort.formula, symbol)));
    }
    const Both gemm = both({"gemm", "regtile", 256});
    CHECK(count(gemm.counted, "s") == Approx(count(gemm.formula, "s")));
    CHECK(count(gemm.counted, "y") == Approx(count(gemm.formula, "y")));
    CHECK(count(gemm.counted, "g") == Approx(count(gemm.formula, "g")).epsilon(0.15));  // sectors where it has blocks
    const Both scan = both({"scan", "colored+blocks=64", 65536});
    CHECK(count(scan.counted, "s") == Approx(count(scan.formula, "s")).epsilon(0.1));
    CHECK(count(scan.counted, "g") == Approx(count(scan.formula, "g")).epsilon(0.15));
}
