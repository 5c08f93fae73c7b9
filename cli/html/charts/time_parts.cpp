#include <array>

#include "cli/html/charts/charts.hpp"
#include "cli/html/spec.hpp"
#include "cli/reports/program_time.hpp"

namespace sassafras::cli::charts {

Spec time_parts(const RunSource& run) {
    if (run.timeline == nullptr) return nullptr;
    const ProgramTime time = sum_of(program_times(*run.timeline));
    if (time.total <= 0) return nullptr;
    constexpr double microsecond = 1000;
    constexpr std::array<const char*, 4> names{"kernels", "copies", "sets", "events"};
    Spec values = Spec::array();
    const auto put = [&](const char* name, double nanoseconds, std::uint64_t pieces) {
        values.push_back({{"part", name},
                          {"us", nanoseconds / microsecond},
                          {"percent", 100 * nanoseconds / time.total},
                          {"pieces", pieces}});
    };
    for (std::size_t i = 0; i < names.size(); ++i) put(names[i], time.parts[i].alone, time.parts[i].count);
    put("idle", time.idle, 0);
    return bars(std::move(values), {.name = "part", .value = "us", .x = "simulated time, µs", .format = ",.2~f"});
}

}  // namespace sassafras::cli::charts
