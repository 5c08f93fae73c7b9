#include "study/diagnose/ask_what_if.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "sim/device/replay.hpp"
#include "sim/what_if/what_if.hpp"

namespace sassafras::study {

namespace {

bool is_asked(const Diagnosis& diagnosis, const sim::WhatIf& what_if, WhatIfScope scope) {
    if (scope == WhatIfScope::all) return true;
    return scope == WhatIfScope::remedies &&
           std::any_of(diagnosis.remedies.begin(), diagnosis.remedies.end(),
                       [&](const Remedy& remedy) { return remedy.what_if == what_if.name; });
}

/// Times of the asked kernels by name, in nanoseconds.
Result<std::map<std::string, double>> times_of(const std::map<std::string, double>& asked,
                                               const sim::TraceFolder& folder, const sim::Platform& platform,
                                               const sim::ModelOptions& options) {
    std::map<std::string, double> times = asked;
    sim::Replay replay(platform, options, true);
    for (const sim::TracedLaunch& launch : folder.launches) {
        const auto kernel = times.find(launch.kernel);
        // Of those between, what they leave in L2 counts, if anything is left.
        if (kernel == times.end() && options.cold_caches) continue;
        const auto result = replay.run(folder.path_of(launch), launch);
        if (!result) return result.error();
        if (kernel != times.end()) kernel->second += result->metric("gpu__time_duration.sum"_metric);
    }
    return times;
}

}  // namespace

Result<void> ask_what_if(std::vector<Diagnosis>& diagnoses, const sim::TraceFolder& folder,
                         const sim::Platform& platform, const sim::ModelOptions& options, WhatIfScope scope) {
    for (const sim::WhatIf& what_if : sim::what_ifs()) {
        std::map<std::string, double> asked;
        for (const Diagnosis& diagnosis : diagnoses)
            if (is_asked(diagnosis, what_if, scope)) asked.emplace(diagnosis.kernel.name, 0.0);
        if (asked.empty()) continue;
        sim::ModelOptions without = options;
        without.what_if = &what_if;
        const auto times = times_of(asked, folder, platform, without);
        if (!times) return times.error();
        for (Diagnosis& diagnosis : diagnoses) {
            const auto time = times->find(diagnosis.kernel.name);
            const auto with_all = diagnosis.kernel.counters.find(Quantity::time);
            if (time == times->end() || !with_all || time->second <= 0) continue;
            diagnosis.what_ifs.push_back({what_if.name, time->second, *with_all / time->second});
        }
    }
    return {};
}

}  // namespace sassafras::study
