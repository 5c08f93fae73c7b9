#include "study/diagnose/diagnosis.hpp"

#include <algorithm>

namespace sassafras::study {

const WhatIfTime* Diagnosis::find_what_if(std::string_view name) const {
    const auto found =
        std::find_if(what_ifs.begin(), what_ifs.end(), [&](const WhatIfTime& time) { return time.what_if == name; });
    return found == what_ifs.end() ? nullptr : &*found;
}

std::vector<Diagnosis> diagnose(std::vector<CountedKernel> kernels, const Machine& machine,
                                const Thresholds& thresholds) {
    std::stable_sort(kernels.begin(), kernels.end(), [](const CountedKernel& left, const CountedKernel& right) {
        return left.counters.find(Quantity::time).value_or(0) > right.counters.find(Quantity::time).value_or(0);
    });
    std::vector<Diagnosis> diagnoses;
    for (CountedKernel& kernel : kernels) {
        Diagnosis diagnosis;
        diagnosis.figures = figures_of(kernel.counters, machine);
        diagnosis.roofs = roofs_of(kernel.counters, diagnosis.figures);
        diagnosis.literal = literal_verdict(diagnosis.figures, thresholds);
        diagnosis.by_units = unit_verdict(diagnosis.roofs, diagnosis.figures, thresholds);
        diagnosis.is_at_roof =
            !diagnosis.by_units.unit.empty() && diagnosis.by_units.percent >= thresholds.at_roof_percent;
        diagnosis.remedies = remedies_for(diagnosis.by_units, kernel.counters, diagnosis.figures);
        diagnosis.kernel = std::move(kernel);
        diagnoses.push_back(std::move(diagnosis));
    }
    return diagnoses;
}

}  // namespace sassafras::study
