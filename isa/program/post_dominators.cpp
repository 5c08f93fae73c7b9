#include "isa/program/post_dominators.hpp"

#include <algorithm>

#include "core/graph.hpp"
#include "isa/program/program.hpp"

namespace sassafras::isa {
namespace {

/// Post-dominators are the dominators of the reversed graph, seen from a node (the last one) that every end leads to.
std::vector<Edge> reversed(const std::vector<FlowNode>& nodes) {
    std::vector<Edge> edges;
    for (std::size_t node = 0; node < nodes.size(); ++node) {
        for (const std::uint32_t successor : nodes[node].successors) edges.emplace_back(successor, node);
        if (nodes[node].leaves || nodes[node].successors.empty()) edges.emplace_back(nodes.size(), node);
    }
    return edges;
}

}  // namespace

// Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm". Boost's lengauer_tarjan_dominator_tree recurses as
// deep as a kernel has blocks and takes unreachable predecessors for the entry, so it is not used.
std::vector<std::uint32_t> immediate_post_dominators(const std::vector<FlowNode>& nodes) {
    const std::size_t end = nodes.size();
    const std::vector<std::size_t> order = depth_first_post_order(end + 1, reversed(nodes), end);
    constexpr std::size_t unknown = ~std::size_t{0};
    std::vector<std::size_t> rank(nodes.size() + 1, unknown);  // place in `order`; a dominator's is higher
    for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
    std::vector<std::size_t> dominator(order.size(), unknown);  // by rank, a rank
    const std::size_t root = order.size() - 1;
    dominator[root] = root;
    const auto common = [&](std::size_t a, std::size_t b) {
        while (a != b) {
            if (a < b)
                a = dominator[a];
            else
                b = dominator[b];
        }
        return a;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = root; i-- > 0;) {
            const FlowNode& node = nodes[order[i]];
            std::size_t best = node.leaves || node.successors.empty() ? root : unknown;
            for (const std::uint32_t successor : node.successors) {
                const std::size_t other = rank[successor];
                if (other == unknown || dominator[other] == unknown) continue;
                best = best == unknown ? other : common(best, other);
            }
            changed = changed || dominator[i] != best;
            dominator[i] = best;
        }
    }
    std::vector<std::uint32_t> result(nodes.size(), no_block);
    for (std::size_t i = 0; i < root; ++i)
        if (dominator[i] != root) result[order[i]] = static_cast<std::uint32_t>(order[dominator[i]]);
    return result;
}

}  // namespace sassafras::isa
