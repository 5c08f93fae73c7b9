// What specifications of charts have in common.
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

namespace sassafras::cli {

/// A specification as wide as its place, whose marks are made from `values`, a list of objects. Null if that is empty.
[[nodiscard]] nlohmann::ordered_json spec_of(nlohmann::ordered_json values, nlohmann::ordered_json rest);

/// Bars to the right, a row each in the order of `values`, with the number behind each: `name` and `value` are fields.
/// `x` is the title of the axis; `color` a field, or empty; `most` the end of the axis, or 0 for as far as bars go.
struct BarsOf {
    std::string_view name;
    std::string_view value;
    std::string_view x;
    std::string_view color = {};
    double most = 0;
    std::string_view format = ",.1f";
};
[[nodiscard]] nlohmann::ordered_json bars(nlohmann::ordered_json values, const BarsOf& of);

/// Colours by a field, in the order of its values, with a legend above.
[[nodiscard]] nlohmann::ordered_json color_by(std::string_view field);

/// Of charts of conflicts: passes for each request.
[[nodiscard]] nlohmann::ordered_json axis_of_beta();

/// A line above a chart that leaves something out.
[[nodiscard]] nlohmann::ordered_json remark(std::string_view text);

}  // namespace sassafras::cli
