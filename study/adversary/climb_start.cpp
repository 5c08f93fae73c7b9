#include "study/adversary/climb_start.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "workloads/gemm/gemm.hpp"
#include "workloads/inputs.hpp"
#include "workloads/merge/merge.hpp"
#include "workloads/ode/ode.hpp"
#include "workloads/scan/scan.hpp"
#include "workloads/search/search.hpp"
#include "workloads/search/worst_queries.hpp"
#include "workloads/selection.hpp"
#include "workloads/stencil/stencil.hpp"

namespace sassafras::study::adversary {
namespace {

Error refuse_start(const std::string& workload, std::string what, std::string remedy) {
    return {ErrorKind::bad_input, std::move(what), workload, std::move(remedy)};
}

Error too_many(const std::string& workload, std::uint64_t count) {
    return refuse_start(workload, fmt::format("a search over {} numbers", count),
                        fmt::format("choose 1 to {}", greatest_climb));
}

/// Two ascending lists, the first of `first` keys.
std::function<void(Numbers&)> two_lists(std::uint64_t first) {
    return [first](Numbers& numbers) {
        const auto cut = numbers.begin() + static_cast<std::ptrdiff_t>(first);
        std::sort(numbers.begin(), cut);
        std::sort(cut, numbers.end());
    };
}

template <class T>
Numbers bits_of(const std::vector<T>& numbers) {
    Numbers bits;
    bits.reserve(numbers.size());
    for (const T number : numbers) {
        if constexpr (std::is_same_v<T, float>)
            bits.push_back(std::bit_cast<std::uint32_t>(number));
        else
            bits.push_back(number);
    }
    return bits;
}

template <class T>
Result<Numbers> bits_of(const Result<std::vector<T>>& numbers) {
    if (!numbers) return numbers.error();
    return bits_of(*numbers);
}

/// Keys, words or queries that the request's kind of input makes.
Numbers generated(const workloads::WorkloadRequest& request, const workloads::Selection& selection,
                  std::uint64_t first) {
    if (request.name == "sort") return bits_of(workloads::make_keys(selection.input, selection.n, selection.seed));
    if (request.name == "search") {
        if (selection.input != "worst")
            return bits_of(workloads::make_keys(selection.input, selection.n, selection.seed));
        return bits_of(workloads::search::worst_queries(selection.variant, workloads::search::searched_keys(selection),
                                                        selection.n, selection.seed));
    }
    auto [a, b] = workloads::merge::make_runs(selection.input, first, selection.n - first, selection.seed);
    a.insert(a.end(), b.begin(), b.end());
    return bits_of(a);
}

/// Sorts, merges and searches: what they compare.
Result<Numbers> begin_comparisons(const workloads::WorkloadRequest& request, const workloads::WorkloadInfo& info,
                                  ClimbRules& rules) {
    const auto selection =
        request.name == "search" ? workloads::search::choose(request) : workloads::select(info, request);
    if (!selection) return selection.error();
    const auto given = request.parameters.find("A");
    const std::uint64_t first =
        given == request.parameters.end() ? selection->n / 2 : static_cast<std::uint64_t>(given->second);
    if (request.name == "merge" && first > selection->n)
        return refuse_start(request.name, fmt::format("A = {} is more than n = {}", first, selection->n),
                            "A counts a part of n");
    if (request.name == "merge") rules.settle = two_lists(first);
    if (request.keys) return bits_of(*request.keys);
    if (request.wide_keys) return *request.wide_keys;
    if (selection->n > greatest_climb) return too_many(request.name, selection->n);  // before they are made
    return generated(request, *selection, first);
}

Result<Numbers> begin(const workloads::WorkloadRequest& request, const workloads::WorkloadInfo& info,
                      ClimbRules& rules) {
    if (request.name == "gemm") return bits_of(workloads::gemm::own_numbers(request));
    if (request.name == "stencil") return bits_of(workloads::stencil::own_numbers(request));
    if (request.name == "ode") return bits_of(workloads::ode::own_numbers(request));
    if (request.name == "scan") return bits_of(workloads::scan::own_numbers(request));
    return begin_comparisons(request, info, rules);
}

}  // namespace

workloads::WorkloadRequest ClimbStart::request_of(const Numbers& candidate) const {
    workloads::WorkloadRequest run = request;
    if (type == ElementType::u64)
        run.wide_keys = candidate;
    else
        run.keys.emplace(candidate.begin(), candidate.end());
    return run;
}

Result<void> fit_to_range(Numbers& numbers, const ClimbRules& rules, bool made, std::uint64_t seed,
                          const std::string& what) {
    if (!rules.values) {
        const bool all_equal =
            std::adjacent_find(numbers.begin(), numbers.end(), std::not_equal_to<>()) == numbers.end();
        if (all_equal)
            return refuse_start(what, "all numbers are equal, so that permuting them changes nothing",
                                "give --values LEAST..GREATEST, which may replace them, or begin from others");
        return {};
    }
    Random random(seed);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (rules.values->holds(numbers[i])) continue;
        if (!made)
            return refuse_start(what, fmt::format("number {} (from 0) lies out of the range of --values", i),
                                "widen the range, or begin from other numbers");
        numbers[i] = rules.values->draw(random);
    }
    return {};
}

Result<ClimbStart> begin_climb(const workloads::WorkloadRequest& request, Goal goal, const std::string& values) {
    const auto info = workloads::find(request.name);
    if (!info) return info.error();
    if (auto checked = workloads::check_own_input(*info); !checked) return checked.error();

    ClimbStart start;
    start.rules.goal = goal;
    if (info->own_numbers == workloads::OwnNumbers::floats) start.type = ElementType::f32;
    if (request.wide_keys) start.type = ElementType::u64;
    if (!values.empty()) {
        const auto range = parse_value_range(start.type, values);
        if (!range) return range.error();
        start.rules.values = *range;
    } else if (request.name == "search") {
        start.rules.values.emplace();  // any queries
    }
    if (request.name == "scan") {
        const auto colors = workloads::scan::colors_of(request);
        if (!colors) return colors.error();
        if (*colors && values.empty()) start.rules.values = ValueRange{ElementType::u32, 0, **colors - 1};
        if (*colors && start.rules.values->greatest >= **colors)
            return refuse_start(request.name, fmt::format("the greatest colour is {}", **colors - 1),
                                "give --values within 0 and it, or more --colors");
    }
    auto numbers = begin(request, *info, start.rules);
    if (!numbers) return numbers.error();
    start.numbers = std::move(numbers).value();
    if (start.numbers.empty() || start.numbers.size() > greatest_climb)
        return too_many(request.name, start.numbers.size());
    const bool made = !request.keys && !request.wide_keys;
    if (auto fitted = fit_to_range(start.numbers, start.rules, made, request.seed, request.name); !fitted)
        return fitted.error();
    start.request = request;
    start.request.keys.reset();
    start.request.wide_keys.reset();
    start.request.input.clear();
    if (info->n_of_own == nullptr)
        start.request.n.reset();
    else if (!request.keys)
        start.request.n = request.n.value_or(info->default_n);
    return start;
}

}  // namespace sassafras::study::adversary
