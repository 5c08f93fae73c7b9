#include "workloads/micro/measurements.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "workloads/verify.hpp"

namespace sassafras::workloads::micro {
namespace {

/// A parameter that a variant has. Without a default it follows from the others.
struct Takes {
    const char* name;
    std::optional<std::int64_t> otherwise;
};

struct Measurement {
    const char* variant;
    Result<Outcome> (*run)(sim::Device&, Selection&);
    std::vector<Takes> takes;
    std::vector<std::int64_t> independent = {};  ///< values of M_I that are compiled
};

constexpr std::int64_t cores =
    128;  ///< of an SM of the GPUs that the cubins are for: default b, so that M_o is the thesis'

std::vector<Measurement> measurements() {
    return {
        {"global-copy", copy_global, {{"M_o", 1}, {"M_I", 1}, {"b", cores}}, {1, 2, 4, 8}},
        {"shared-loop", loop_shared, {{"M_o", 1}, {"M_I", 1}, {"b", cores}, {"X", 100}}, {1, 2, 4, 8}},
        {"shared-loop-indexed", loop_shared, {{"M_o", 1}, {"M_I", 1}, {"b", cores}, {"X", 100}}, {1, 2, 4, 8}},
        {"register-loop", loop_registers, {{"M_o", 1}, {"M_I", 1}, {"b", cores}, {"X", 500}}, {1, 2, 4, 8}},
        {"register-loop-fp32", loop_registers, {{"M_o", 1}, {"M_I", 1}, {"b", cores}, {"X", 500}}, {1, 2, 4, 8}},
        {"barriers", synchronise_blocks, {{"M_o", 1}, {"b", cores}}},
        {"kernel-boundaries", synchronise_kernels, {{"M_o", 1}, {"M_I", 1}, {"b", cores}, {"K", 8}}, {1, 2, 4, 8}},
        {"chase", chase_pointers, {{"level", 2}, {"footprint", {}}, {"stride", {}}}},
        {"bandwidth", read_level, {{"M_o", 1}, {"M_I", 1}, {"b", cores}, {"level", 2}, {"footprint", {}}}, {1, 2, 4}},
    };
}

Measurement measurement_of(const std::string& variant) {
    const std::vector<Measurement> all = measurements();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Measurement& candidate) { return candidate.variant == variant; });
    require_invariant(found != all.end(), "a variant that was never offered");
    return *found;
}

/// Sets the parameters that the variant has, and refuses the others.
Result<void> complete(Selection& selection, const Measurement& measurement, const WorkloadInfo& about) {
    for (const ParameterInfo& parameter : about.parameters) {
        const auto taken = std::find_if(measurement.takes.begin(), measurement.takes.end(),
                                        [&](const Takes& candidate) { return candidate.name == parameter.name; });
        if (taken == measurement.takes.end()) {
            if (auto checked = refuse_parameters(selection, {parameter.name.c_str()}, about.name); !checked)
                return checked.error();
        } else if (taken->otherwise) {
            selection.parameter_or(parameter.name, *taken->otherwise);
        }
    }
    if (measurement.independent.empty()) return {};
    const std::int64_t wanted = selection.parameter("M_I");
    const auto& compiled = measurement.independent;
    if (std::find(compiled.begin(), compiled.end(), wanted) == compiled.end())
        return Error{ErrorKind::bad_input,
                     fmt::format("variant {} is not compiled for M_I = {}", selection.variant, wanted), about.name,
                     fmt::format("choose from {}", fmt::join(compiled, ", "))};
    return {};
}

}  // namespace

WorkloadInfo info() {
    WorkloadInfo info;
    info.name = "micro";
    info.description = "one kind of operation again and again: the measurements of the SPT model, and levels of memory";
    info.size_description =
        "words that a thread copies, adds to or works on; barriers (barriers); loads (chase); words of 16 bytes that "
        "a thread reads (bandwidth)";
    info.default_n = 16;
    info.greatest_n = 1U << 24U;
    for (const Measurement& measurement : measurements()) info.variants.push_back({measurement.variant, {}});
    info.inputs = {"random", "sorted"};  // of the words; of a chase, the order in which places follow one another
    info.parameters = {
        {"M_o", "oversubscription: blocks for every SM (not chase); 1 if not given", 1, 32, std::nullopt},
        {"M_I", "operations of a thread that do not wait for one another (not barriers, chase); 1 if not given", 1, 8,
         std::nullopt},
        {"b", "threads a block (not chase); 128 if not given, as many as an SM has cores", 1, 1024, std::nullopt},
        {"X",
         "operations on a word (shared-loop, shared-loop-indexed, register-loop, register-loop-fp32); 100, in "
         "registers 500 if not given",
         0, 1 << 20, std::nullopt},
        {"K", "kernels (kernel-boundaries); 8 if not given", 1, 1 << 12, std::nullopt},
        {"level", "0 shared memory, 1 L1, 2 L2, 3 DRAM (chase, bandwidth); 2 if not given", 0, 3, std::nullopt},
        {"footprint", "bytes that are read: of a block at levels 0 and 1, else of the GPU (chase, bandwidth)", 8,
         std::int64_t{1} << 32, std::nullopt},
        {"stride", "bytes from a place to the next one (chase); 128, in DRAM 2048 if not given", 8, 1 << 24,
         std::nullopt}};
    return info;
}

Result<WorkloadRun> run_measurement(sim::Device& device, const WorkloadRequest& request) {
    const WorkloadInfo about = info();
    auto selection = select(about, request);
    if (!selection) return selection.error();
    const Measurement measurement = measurement_of(selection->variant);
    if (auto completed = complete(*selection, measurement, about); !completed) return completed.error();
    const auto outcome = measurement.run(device, *selection);
    if (!outcome) return outcome.error();
    WorkloadRun run = start_run(about, *selection);
    verify(run, outcome->result, outcome->expected);
    return run;
}

}  // namespace sassafras::workloads::micro
