#include "core/graph.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <boost/graph/max_cardinality_matching.hpp>
#include <iterator>

namespace sassafras {

std::vector<std::size_t> depth_first_post_order(std::size_t vertices, std::span<const Edge> edges, std::size_t start) {
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
    Graph graph(vertices);
    for (const auto& [from, to] : edges) boost::add_edge(from, to, graph);
    std::vector<std::size_t> order;
    auto record =
        boost::write_property(boost::identity_property_map(), std::back_inserter(order), boost::on_finish_vertex());
    std::vector<boost::default_color_type> colors(vertices);
    boost::depth_first_visit(graph, start, boost::make_dfs_visitor(record),
                             boost::make_iterator_property_map(colors.begin(), boost::get(boost::vertex_index, graph)));
    return order;
}

std::vector<std::size_t> maximum_matching(std::size_t vertices, std::span<const Edge> edges) {
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
    Graph graph(vertices);
    for (const auto& [one, other] : edges) boost::add_edge(one, other, graph);
    std::vector<Graph::vertex_descriptor> mate(vertices);
    boost::edmonds_maximum_cardinality_matching(graph, mate.data());
    static_assert(no_mate == static_cast<std::size_t>(-1));  // boost's null_vertex
    return {mate.begin(), mate.end()};
}

}  // namespace sassafras
