#include "workloads/adversary/climb_start.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "workloads/inputs.hpp"
#include "workloads/merge/merge.hpp"
#include "workloads/search/search.hpp"
#include "workloads/search/worst_queries.hpp"
#include "workloads/selection.hpp"

namespace sassafras::workloads::adversary {
namespace {

Error refuse(const std::string& workload, std::string what, std::string remedy) {
    return {ErrorKind::bad_input, std::move(what), workload, std::move(remedy)};
}

/// Two ascending lists, the first of `first` keys.
std::function<void(Numbers&)> two_lists(std::uint64_t first) {
    return [first](Numbers& numbers) {
        const auto cut = numbers.begin() + static_cast<std::ptrdiff_t>(first);
        std::sort(numbers.begin(), cut);
        std::sort(cut, numbers.end());
    };
}

Numbers generated(const WorkloadRequest& request, const Selection& selection, std::uint64_t first) {
    if (request.name == "sort") return make_keys(selection.input, selection.n, selection.seed);
    if (request.name == "search") {
        if (selection.input != "worst") return make_keys(selection.input, selection.n, selection.seed);
        return search::worst_queries(selection.variant, search::searched_keys(selection), selection.n, selection.seed);
    }
    auto [a, b] = merge::make_runs(selection.input, first, selection.n - first, selection.seed);
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

}  // namespace

Result<ClimbStart> begin_climb(const WorkloadRequest& request, Goal goal) {
    const auto info = find(request.name);
    if (!info) return info.error();
    const bool known = request.name == "sort" || request.name == "search" || request.name == "merge";
    if (!known)
        return refuse(request.name, "its time does not depend on numbers that can be given",
                      "choose sort, merge or search");
    if (request.wide_keys) return refuse(request.name, "a search changes numbers of 32 bits only", "give others");
    const auto selection = request.name == "search" ? search::choose(request) : select(*info, request);
    if (!selection) return selection.error();
    if (selection->n == 0 || selection->n > greatest_climb)
        return refuse(request.name, fmt::format("a search over {} numbers", selection->n),
                      fmt::format("choose n from 1 to {}", greatest_climb));
    const auto given = request.parameters.find("A");
    const std::uint64_t first =
        given == request.parameters.end() ? selection->n / 2 : static_cast<std::uint64_t>(given->second);
    if (request.name == "merge" && first > selection->n)
        return refuse(request.name, fmt::format("A = {} is more than n = {}", first, selection->n),
                      "A counts a part of n");

    ClimbStart start;
    start.rules.goal = goal;
    start.rules.change_values = request.name == "search";  // sorts and merges compare only
    if (request.name == "merge") start.rules.settle = two_lists(first);
    start.numbers = request.keys ? *request.keys : generated(request, *selection, first);
    start.request = request;
    start.request.n.reset();
    start.request.input.clear();
    return start;
}

}  // namespace sassafras::workloads::adversary
