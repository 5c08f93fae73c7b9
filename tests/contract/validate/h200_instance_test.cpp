// The model's H200 gives the constants of the SPT model that the real one gave, measured by the same code: expected
// values are those of validate/records/h200/measured/spt_curves.csv (scripts/spt-launches, Nsight Compute on an H200).
#include <catch2/catch.hpp>

#include <string>

#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_reader.hpp"
#include "validate/models/spt/curves.hpp"
#include "validate/records/csv.hpp"

using namespace sassafras;
using namespace sassafras::validate;
using namespace sassafras::validate::spt;

namespace {

constexpr double tolerance = 0.10;

Curves measured_curves() {
    const auto table = CsvTable::read(SASSAFRAS_SOURCE_DIR "/validate/records/h200/measured/spt_curves.csv");
    if (!table) FAIL(table.error().message());
    Curves curves;
    for (std::size_t row = 0; row < table->rows(); ++row) {
        const auto text = [&](const char* name) { return table->text(row, *table->column(name)); };
        const auto number = [&](const char* name) { return *table->real(row, *table->column(name)); };
        const auto repetition = static_cast<std::uint32_t>(number("repetition"));
        if (text("operation") == "sync")
            curves.syncs.push_back(
                {number("M_o"), repetition, static_cast<std::uint32_t>(number("kernels")), number("value")});
        else
            curves.cells.push_back({text("operation"), text("variant"), number("M_o"),
                                    static_cast<std::uint32_t>(number("M_I")), repetition, number("value")});
    }
    return curves;
}

/// Of the measured points those that were simulated.
Curves same_points(const Curves& measured, const Curves& simulated) {
    Curves same;
    for (const CurveCell& cell : measured.cells)
        for (const CurveCell& other : simulated.cells)
            if (cell.symbol == other.symbol && cell.oversubscription == other.oversubscription && cell.ilp == other.ilp)
                same.cells.push_back(cell);
    for (const SyncCell& sync : measured.syncs)
        for (const SyncCell& other : simulated.syncs)
            if (sync.oversubscription == other.oversubscription && sync.kernels == other.kernels)
                same.syncs.push_back(sync);
    return same;
}

}  // namespace

TEST_CASE("simulated microbenchmarks give the real H200's constants back within 10 %", "[release]") {
    const auto resolved = sim::load_platform("h200");
    REQUIRE(resolved.ok());
    const auto device = sim::make_simulated_device(resolved->platform, {});
    const auto curves = measure_curves(*device, machine_of(resolved->platform), {.ends_only = true});
    if (!curves) FAIL(curves.error().message());
    const auto simulated = fit_curves(*curves);
    REQUIRE(simulated.ok());
    const Curves recorded = same_points(measured_curves(), *curves);
    REQUIRE(recorded.cells.size() == 2 * curves->cells.size());  // two repetitions
    const auto measured = fit_curves(recorded);
    REQUIRE(measured.ok());
    CHECK(simulated->sync.value == Approx(measured->sync.value).epsilon(tolerance));
    REQUIRE(simulated->operations.size() == measured->operations.size());
    for (std::size_t i = 0; i < simulated->operations.size(); ++i) {
        const auto& model = simulated->operations[i];
        const auto& real = measured->operations[i];
        CAPTURE(model.symbol);
        CHECK(model.fit.latency.value == Approx(real.fit.latency.value).epsilon(tolerance));
        CHECK(model.fit.bandwidth.value == Approx(real.fit.bandwidth.value).epsilon(tolerance));
    }
}
