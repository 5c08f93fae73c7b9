#include "workloads/sort/compiled.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sassafras::workloads::sort {
namespace {

struct Variant {
    std::string_view name;
    Algorithm algorithm;
    std::vector<std::string_view> parameters;

    [[nodiscard]] bool has(std::string_view parameter) const {
        return std::find(parameters.begin(), parameters.end(), parameter) != parameters.end();
    }
};

const std::array<Variant, 10>& all_variants() {
    static const std::array<Variant, 10> all{{
        {"E15_b128", Algorithm::recorded, {"E", "b"}},
        {"E17_b256", Algorithm::recorded, {"E", "b"}},
        {"E15_b512", Algorithm::recorded, {"E", "b"}},
        {"mgpu", Algorithm::mgpu, {"E", "b", "key_bits", "values", "comparator"}},
        {"cf-merge", Algorithm::cf_merge, {"E", "b", "key_bits", "values"}},
        {"koike-sadakane", Algorithm::koike_sadakane, {"K", "blocks"}},
        {"mms", Algorithm::mms, {"K", "blocks", "key_bits", "values", "comparator"}},
        {"shearsort", Algorithm::shearsort, {"key_bits", "comparator"}},
        {"bitonic", Algorithm::bitonic, {"b"}},
        {"mgpu-words", Algorithm::mgpu_words, {"E", "b"}},
    }};
    return all;
}

const Variant& variant_of(const Selection& selection) {
    const auto found = std::find_if(all_variants().begin(), all_variants().end(),
                                    [&](const Variant& variant) { return variant.name == selection.variant; });
    require_invariant(found != all_variants().end(), "a variant that was never offered");
    return *found;
}

Error refused(const Selection& selection, std::string what, std::string remedy) {
    return Error{ErrorKind::bad_input, std::move(what), "sort " + selection.variant, std::move(remedy)};
}

Result<Order> order_of(const Variant& variant, Selection& selection) {
    if (!variant.has("key_bits")) return Order::u32;
    const bool costly = variant.has("comparator") && selection.parameter_or("comparator", 0) == 1;
    const bool values = variant.has("values") && selection.parameter_or("values", 0) == 1;
    const std::int64_t bits = selection.parameter_or("key_bits", costly ? 64 : 32);
    if (bits != 32 && bits != 64)
        return refused(selection, fmt::format("there are no keys of {} bits", bits), "key_bits is 32 or 64");
    if (costly && (values || bits != 64))
        return refused(selection, "the costlier comparator is for fractions: 64 bits, without values",
                       "leave key_bits and values out");
    if (values && bits != 32) return refused(selection, "values go with keys of 32 bits", "leave key_bits out");
    if (costly) return Order::fraction;
    if (values) return Order::pair;
    return bits == 64 ? Order::u64 : Order::u32;
}

Result<void> choose_pairwise(Plan& plan, Selection& selection) {
    const bool narrow = plan.compared_as == Order::u32;
    constexpr std::int64_t of_words = 16;
    plan.E = static_cast<std::uint32_t>(selection.parameter_or("E", plan.algorithm == Algorithm::mgpu_words ? of_words
                                                                    : narrow                                ? 15
                                                                                                            : 11));
    plan.b = static_cast<std::uint32_t>(selection.parameter_or("b", narrow && plan.E != 17 ? 128 : 256));
    std::string there;
    for (const Compiled& one : compiled_pairwise()) {
        if (one.algorithm != plan.algorithm || one.order != plan.compared_as) continue;
        if (one.E == plan.E && one.b == plan.b) return {};
        there += fmt::format("{}E {} b {}", there.empty() ? "" : ", ", one.E, one.b);
    }
    return refused(selection,
                   fmt::format("E = {} with b = {} is not compiled for elements of {} bits", plan.E, plan.b,
                               8 * bytes_of(plan.compared_as)),
                   "choose from " + there);
}

Result<void> choose_multiway(Plan& plan, Selection& selection) {
    plan.K = static_cast<std::uint32_t>(selection.parameter_or("K", 8));
    plan.blocks = static_cast<std::uint32_t>(selection.parameter_or("blocks", 4096));
    const auto& there = compiled_fan_ins();
    if (std::find(there.begin(), there.end(), plan.K) == there.end())
        return refused(selection, fmt::format("K = {} is not compiled", plan.K),
                       fmt::format("choose from {}", fmt::join(there, ", ")));
    return {};
}

}  // namespace

const std::vector<Compiled>& compiled_pairwise() {
    static const std::vector<Compiled> all = [] {
        std::vector<Compiled> list;
        for (const Algorithm algorithm : {Algorithm::mgpu, Algorithm::cf_merge}) {
            for (const std::uint32_t E : {11U, 15U, 16U, 17U, 31U})
                for (const std::uint32_t b : {128U, 256U, 512U}) list.push_back({algorithm, Order::u32, E, b});
            for (const Order order : {Order::u64, Order::pair, Order::fraction}) {
                if (algorithm == Algorithm::cf_merge && order != Order::u64) continue;
                list.push_back({algorithm, order, 11, 128});
                list.push_back({algorithm, order, 11, 256});
                list.push_back({algorithm, order, 17, 256});
            }
        }
        for (const std::uint32_t b : {128U, 256U, 512U}) list.push_back({Algorithm::mgpu_words, Order::u32, 16, b});
        return list;
    }();
    return all;
}

const std::vector<std::uint32_t>& compiled_fan_ins() {
    static const std::vector<std::uint32_t> all{2, 4, 8, 16, 32};
    return all;
}

std::vector<VariantInfo> variants() {
    std::vector<VariantInfo> list{{"E15_b128", {{"E", 15}, {"b", 128}}},
                                  {"E17_b256", {{"E", 17}, {"b", 256}}},
                                  {"E15_b512", {{"E", 15}, {"b", 512}}}};
    for (const Variant& variant : all_variants())
        if (variant.algorithm != Algorithm::recorded) list.push_back({std::string(variant.name), {}});
    return list;
}

std::vector<std::string> wide_variants() {
    std::vector<std::string> names;
    for (const Variant& variant : all_variants())
        if (variant.has("key_bits")) names.emplace_back(variant.name);
    return names;
}

std::vector<ParameterInfo> parameters() {
    return {{"E", "keys a thread, in merges of pairs", 1, 64, std::nullopt},
            {"b", "threads a block", 32, 1024, std::nullopt},
            {"K", "runs that a warp merges (mms, koike-sadakane); 8 if not given", 2, 32, std::nullopt},
            {"blocks", "warps that merge at a time (mms, koike-sadakane); 4096 if not given", 1, 1 << 16, std::nullopt},
            {"key_bits", "32 or 64", 32, 64, std::nullopt},
            {"values", "1: each 32-bit key has a 32-bit value", 0, 1, std::nullopt},
            {"comparator", "1: the costlier one, of fractions", 0, 1, std::nullopt}};
}

Result<Plan> plan(Selection& selection) {
    const Variant& variant = variant_of(selection);
    for (const auto& [name, value] : selection.parameters)
        if (!variant.has(name))
            return refused(selection, fmt::format("{} is no parameter of this variant", name),
                           fmt::format("it has {}; choose another --variant", fmt::join(variant.parameters, ", ")));
    Plan plan;
    plan.algorithm = variant.algorithm;
    const auto order = order_of(variant, selection);
    if (!order) return order.error();
    plan.order = *order;
    plan.compared_as = *order;
    const bool keeps_order = plan.algorithm == Algorithm::recorded || plan.algorithm == Algorithm::mgpu ||
                             plan.algorithm == Algorithm::mgpu_words;
    if (!keeps_order) {
        plan.promise = plan.order == Order::pair ? Promise::by_word : Promise::any_order;
        if (plan.order == Order::pair) plan.compared_as = Order::u64;
    }
    Result<void> chosen;
    switch (plan.algorithm) {
        case Algorithm::recorded:
            plan.E = static_cast<std::uint32_t>(selection.parameter("E"));
            plan.b = static_cast<std::uint32_t>(selection.parameter("b"));
            break;
        case Algorithm::mgpu:
        case Algorithm::mgpu_words:
        case Algorithm::cf_merge: chosen = choose_pairwise(plan, selection); break;
        case Algorithm::mms:
        case Algorithm::koike_sadakane: chosen = choose_multiway(plan, selection); break;
        case Algorithm::shearsort: break;
        case Algorithm::bitonic:
            plan.b = static_cast<std::uint32_t>(selection.parameter_or("b", 512));
            if ((plan.b & (plan.b - 1)) != 0)
                chosen = refused(selection, fmt::format("b = {} is no power of two", plan.b),
                                 "the network sorts 2 b keys, a power of two");
            break;
    }
    if (!chosen) return chosen.error();
    if (plan.algorithm == Algorithm::shearsort || plan.algorithm == Algorithm::bitonic)
        plan.E = plan.compared_as == Order::u32 ? 15 : 11;  // of the merges that follow; see pairwise.cpp
    return plan;
}

}  // namespace sassafras::workloads::sort
