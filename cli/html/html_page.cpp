#include "cli/html/html_page.hpp"

#include <map>
#include <string_view>

#include "cli/html/page_files.hpp"
#include "cli/reports/report.hpp"
#include "core/json_text.hpp"

namespace sassafras::cli {

namespace {

using PageJson = nlohmann::ordered_json;

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (c == '<')
            safe += "&lt;";
        else if (c == '&')
            safe += "&amp;";
        else
            safe += c;
    }
    return safe;
}

/// JSON as it may stand in an element <script>: nothing in it can end that.
std::string json_in_page(std::string_view json) {
    std::string safe;
    safe.reserve(json.size());
    for (const char c : json) {
        if (c == '<')
            safe += "\\u003c";
        else
            safe += c;
    }
    return safe;
}

/// Each @name@ of the page's text once; what comes in its place is not looked at again.
std::string filled(std::string_view text, const std::map<std::string, std::string, std::less<>>& parts) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = text.find('@', at);
        const std::size_t end = begin == text.npos ? text.npos : text.find('@', begin + 1);
        if (end == text.npos) return result.append(text.substr(at));
        const auto part = parts.find(text.substr(begin + 1, end - begin - 1));
        if (part == parts.end()) {
            result.append(text.substr(at, end - at));
            at = end;
            continue;
        }
        result.append(text.substr(at, begin - at)).append(part->second);
        at = end + 1;
    }
    return result;
}

}  // namespace

Result<void> check_chart_scripts() {
    if (!page_files::vega_script().empty() && !page_files::vega_lite_script().empty() &&
        !page_files::vega_embed_script().empty())
        return {};
    return Error{ErrorKind::not_modelled,
                 "this program was built without what draws charts (vega, vega-lite, vega-embed of npm)",
                 {},
                 "run scripts/setup charts, then build again"};
}

PageJson packed_values(const PageJson& datasets) {
    PageJson packed = PageJson::object();
    for (const auto& [name, values] : datasets.items()) {
        PageJson fields = PageJson::array();
        PageJson rows = PageJson::array();
        if (!values.empty())
            for (const auto& [field, value] : values.front().items()) fields.push_back(field);
        for (const PageJson& value : values) {
            PageJson row = PageJson::array();
            for (const PageJson& one : value) row.push_back(one);
            rows.push_back(std::move(row));
        }
        packed[name] = {{"f", std::move(fields)}, {"r", std::move(rows)}};
    }
    return packed;
}

std::pair<std::string, std::string> command_fact(const std::vector<std::string>& command) {
    std::string text;
    for (const std::string& word : command) text += (text.empty() ? "" : " ") + word;
    return {"Command", std::move(text)};
}

std::string html_text(const HtmlPage& page) {
    PageJson facts = PageJson::array();
    for (const auto& [name, value] : page.facts) facts.push_back({name, value});
    PageJson charts = PageJson::array();
    for (const Chart& chart : page.charts) {
        PageJson spec = chart.spec;
        spec["datasets"] = packed_values(chart.spec["datasets"]);
        charts.push_back({{"name", chart.name},
                          {"title", chart.title},
                          {"about", chart.about},
                          {"wide", chart.wide},
                          {"spec", std::move(spec)}});
    }
    const PageJson head{{"sassafras", version()}, {"title", page.title}, {"verdict", page.verdict},
                        {"facts", facts},         {"notes", page.notes}, {"charts", charts}};
    std::string data = json_line(head);
    data.pop_back();  // its last bracket: two parts follow that are JSON already
    data += ",\"launches\":" + page.launches + ",\"sources\":" + page.sources + "}";
    std::string scripts;
    for (const auto& script : {page_files::vega_script(), page_files::vega_lite_script(),
                               page_files::vega_embed_script(), page_files::theme_script(), page_files::page_script()})
        scripts.append(page_files::text_of(script)).append("\n</script>\n<script>\n");
    constexpr std::string_view last = "\n</script>\n<script>\n";
    scripts.resize(scripts.size() - last.size());
    return filled(page_files::text_of(page_files::html()),
                  {{"title", escaped(page.title)},
                   {"style", std::string(page_files::text_of(page_files::css()))},
                   {"report", json_in_page(data)},
                   {"scripts", std::move(scripts)}});
}

}  // namespace sassafras::cli
