// The layouts that search's trees have in memory.
#pragma once

#include <cstdint>
#include <vector>

namespace sassafras::workloads::search {

/// A complete search tree of nodes of B keys, breadth first and left to right: node i has its children at (B + 1) i + 1
/// to (B + 1) i + B + 1. B = 1 is the level-order binary search tree (B. Karsin's thesis, sections 6.1.2 and 6.1.3).
struct LevelOrder {
    std::vector<std::uint32_t> cells;  ///< B a node; the last node is padded with the greatest key
    std::uint32_t nodes = 0;
    std::uint32_t last_level_first = 0;  ///< number of the leftmost node of the deepest level; 0 if there is none
};

/// `keys` ascend. At most 2^30 of them.
[[nodiscard]] LevelOrder level_order(const std::vector<std::uint32_t>& keys, std::uint32_t keys_a_node);

}  // namespace sassafras::workloads::search
