#include "workloads/search/layout.hpp"

namespace sassafras::workloads::search {
namespace {

/// Fills in the subtree of `node` in order, from keys[next] on.
void fill(LevelOrder& tree, const std::vector<std::uint32_t>& keys, std::uint64_t keys_a_node, std::uint64_t node,
          std::uint64_t& next) {
    if (node >= tree.nodes) return;
    const std::uint64_t first_child = (keys_a_node + 1) * node + 1;
    for (std::uint64_t i = 0; i < keys_a_node; ++i) {
        fill(tree, keys, keys_a_node, first_child + i, next);
        const std::uint64_t cell = keys_a_node * node + i;
        if (cell < keys.size()) tree.cells[cell] = keys[next++];
    }
    fill(tree, keys, keys_a_node, first_child + keys_a_node, next);
}

}  // namespace

LevelOrder level_order(const std::vector<std::uint32_t>& keys, std::uint32_t keys_a_node) {
    LevelOrder tree;
    tree.nodes = static_cast<std::uint32_t>((keys.size() + keys_a_node - 1) / keys_a_node);
    tree.cells.assign(static_cast<std::size_t>(tree.nodes) * keys_a_node, 0xffffffffU);
    const std::uint64_t children = std::uint64_t{keys_a_node} + 1;
    for (std::uint64_t first = 0; first < tree.nodes; first = children * first + 1)
        tree.last_level_first = static_cast<std::uint32_t>(first);
    std::uint64_t next = 0;
    fill(tree, keys, keys_a_node, 0, next);
    return tree;
}

}  // namespace sassafras::workloads::search
