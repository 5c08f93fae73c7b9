#include "cudart/protocol/exec_settings.hpp"

#include <nlohmann/json.hpp>

#include "core/json_text.hpp"

namespace sassafras::cudart {

NLOHMANN_JSON_SERIALIZE_ENUM(ExecSettings::Device, {{ExecSettings::Device::simulated, "simulated"},
                                                    {ExecSettings::Device::functional, "functional"},
                                                    {ExecSettings::Device::capture, "capture"},
                                                    {ExecSettings::Device::conflicts, "conflicts"}})

namespace {

nlohmann::ordered_json number_or_null(const std::optional<std::uint64_t>& number) {
    return number ? nlohmann::ordered_json(*number) : nullptr;
}

std::optional<std::uint64_t> number_if_any(const nlohmann::ordered_json& json) {
    return json.is_null() ? std::nullopt : std::optional(json.get<std::uint64_t>());
}

using NameBase = sim::LaunchSelection::NameBase;

nlohmann::ordered_json selection_json(const sim::LaunchSelection& selection) {
    return {{"kernel", selection.kernel},
            {"base", static_cast<int>(selection.base)},
            {"kernel_id", selection.kernel_id},
            {"ranges", selection.ranges},
            {"skip_before", selection.skip_before},
            {"skip", selection.skip},
            {"count", number_or_null(selection.count)}};
}

sim::LaunchSelection read_selection(const nlohmann::ordered_json& json) {
    return {.kernel = json.at("kernel").get<std::string>(),
            .base = static_cast<NameBase>(json.at("base").get<int>()),
            .kernel_id = json.at("kernel_id").get<std::string>(),
            .ranges = json.at("ranges").get<std::vector<std::string>>(),
            .skip_before = json.at("skip_before").get<std::uint64_t>(),
            .skip = json.at("skip").get<std::uint64_t>(),
            .count = number_if_any(json.at("count"))};
}

}  // namespace

std::string to_json(const ExecSettings& settings) {
    const nlohmann::ordered_json json{
        {"device", settings.device},
        {"platform", settings.platform},
        {"threads", settings.threads},
        {"cold_caches", settings.cold_caches},
        {"instruction_limit", settings.instruction_limit},
        {"source", settings.source},
        {"check", settings.check},
        {"sample", settings.sample},
        {"narrow", settings.narrow ? nlohmann::ordered_json(*settings.narrow) : nullptr},
        {"timed_launches", {settings.timed_launches.index, settings.timed_launches.count}},
        {"profile_interval", settings.profile_interval},
        {"blocks_of_launch", number_or_null(settings.blocks_of_launch)},
        {"most_blocks", settings.most_blocks},
        {"nvtx", settings.nvtx},
        {"selection", selection_json(settings.selection)},
        {"times_unselected", settings.times_unselected},
        {"full_metrics", settings.full_metrics},
        {"lists_work", settings.lists_work},
        {"records", settings.records},
        {"trace_folder", settings.trace_folder},
        {"module_folder", settings.module_folder},
        {"explained",
         {{"kernel", settings.explained.kernel},
          {"pc", number_or_null(settings.explained.pc)},
          {"number", number_or_null(settings.explained.number)}}}};
    return json_document(json);
}

Result<ExecSettings> parse_settings(const std::string& text, const std::string& origin) {
    try {
        const auto json = own_json(text);
        ExecSettings settings;
        settings.device = json.at("device").get<ExecSettings::Device>();
        settings.platform = json.at("platform").get<std::string>();
        settings.threads = json.at("threads").get<std::uint32_t>();
        settings.cold_caches = json.at("cold_caches").get<bool>();
        settings.instruction_limit = json.at("instruction_limit").get<std::uint64_t>();
        settings.source = json.at("source").get<bool>();
        settings.check = json.at("check").get<bool>();
        settings.sample = json.at("sample").get<bool>();
        if (const auto& narrow = json.at("narrow"); !narrow.is_null()) settings.narrow = narrow.get<double>();
        const auto& timed_launches = json.at("timed_launches");
        settings.timed_launches = {timed_launches.at(0).get<std::uint64_t>(),
                                   timed_launches.at(1).get<std::uint64_t>()};
        settings.profile_interval = json.at("profile_interval").get<std::uint64_t>();
        settings.blocks_of_launch = number_if_any(json.at("blocks_of_launch"));
        settings.most_blocks = json.at("most_blocks").get<std::uint64_t>();
        settings.lists_work = json.at("lists_work").get<bool>();
        settings.nvtx = json.at("nvtx").get<bool>();
        settings.selection = read_selection(json.at("selection"));
        settings.times_unselected = json.at("times_unselected").get<bool>();
        settings.full_metrics = json.at("full_metrics").get<bool>();
        settings.records = json.at("records").get<std::string>();
        settings.trace_folder = json.at("trace_folder").get<std::string>();
        settings.module_folder = json.at("module_folder").get<std::string>();
        const auto& explained = json.at("explained");
        settings.explained.kernel = explained.at("kernel").get<std::string>();
        settings.explained.pc = number_if_any(explained.at("pc"));
        settings.explained.number = number_if_any(explained.at("number"));
        return settings;
    } catch (const nlohmann::json::exception& error) {
        return Error{ErrorKind::bad_input, std::string("the settings are damaged: ") + error.what(), origin,
                     "start the program with sassafras exec"};
    }
}

}  // namespace sassafras::cudart
