#include "validate/compare/comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "validate/models/profile/kernel_profile.hpp"
#include "validate/models/rivals/compare.hpp"
#include "validate/models/spt/measured_counts.hpp"
#include "validate/models/spt/workload_formula.hpp"
#include "workloads/selection.hpp"

namespace sassafras::validate {

namespace {

constexpr const char* printed = "spt-printed";
constexpr const char* reconstructed = "spt-reconstructed";
constexpr const char* counted = "spt-counted";

Result<spt::Algorithm> formula(const Case& run, const spt::Instance& instance, spt::Reading reading) {
    const auto request = request_of(run);
    if (!request) return request.error();
    const auto info = workloads::find(run.workload);
    if (!info) return info.error();
    const auto selection = workloads::select(*info, *request);
    if (!selection) return selection.error();
    return spt::formula_of(run.workload, *selection, instance, reading, {});
}

ModelEstimate no_estimate(const std::string& model, const std::string& reason) {
    ModelEstimate estimate;
    estimate.model = model;
    estimate.reason = reason;
    return estimate;
}

ModelEstimate spt_estimate(const std::string& model, const Result<spt::Algorithm>& algorithm,
                           const spt::Instance& instance, const Attribution* attribution) {
    if (!algorithm) return no_estimate(model, algorithm.error().what);
    const auto estimate = spt::estimate(*algorithm, instance);
    if (!estimate) return no_estimate(model, estimate.error().what);
    ModelEstimate made;
    made.model = model;
    made.cycles = estimate->cycles;
    made.kernel_cycles = estimate->cycles - estimate->sync_cycles;
    made.parts = Parts{estimate->operation_cycles("g"), estimate->operation_cycles("s"),
                       estimate->operation_cycles("r"), estimate->operation_cycles("y")};
    if (attribution != nullptr) made.misjudged = most_misjudged(*made.parts, *attribution);
    return made;
}

ModelEstimate rival_estimate(const rivals::RivalEstimate& rival, double sync_cycles) {
    if (rival.unit != "cycles") return no_estimate(rival.model, "counts " + rival.unit + ", no time");
    ModelEstimate made;
    made.model = rival.model;
    made.cycles = rival.has_sync ? rival.value : rival.value + sync_cycles;
    made.kernel_cycles = rival.has_sync ? rival.value - sync_cycles : rival.value;
    return made;
}

}  // namespace

double error_percent(double value, double reference) {
    constexpr double percent = 100;
    return percent * (value / reference - 1);
}

Misjudged most_misjudged(const Parts& estimated, const Attribution& attributed) {
    const std::array<Misjudged, 4> parts{{{"g", estimated.g, attributed.g},
                                          {"s", estimated.s, attributed.s},
                                          {"r", estimated.r, attributed.r},
                                          {"y", estimated.y, attributed.y}}};
    return *std::max_element(parts.begin(), parts.end(), [](const Misjudged& a, const Misjudged& b) {
        return std::abs(a.difference()) < std::abs(b.difference());
    });
}

const ModelEstimate* Comparison::find(std::string_view model) const {
    const auto found =
        std::find_if(models.begin(), models.end(), [&](const ModelEstimate& known) { return known.model == model; });
    return found == models.end() ? nullptr : &*found;
}

std::optional<double> Comparison::reference() const {
    if (measured) return measured->cycles;
    return simulated;
}

std::string Comparison::reference_name() const {
    if (measured) return "measured";
    return simulated ? "simulated" : "";
}

std::vector<std::string> model_names() {
    std::vector<std::string> names{printed, reconstructed, counted};
    for (const std::string& rival : rivals::model_names()) names.push_back(rival);
    return names;
}

Result<Comparison> compare_run(const Case& run, std::span<const sim::KernelResult> launches,
                               const spt::Instance& instance, double launch_overhead_cycles) {
    Comparison comparison;
    comparison.run = run;
    comparison.launches = static_cast<std::uint32_t>(launches.size());
    comparison.attribution = attribute(launches, launch_overhead_cycles);
    comparison.simulated = comparison.attribution->total();

    std::vector<KernelProfile> profiles;
    for (const sim::KernelResult& launch : launches) {
        auto profile = profile_of(launch);
        if (!profile) return profile.error();
        profiles.push_back(std::move(profile).value());
    }
    const auto as_printed = formula(run, instance, spt::Reading::printed);
    const Result<spt::Algorithm> with_counts =
        spt::measured_counts(profiles, instance, as_printed ? &*as_printed : nullptr);
    const Attribution* attribution = &*comparison.attribution;
    comparison.models = {
        spt_estimate(printed, as_printed, instance, attribution),
        spt_estimate(reconstructed, formula(run, instance, spt::Reading::reconstructed), instance, attribution),
        spt_estimate(counted, with_counts, instance, attribution)};
    const auto rivals = rivals::compare(profiles, instance);
    if (!rivals) return rivals.error();
    const double sync_cycles = static_cast<double>(launches.size()) * instance.sync_cycles;
    for (const rivals::RivalEstimate& rival : *rivals) comparison.models.push_back(rival_estimate(rival, sync_cycles));
    return comparison;
}

Result<Comparison> without_simulation(const Case& run, const spt::Instance& instance, const std::string& failure) {
    Comparison comparison;
    comparison.run = run;
    comparison.failure = failure;
    comparison.models = {
        spt_estimate(printed, formula(run, instance, spt::Reading::printed), instance, nullptr),
        spt_estimate(reconstructed, formula(run, instance, spt::Reading::reconstructed), instance, nullptr)};
    for (const std::string& name : model_names())
        if (comparison.find(name) == nullptr) comparison.models.push_back(no_estimate(name, "nothing was counted"));
    return comparison;
}

}  // namespace sassafras::validate
