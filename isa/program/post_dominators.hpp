// Immediate post-dominators of a control-flow graph.
#pragma once

#include <cstdint>
#include <vector>

namespace sassafras::isa {

/// One node of the graph that post-dominators are taken over: edges inside one function.
struct FlowNode {
    std::vector<std::uint32_t> successors;
    bool leaves = false;  ///< can also leave the function: EXIT, RET, an indirect branch of unknown target
};

/// For every node, the first node that all paths from it to the end of its function pass; no_block if there is none
/// (paths end apart, or never end).
[[nodiscard]] std::vector<std::uint32_t> immediate_post_dominators(const std::vector<FlowNode>& nodes);

}  // namespace sassafras::isa
