#include "workloads/selection.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/spelling.hpp"

namespace sassafras::workloads {
namespace {

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& all) {
    std::vector<std::string> names;
    names.reserve(all.size());
    for (const Named& one : all) names.push_back(one.name);
    return names;
}

Result<void> check_parameters(const WorkloadInfo& info, const WorkloadRequest& request, Limits limits) {
    for (const auto& [name, value] : request.parameters) {
        const auto known =
            std::find_if(info.parameters.begin(), info.parameters.end(),
                         [&wanted = name](const ParameterInfo& candidate) { return candidate.name == wanted; });
        if (known == info.parameters.end())
            return Error{ErrorKind::bad_input, fmt::format("{} has no parameter {}", info.name, name), info.name,
                         name_one_of(name, names_of(info.parameters))};
        if (limits == Limits::none && value < known->least)
            return Error{ErrorKind::bad_input, fmt::format("{} = {} is out of range", name, value), info.name,
                         fmt::format("choose {} or more", known->least)};
        if (limits == Limits::of_kernels && (value < known->least || value > known->greatest))
            return Error{ErrorKind::bad_input, fmt::format("{} = {} is out of range", name, value), info.name,
                         fmt::format("choose from {} to {}", known->least, known->greatest)};
    }
    return {};
}

/// Every parameter that was set and is fixed by the variant has the variant's value.
bool agrees(const VariantInfo& variant, const WorkloadRequest& request) {
    return std::all_of(variant.fixed.begin(), variant.fixed.end(), [&](const auto& fixed) {
        const auto wanted = request.parameters.find(fixed.first);
        return wanted == request.parameters.end() || wanted->second == fixed.second;
    });
}

Result<const VariantInfo*> find_variant(const WorkloadInfo& info, const WorkloadRequest& request) {
    for (const VariantInfo& variant : info.variants) {
        if (!request.variant.empty() && variant.name != request.variant) continue;
        if (agrees(variant, request)) return &variant;
        if (!request.variant.empty())
            return Error{ErrorKind::bad_input,
                         fmt::format("variant {} of {} is compiled for other parameters", request.variant, info.name),
                         info.name, name_one_of("", names_of(info.variants))};
    }
    if (request.variant.empty())
        return Error{ErrorKind::bad_input, fmt::format("no variant of {} has these parameters", info.name), info.name,
                     name_one_of("", names_of(info.variants))};
    return Error{ErrorKind::bad_input, fmt::format("{} has no variant {}", info.name, request.variant), info.name,
                 name_one_of(request.variant, names_of(info.variants))};
}

}  // namespace

Result<void> check_own_input(const WorkloadInfo& info) {
    if (!info.own_input.empty()) return {};
    std::vector<std::string> takers;
    for (const WorkloadInfo& other : list())
        if (!other.own_input.empty()) takers.push_back(other.name);
    return Error{ErrorKind::bad_input,
                 fmt::format("{} takes no numbers of one's own: what it does follows from its parameters", info.name),
                 info.name, fmt::format("these take them: {}", fmt::join(takers, ", "))};
}

Result<void> check_own_count(const std::string& workload, std::uint64_t given, std::uint64_t wanted,
                             const std::string& layout) {
    if (given == wanted) return {};
    return Error{ErrorKind::bad_input, fmt::format("{} numbers are given, {} are needed", given, wanted), workload,
                 layout};
}

Result<Selection> select(const WorkloadInfo& info, const WorkloadRequest& request, Limits limits) {
    if (auto checked = check_parameters(info, request, limits); !checked) return checked.error();
    const auto variant = find_variant(info, request);
    if (!variant) return variant.error();

    Selection selection;
    selection.variant = (*variant)->name;
    selection.seed = request.seed;
    selection.n = request.n.value_or(info.default_n);
    selection.input = request.input.empty() ? info.inputs.front() : request.input;
    if (std::find(info.inputs.begin(), info.inputs.end(), selection.input) == info.inputs.end())
        return Error{ErrorKind::bad_input, fmt::format("{} has no input {}", info.name, selection.input), info.name,
                     name_one_of(selection.input, info.inputs) + "; nor is there a file of that name"};
    if (request.keys || request.wide_keys) {
        if (auto checked = check_own_input(info); !checked) return checked.error();
        const std::size_t count = request.keys ? request.keys->size() : request.wide_keys->size();
        if (request.wide_keys && !info.own_wide)
            return Error{ErrorKind::bad_input, "the numbers given have 64 bits", info.name, "it takes numbers of 32"};
        if (info.n_of_own != nullptr) {
            if (!request.n) {
                const auto n = info.n_of_own(count, request.parameters);
                if (!n) return n.error();
                selection.n = *n;
            }
        } else {
            if (request.n && *request.n != count)
                return Error{ErrorKind::bad_input, fmt::format("n is {}, but {} numbers are given", *request.n, count),
                             info.name, "leave n out"};
            selection.n = count;
        }
        selection.input = "given";
    }
    if (limits == Limits::of_kernels && selection.n > info.greatest_n)
        return Error{ErrorKind::bad_input, fmt::format("n = {} is too large", selection.n), info.name,
                     fmt::format("at most {}", info.greatest_n)};

    selection.parameters = request.parameters;
    for (const auto& [name, value] : (*variant)->fixed) selection.parameters.try_emplace(name, value);
    for (const ParameterInfo& parameter : info.parameters)
        if (parameter.otherwise) selection.parameters.try_emplace(parameter.name, *parameter.otherwise);
    return selection;
}

Result<void> refuse_parameters(const Selection& selection, std::initializer_list<const char*> names,
                               const std::string& workload) {
    for (const char* name : names)
        if (selection.parameters.count(name) != 0)
            return Error{ErrorKind::bad_input, fmt::format("variant {} has no parameter {}", selection.variant, name),
                         workload, "leave it out, or choose another variant"};
    return {};
}

WorkloadRun start_run(const WorkloadInfo& info, const Selection& selection) {
    WorkloadRun run;
    run.name = info.name;
    run.variant = selection.variant;
    run.n = selection.n;
    run.input = selection.input;
    run.seed = selection.seed;
    run.parameters.assign(selection.parameters.begin(), selection.parameters.end());
    return run;
}

}  // namespace sassafras::workloads
