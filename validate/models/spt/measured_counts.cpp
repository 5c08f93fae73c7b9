#include "validate/models/spt/measured_counts.hpp"

#include <algorithm>

#include "validate/models/spt/oversubscription.hpp"

namespace sassafras::validate::spt {

namespace {

constexpr double words_of_a_sector = 8;

double ilp_of(const Algorithm* formula, std::string_view symbol) {
    if (formula == nullptr) return 1;
    for (const Kernel& kernel : formula->kernels)
        for (const OperationCount& count : kernel.operations)
            if (count.symbol == symbol) return count.ilp;
    return 1;
}

bool same_kind(const KernelProfile& one, const KernelProfile& other) {
    return one.name == other.name && one.blocks == other.blocks && one.threads_per_block == other.threads_per_block &&
           one.shared_words_per_block == other.shared_words_per_block;
}

}  // namespace

Algorithm measured_counts(std::span<const KernelProfile> launches, const Instance& instance, const Algorithm* formula) {
    Algorithm algorithm;
    algorithm.name = "counted";
    algorithm.notes.emplace_back(formula == nullptr ? "counts of a functional run; M_I = 1"
                                                    : "counts of a functional run; M_I from the formula");
    std::vector<const KernelProfile*> kinds;
    const double lanes = instance.warp_lanes;
    for (const KernelProfile& launch : launches) {
        const auto known = std::find_if(kinds.begin(), kinds.end(),
                                        [&](const KernelProfile* kind) { return same_kind(*kind, launch); });
        const auto index = static_cast<std::size_t>(known - kinds.begin());
        if (known == kinds.end()) {
            kinds.push_back(&launch);
            algorithm.kernels.push_back({launch.name, 0, oversubscription(launch, instance), {}});
            for (const char* symbol : {"g", "s", "r", "y"})
                algorithm.kernels.back().operations.push_back({symbol, "", 0, ilp_of(formula, symbol)});
        }
        Kernel& kernel = algorithm.kernels[index];
        kernel.launches += 1;
        kernel.operations[0].count += words_of_a_sector * launch.global_sectors / instance.cores;
        kernel.operations[1].count += lanes * (launch.shared_wavefronts + launch.local) / instance.cores;
        kernel.operations[2].count += lanes * launch.arithmetic / instance.cores;
        kernel.operations[3].count += lanes * launch.barriers / instance.cores;
    }
    return algorithm;
}

}  // namespace sassafras::validate::spt
