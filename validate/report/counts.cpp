#include "validate/report/counts.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "validate/report/launches.hpp"

namespace sassafras::validate {

namespace {

struct Pair {
    std::string sass;
    Counts measured{};
    Counts modelled{};
};

std::map<std::uint64_t, Pair> pair_rows(const MeasuredLaunch& measured, const sim::KernelResult& modelled) {
    std::map<std::uint64_t, Pair> pairs;
    for (const CountRow& row : measured.source) pairs[row.pc].measured = row.counts;
    for (const sim::SourceRow& row : modelled.source) {
        Pair& pair = pairs[row.pc];
        pair.sass = row.sass;
        pair.modelled = {row.inst_executed, row.thread_inst_executed, row.shared_wavefronts, row.shared_wavefronts_ideal, row.global_sectors};
    }
    std::erase_if(pairs, [](const auto& entry) { return entry.second.measured == Counts{} && entry.second.modelled == Counts{}; });
    return pairs;
}

}  // namespace

Result<std::vector<KernelCounts>> compare_counts(const MeasuredRun& measured, std::span<const sim::KernelResult> modelled) {
    if (auto same = check_launches(measured, modelled); !same) return same.error();
    std::vector<KernelCounts> kernels;
    for (std::size_t i = 0; i < modelled.size(); ++i) {
        const std::string& name = modelled[i].name;
        auto found = std::find_if(kernels.begin(), kernels.end(), [&](const KernelCounts& kernel) { return kernel.kernel == name; });
        if (found == kernels.end()) found = kernels.insert(kernels.end(), KernelCounts{name, 0, 0, 0, {}});
        ++found->launches;
        for (auto& [pc, pair] : pair_rows(measured.launches[i], modelled[i])) {
            ++found->instructions;
            if (pair.measured == pair.modelled)
                ++found->agreeing;
            else
                found->differences.push_back({static_cast<std::uint32_t>(i), pc, std::move(pair.sass), pair.measured, pair.modelled});
        }
    }
    return kernels;
}

}  // namespace sassafras::validate
