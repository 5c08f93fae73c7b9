#include "validate/compare/hardware/counts.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "validate/compare/hardware/launches.hpp"

namespace sassafras::validate {

namespace {

struct CountPair {
    std::optional<isa::Instruction> instruction;
    Counts measured{};
    Counts modelled{};
};

std::map<std::uint64_t, CountPair> pair_rows(const MeasuredLaunch& measured, const sim::KernelResult& modelled) {
    std::map<std::uint64_t, CountPair> pairs;
    for (const CountRow& row : measured.source) pairs[row.pc].measured = row.counts;
    for (const sim::SourceRow& row : modelled.source) {
        CountPair& pair = pairs[row.pc];
        pair.instruction = row.instruction;
        pair.modelled = {row.inst_executed, row.thread_inst_executed, row.shared_wavefronts,
                         row.shared_wavefronts_ideal, row.global_sectors};
    }
    std::erase_if(pairs, [](const auto& entry) {
        return entry.second.measured == Counts{} && entry.second.modelled == Counts{};
    });
    return pairs;
}

constexpr std::size_t executed = static_cast<std::size_t>(Count::inst_executed);

}  // namespace

Result<std::vector<KernelCounts>> compare_counts(const MeasuredRun& measured,
                                                 std::span<const sim::KernelResult> modelled) {
    if (auto same = check_launches(measured, modelled); !same) return same.error();
    std::vector<KernelCounts> kernels;
    for (std::size_t i = 0; i < modelled.size(); ++i) {
        const std::string& name = modelled[i].name;
        auto found = std::find_if(kernels.begin(), kernels.end(),
                                  [&](const KernelCounts& kernel) { return kernel.kernel == name; });
        if (found == kernels.end()) found = kernels.insert(kernels.end(), KernelCounts{name, 0, 0, 0, 0, {}});
        ++found->launches;
        const MeasuredLaunch& launch = measured.launches[i];
        std::uint64_t model_sum = 0;
        for (auto& [pc, pair] : pair_rows(launch, modelled[i])) {
            ++found->instructions;
            model_sum += pair.modelled[executed];
            if (pair.measured == pair.modelled)
                ++found->agreeing;
            else
                found->differences.push_back(
                    {static_cast<std::uint32_t>(i), pc, pair.instruction, pair.measured, pair.modelled});
        }
        if (model_sum == launch.inst_executed) ++found->launches_by_counter;
    }
    return kernels;
}

}  // namespace sassafras::validate
