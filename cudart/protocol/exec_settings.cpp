#include "cudart/protocol/exec_settings.hpp"

#include <nlohmann/json.hpp>

#include "core/json_text.hpp"

namespace sassafras::cudart {

NLOHMANN_JSON_SERIALIZE_ENUM(ExecSettings::Device, {{ExecSettings::Device::simulated, "simulated"},
                                                    {ExecSettings::Device::functional, "functional"},
                                                    {ExecSettings::Device::capture, "capture"}})

std::string to_json(const ExecSettings& settings) {
    const nlohmann::ordered_json json{{"device", settings.device},
                                      {"platform", settings.platform},
                                      {"threads", settings.threads},
                                      {"cold_caches", settings.cold_caches},
                                      {"instruction_limit", settings.instruction_limit},
                                      {"source", settings.source},
                                      {"check", settings.check},
                                      {"records", settings.records},
                                      {"trace_folder", settings.trace_folder}};
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
        settings.records = json.at("records").get<std::string>();
        settings.trace_folder = json.at("trace_folder").get<std::string>();
        return settings;
    } catch (const nlohmann::json::exception& error) {
        return Error{ErrorKind::bad_input, std::string("the settings are damaged: ") + error.what(), origin,
                     "start the program with sassafras exec"};
    }
}

}  // namespace sassafras::cudart
