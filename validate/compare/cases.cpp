#include "validate/compare/cases.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/spelling.hpp"
#include "validate/compare/hardware/launches.hpp"
#include "workloads/selection.hpp"

namespace sassafras::validate {

namespace {

constexpr std::string_view microbenchmarks = "micro";

struct Named {
    std::string_view workload;
    std::string_view variant;
};
constexpr std::array<Named, 13> of_theses{{{"gemm", "magma"},
                                           {"search", "sorted"},
                                           {"search", "bst"},
                                           {"search", "btree"},
                                           {"search", "pbs"},
                                           {"search", "pbs-cf"},
                                           {"search", "pbs-cl"},
                                           {"sort", "mgpu"},
                                           {"sort", "koike-sadakane"},
                                           {"sort", "mms"},
                                           {"merge", "naive"},
                                           {"merge", "double-buffer"},
                                           {"merge", "single-buffer"}}};

bool contains(const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

/// Of a workload: what `list` has, what a record has with options, and what the user gave options to.
std::vector<std::string> variants_of(const workloads::WorkloadInfo& info, const CaseChoice& choice,
                                     std::span<const RecordedRun> recorded) {
    std::vector<std::string> names;
    for (const auto& variant : info.variants) names.push_back(variant.name);
    const std::size_t listed = names.size();
    for (const std::string& variant : choice.variants) {
        const auto base = variant.substr(0, variant.find('+'));
        const bool own = std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(listed), base) !=
                         names.begin() + static_cast<std::ptrdiff_t>(listed);
        if (own && !contains(names, variant)) names.push_back(variant);
    }
    for (const RecordedRun& run : recorded)
        if (run.workload == info.name && !contains(names, run.variant)) names.push_back(run.variant);
    return names;
}

std::vector<std::uint64_t> sizes_of(const workloads::WorkloadInfo& info, const std::string& variant,
                                    const CaseChoice& choice, std::span<const RecordedRun> recorded) {
    if (!choice.n.empty()) return choice.n;
    std::vector<std::uint64_t> sizes;
    for (const RecordedRun& run : recorded)
        if (run.workload == info.name && run.variant == variant) sizes.push_back(run.n);
    std::sort(sizes.begin(), sizes.end());
    if (sizes.empty()) return {info.default_n};
    if (choice.sizes == Sizes::smallest) return {sizes.front()};
    if (choice.sizes == Sizes::medium) return {sizes[(sizes.size() - 1) / 2]};
    return sizes;
}

/// Error bad_input unless the workload can run so: an option that it has not, or a size beyond its greatest.
Result<void> check(const workloads::WorkloadInfo& info, const Case& one) {
    const auto request = request_of(one);
    if (!request) return request.error();
    const auto selection = workloads::select(info, *request);
    if (!selection) return selection.error();
    return {};
}

Result<std::vector<workloads::WorkloadInfo>> chosen_workloads(const CaseChoice& choice) {
    std::vector<workloads::WorkloadInfo> chosen;
    for (const std::string& name : choice.workloads)
        if (auto found = workloads::find(name); !found) return found.error();
    for (workloads::WorkloadInfo& info : workloads::list())
        if (choice.workloads.empty() ? info.name != microbenchmarks : contains(choice.workloads, info.name))
            chosen.push_back(std::move(info));
    return chosen;
}

}  // namespace

bool in_theses(const Case& one) {
    return std::any_of(of_theses.begin(), of_theses.end(), [&](const Named& known) {
        return known.workload == one.workload && known.variant == one.variant;
    });
}

Result<std::vector<Case>> choose_cases(const CaseChoice& choice, std::span<const RecordedRun> recorded) {
    const auto infos = chosen_workloads(choice);
    if (!infos) return infos.error();
    std::vector<Case> cases;
    std::vector<std::string> known;
    for (const workloads::WorkloadInfo& info : *infos)
        for (const std::string& variant : variants_of(info, choice, recorded)) {
            known.push_back(variant);
            const bool with_options = variant.find('+') != std::string::npos;
            const bool wanted = choice.variants.empty() ? !with_options || choice.sizes != Sizes::smallest
                                                        : contains(choice.variants, variant);
            if (!wanted) continue;
            for (const std::uint64_t n : sizes_of(info, variant, choice, recorded)) {
                Case one{info.name, variant, n};
                if (auto possible = check(info, one); !possible) return possible.error();
                const bool listed = std::find(cases.begin(), cases.end(), one) != cases.end();
                if (!listed && (!choice.theses_only || in_theses(one))) cases.push_back(std::move(one));
            }
        }
    for (const std::string& variant : choice.variants)
        if (!contains(known, variant))
            return Error{ErrorKind::bad_input, "no workload chosen has a variant \"" + variant + "\"", "--variant",
                         name_one_of(variant, known)};
    if (cases.empty())
        return Error{ErrorKind::bad_input,
                     "nothing is chosen to compare",
                     {},
                     "leave out --theses, or choose other workloads or variants"};
    return cases;
}

Result<workloads::WorkloadRequest> request_of(const Case& one) {
    return request_of(MeasuredRun{one.workload, one.variant, one.n, {}});
}

}  // namespace sassafras::validate
