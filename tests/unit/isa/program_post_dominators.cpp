#include <catch2/catch.hpp>

#include <random>

#include "isa/program/post_dominators.hpp"
#include "isa/program/program.hpp"

using namespace sassafras::isa;
using Blocks = std::vector<std::uint32_t>;

TEST_CASE("a diamond joins at its bottom") {
    CHECK(immediate_post_dominators({{{1, 2}, false}, {{3}, false}, {{3}, false}, {{}, true}}) ==
          Blocks{3, 3, 3, no_block});
}

TEST_CASE("a conditional exit leaves nothing that all paths pass") {
    // 0 exits or goes on to 1.
    CHECK(immediate_post_dominators({{{1}, true}, {{}, true}}) == Blocks{no_block, no_block});
}

TEST_CASE("a loop is left through its branch") {
    // 0 -> 1 -> 2 -> {1, 3}
    CHECK(immediate_post_dominators({{{1}, false}, {{2}, false}, {{1, 3}, false}, {{}, true}}) ==
          Blocks{1, 2, 3, no_block});
}

TEST_CASE("code that never ends has no post-dominator") {
    CHECK(immediate_post_dominators({{{1, 2}, false}, {{1}, false}, {{}, true}}) == Blocks{2, no_block, no_block});
}

TEST_CASE("a loop around very many blocks") {
    // The search for dominators walks the whole chain at once: it must not do so on the stack.
    constexpr std::uint32_t count = 1000000;
    std::vector<FlowNode> nodes(count);
    for (std::uint32_t i = 0; i + 1 < count; ++i) nodes[i].successors = {i + 1};
    nodes[count - 2].successors.push_back(0);
    nodes[count - 1].leaves = true;
    const auto result = immediate_post_dominators(nodes);
    bool in_a_row = true;
    for (std::uint32_t i = 0; i + 1 < count; ++i) in_a_row = in_a_row && result[i] == i + 1;
    CHECK(in_a_row);
    CHECK(result[count - 1] == no_block);
}

namespace {

/// By the definition: can the end be reached from `from` without passing `without`?
bool escapes(const std::vector<FlowNode>& nodes, std::uint32_t from, std::uint32_t without) {
    if (from == without) return false;
    std::vector<bool> seen(nodes.size(), false);
    std::vector<std::uint32_t> to_visit{from};
    seen[from] = true;
    while (!to_visit.empty()) {
        const FlowNode& node = nodes[to_visit.back()];
        to_visit.pop_back();
        if (node.leaves || node.successors.empty()) return true;
        for (const std::uint32_t successor : node.successors)
            if (successor != without && !seen[successor]) {
                seen[successor] = true;
                to_visit.push_back(successor);
            }
    }
    return false;
}

/// The post-dominator of `node` that all its other post-dominators post-dominate.
std::uint32_t expected(const std::vector<FlowNode>& nodes, std::uint32_t node) {
    if (!escapes(nodes, node, no_block)) return no_block;  // never ends
    std::vector<std::uint32_t> all;
    for (std::uint32_t other = 0; other < nodes.size(); ++other)
        if (other != node && !escapes(nodes, node, other)) all.push_back(other);
    for (const std::uint32_t candidate : all) {
        bool nearest = true;
        for (const std::uint32_t other : all) nearest = nearest && !escapes(nodes, candidate, other);
        if (nearest) return candidate;
    }
    return no_block;
}

}  // namespace

TEST_CASE("random graphs agree with the definition") {
    std::mt19937 random(11);
    std::uint32_t with_one = 0;
    for (int round = 0; round < 400; ++round) {
        std::vector<FlowNode> nodes(2 + random() % 12);
        for (FlowNode& node : nodes) {
            for (auto edges = random() % 3; edges > 0; --edges)
                node.successors.push_back(static_cast<std::uint32_t>(random() % nodes.size()));
            node.leaves = random() % 8 == 0;
        }
        const auto result = immediate_post_dominators(nodes);
        for (std::uint32_t node = 0; node < nodes.size(); ++node) {
            REQUIRE(result[node] == expected(nodes, node));
            if (result[node] != no_block) ++with_one;
        }
    }
    CHECK(with_one > 100);
}
