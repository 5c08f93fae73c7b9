// Algorithms on graphs, by Boost.Graph. In one place because its headers are templates without end: each file that
// includes them is compiled for seconds.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace sassafras {

/// From, to; vertices are counted from 0.
using Edge = std::pair<std::size_t, std::size_t>;

/// The vertices that a directed graph's edges lead to from `start`, in the order in which a depth-first search leaves
/// them: `start` is the last. Edges out of a vertex are followed in the order given.
[[nodiscard]] std::vector<std::size_t> depth_first_post_order(std::size_t vertices, std::span<const Edge> edges,
                                                              std::size_t start);

inline constexpr std::size_t no_mate = ~std::size_t{0};

/// For each vertex of an undirected graph its partner in a matching of as many edges as can be, or no_mate (Edmonds).
[[nodiscard]] std::vector<std::size_t> maximum_matching(std::size_t vertices, std::span<const Edge> edges);

}  // namespace sassafras
