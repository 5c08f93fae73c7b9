#include "study/pareto/pareto.hpp"

#include <algorithm>
#include <cmath>

namespace sassafras::study {

namespace {

bool beats(const std::vector<double>& one, const std::vector<double>& other) {
    bool smaller = false;
    for (std::size_t i = 0; i < one.size(); ++i) {
        if (one[i] > other[i]) return false;
        smaller = smaller || one[i] < other[i];
    }
    return smaller;
}

}  // namespace

std::vector<std::size_t> pareto_front(const std::vector<std::vector<double>>& points) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (std::none_of(points[i].begin(), points[i].end(), [](double value) { return std::isnan(value); }))
            order.push_back(i);
    // After that, only an earlier point can beat a later one, and only one of the front need be asked: what beats what
    // beats a point beats the point.
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return points[a] < points[b]; });
    std::vector<std::size_t> front;
    for (const std::size_t point : order) {
        const auto excels = [&](std::size_t other) {
            return beats(points[other], points[point]) || points[other] == points[point];
        };
        if (std::none_of(front.begin(), front.end(), excels)) front.push_back(point);
    }
    return front;
}

}  // namespace sassafras::study
