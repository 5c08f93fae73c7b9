#include "study/diagnose/roofs.hpp"

#include <algorithm>
#include <array>

namespace sassafras::study {

namespace {

struct UnitRow {
    Quantity quantity{};
    std::string_view unit{};
    Side side{};
    std::optional<isa::Pipe> pipe{};
};

/// Beside instructions and DRAM, which have figures of their own.
constexpr auto units = std::to_array<UnitRow>({
    {Quantity::l2_utilisation, "L2", Side::memory},
    {Quantity::l1_utilisation, "L1/texture", Side::memory},
    {Quantity::shared_utilisation, "shared memory", Side::shared_memory},
    {Quantity::fp32_utilisation, "FP32 pipe", Side::instructions, isa::Pipe::fma},
    {Quantity::fp64_utilisation, "FP64 pipe", Side::instructions, isa::Pipe::fp64},
    {Quantity::tensor_utilisation, "tensor cores", Side::instructions, isa::Pipe::tensor},
    {Quantity::special_utilisation, "special functions", Side::instructions, isa::Pipe::xu},
    {Quantity::load_store_utilisation, "load/store unit", Side::memory, isa::Pipe::lsu},
    {Quantity::control_utilisation, "control flow", Side::instructions, isa::Pipe::cbu},
});

}  // namespace

std::optional<isa::Pipe> pipe_of_unit(std::string_view unit) {
    const auto row = std::find_if(units.begin(), units.end(), [&](const UnitRow& known) { return known.unit == unit; });
    return row == units.end() ? std::nullopt : row->pipe;
}

std::vector<Roof> roofs_of(const Counters& counters, const Figures& figures) {
    std::vector<Roof> roofs;
    if (const auto share = figures.find(Figure::dram_share)) roofs.push_back({"DRAM", Side::memory, *share, true});
    if (const auto share = figures.find(Figure::issue_share))
        roofs.push_back({"instruction issue", Side::instructions, *share, true});
    for (const UnitRow& row : units)
        if (const auto used = counters.find(row.quantity)) roofs.push_back({row.unit, row.side, *used, false});
    std::stable_sort(roofs.begin(), roofs.end(),
                     [](const Roof& left, const Roof& right) { return left.percent > right.percent; });
    return roofs;
}

}  // namespace sassafras::study
