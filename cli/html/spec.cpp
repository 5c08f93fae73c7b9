#include "cli/html/spec.hpp"

#include <utility>

namespace sassafras::cli {

using SpecJson = nlohmann::ordered_json;

SpecJson spec_of(SpecJson values, SpecJson rest) {
    if (values.empty()) return nullptr;
    // The name of the grammar: nothing is fetched from there.
    SpecJson spec{{"$schema", "https://vega.github.io/schema/vega-lite/v6.json"},
                  {"width", "container"},
                  {"autosize", {{"type", "fit-x"}, {"contains", "padding"}}},
                  {"datasets", {{"values", std::move(values)}}},
                  {"data", {{"name", "values"}}}};
    spec.update(rest);
    return spec;
}

SpecJson color_by(std::string_view field) {
    return {{"field", field},
            {"type", "nominal"},
            {"sort", nullptr},
            {"legend", {{"orient", "top"}, {"title", nullptr}, {"columns", 4}}}};
}

SpecJson axis_of_beta() {
    return {{"field", "beta"},
            {"type", "quantitative"},
            {"title", "passes for each request (beta)"},
            {"scale", {{"zero", false}}}};
}

SpecJson remark(std::string_view text) {
    return {{"text", text}, {"anchor", "start"}, {"fontWeight", "normal"}, {"fontSize", 12}};
}

SpecJson bars(SpecJson values, const BarsOf& of) {
    constexpr double room_for_number = 1.12;
    constexpr std::size_t bar_height = 24;
    SpecJson scale = SpecJson::object();
    if (of.most > 0) scale = {{"domain", {0, of.most * room_for_number}}};
    SpecJson axis{{"tickCount", 5}};
    if (of.most == 100) axis["values"] = {0, 20, 40, 60, 80, 100};
    SpecJson bar{{"x",
                  {{"field", of.value},
                   {"type", "quantitative"},
                   {"title", of.x},
                   {"scale", std::move(scale)},
                   {"axis", std::move(axis)}}}};
    if (!of.color.empty()) bar["color"] = color_by(of.color);
    const std::size_t height =
        bar_height * values.size();  // a step a bar would be warned of, as it does not fit a place
    return spec_of(
        std::move(values),
        {{"height", height},
         {"encoding", {{"y", {{"field", of.name}, {"type", "nominal"}, {"sort", nullptr}, {"title", nullptr}}}}},
         {"layer",
          {{{"mark", {{"type", "bar"}, {"tooltip", {{"content", "data"}}}}}, {"encoding", std::move(bar)}},
           {{"mark", {{"type", "text"}, {"align", "left"}, {"dx", 4}}},
            {"encoding",
             {{"x", {{"field", of.value}, {"type", "quantitative"}}},
              {"text", {{"field", of.value}, {"type", "quantitative"}, {"format", of.format}}}}}}}}});
}

}  // namespace sassafras::cli
