// Every sort at awkward sizes, on every input, with every compiled parameter, on the functional and the simulated
// device.
#include <set>

#include <catch2/catch.hpp>

#include "tests/contract/workloads/sort_runs.hpp"
#include "tests/sanitized.hpp"
#include "workloads/inputs.hpp"
#include "workloads/sort/compiled.hpp"

using namespace sassafras;
using namespace sassafras::test;
namespace sort = sassafras::workloads::sort;

namespace {

const std::vector<std::string> new_variants{"mgpu",      "cf-merge", "koike-sadakane", "mms",
                                            "shearsort", "bitonic",  "mgpu-words"};

Parameters elements_of(sort::Order order) {
    switch (order) {
        case sort::Order::u64: return {{"key_bits", 64}};
        case sort::Order::pair: return {{"values", 1}};
        case sort::Order::fraction: return {{"comparator", 1}};
        default: return {};
    }
}

/// What each algorithm sorts.
std::vector<std::pair<std::string, sort::Order>> variants_and_orders() {
    using enum sort::Order;
    return {{"mgpu", u32},      {"mgpu", u64},           {"mgpu", pair},     {"mgpu", fraction},
            {"cf-merge", u32},  {"cf-merge", u64},       {"cf-merge", pair}, {"mms", u32},
            {"mms", u64},       {"mms", pair},           {"mms", fraction},  {"shearsort", u32},
            {"shearsort", u64}, {"shearsort", fraction}, {"bitonic", u32},   {"koike-sadakane", u32},
            {"mgpu-words", u32}};
}

}  // namespace

TEST_CASE("every sort at sizes around warps and blocks, powers of two and a prime") {
    const auto device = functional_device();
    std::size_t index = 0;
    for (const std::string& variant : new_variants)
        for (const std::uint64_t n : {0U, 1U, 2U, 31U, 32U, 33U, 1023U, 1024U, 1025U, 1919U, 1920U, 1921U, 4095U, 4096U,
                                      4097U, 10007U, 32768U, 32769U})
            if (is_tried(index++)) verified_sort(*device, sort_request(variant, n, {}, {}, n + 1));
}

TEST_CASE("every sort of a large array") {
    const auto device = functional_device();
    for (const std::string& variant : new_variants)
        verified_sort(*device, sort_request(variant, sanitized ? 30011 : 100003));
}

TEST_CASE("every sort of every kind of element on every input") {
    const auto device = functional_device();
    std::size_t index = 0;
    for (const auto& [variant, order] : variants_and_orders())
        for (const std::string& input : workloads::key_input_kinds())
            for (const std::uint64_t n : {1500U, 9000U}) {
                // One block or several, in turn: each variant and order sorts three inputs of either size.
                const std::size_t number = index++;
                if ((number / 2 + number / 12) % 2 != number % 2) continue;
                if (is_tried(number / 2))
                    verified_sort(*device, sort_request(variant, n, elements_of(order), input, 7));
            }
}

TEST_CASE("every compiled merge of pairs") {
    const auto device = functional_device();
    for (const sort::Compiled& one : sort::compiled_pairwise()) {
        Parameters parameters = elements_of(one.order);
        parameters["E"] = one.E;
        parameters["b"] = one.b;
        const char* variant = one.algorithm == sort::Algorithm::mgpu ? "mgpu" : "cf-merge";
        for (const std::uint64_t n :
             {std::uint64_t{1}, 2 * std::uint64_t{one.E} * one.b, 3 * std::uint64_t{one.E} * one.b + 5})
            verified_sort(*device, sort_request(variant, n, parameters));
    }
}

TEST_CASE("every compiled fan-in, with and without parts") {
    const auto device = functional_device();
    std::size_t index = 0;
    for (const std::uint32_t K : sort::compiled_fan_ins())
        for (const std::int64_t blocks : {1, 7, 4096})
            for (const char* variant : {"mms", "koike-sadakane"}) {
                // One input each: every fan-in meets each input, every number of blocks too.
                constexpr const char* inputs[] = {"random", "equal", "organ-pipe"};
                const char* input = inputs[(index / 2 + index / 6) % 3];
                if (test::is_tried(index++, 4))
                    verified_sort(*device, sort_request(variant, 40000, {{"K", K}, {"blocks", blocks}}, input));
            }
}

TEST_CASE("bitonic blocks of every size") {
    const auto device = functional_device();
    for (std::int64_t b = 32; b <= 1024; b *= 2) verified_sort(*device, sort_request("bitonic", 5000, {{"b", b}}));
}

TEST_CASE("keys as great as the padding stay") {
    const auto device = functional_device();
    for (const std::string& variant : new_variants)
        for (const bool values : {false, true}) {
            if (values && variant != "mgpu" && variant != "cf-merge" && variant != "mms") continue;
            workloads::WorkloadRequest request =
                sort_request(variant, 0, values ? Parameters{{"values", 1}} : Parameters{});
            request.n.reset();
            request.keys = std::vector<std::uint32_t>(5003, 0xffffffffU);
            for (std::size_t i = 0; i < request.keys->size(); i += 3)
                (*request.keys)[i] = static_cast<std::uint32_t>(i * 2654435761U);
            verified_sort(*device, request);
        }
}

TEST_CASE("every sort on the simulated device") {
    const auto device = sim::make_simulated_device(h200(), {});
    for (const auto& [variant, order] : variants_and_orders())
        for (const std::uint64_t n : {0U, 1U, 31U, 33U, 1024U, 5003U})
            verified_sort(*device, sort_request(variant, n, elements_of(order)));
}
