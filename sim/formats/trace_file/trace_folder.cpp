#include "sim/formats/trace_file/trace_folder.hpp"

#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "core/input_file.hpp"
#include "core/json_reader.hpp"
#include "core/json_text.hpp"
#include "core/staged_file.hpp"
#include "core/whole_file.hpp"
#include "core/xxhash64.hpp"
#include "sim/formats/trace_file/new_trace_folder.hpp"

namespace sassafras::sim {

namespace {

constexpr std::int64_t index_version = 1;
constexpr std::int64_t most_gpcs = 4096;
constexpr std::int64_t largest = std::int64_t{1} << 53;
constexpr std::string_view checksum_begin = "  \"checksum\": \"";
constexpr std::string_view checksum_end = "\"\n}\n";
constexpr std::size_t digits = 16;
constexpr std::size_t tail = checksum_begin.size() + digits + checksum_end.size();

std::string index_of(const std::string& folder) { return folder + "/index.json"; }

std::string hexadecimal(std::uint64_t value) { return fmt::format("{:016x}", value); }

std::uint64_t checksum_of(std::string_view text) {
    return xxhash64(std::as_bytes(std::span(text.data(), text.size())));
}

/// The text as it was written, up to its checksum line, says nothing but what it said.
Result<void> check(std::string_view text, const std::string& path) {
    const std::string_view body = text.substr(0, text.size() < tail ? 0 : text.size() - tail);
    const std::string expected =
        std::string(checksum_begin) + hexadecimal(checksum_of(body)) + std::string(checksum_end);
    if (text.size() >= tail && text.substr(body.size()) == expected) return {};
    return Error{ErrorKind::bad_input, "the index of the trace does not have the checksum that it was written with",
                 fmt::format("{}, offset {}", path, body.size()),
                 "the file was damaged, cut short or edited; capture it again"};
}

std::optional<std::uint64_t> read_checksum(const std::optional<std::string>& text) {
    std::uint64_t value = 0;
    if (!text || text->size() != digits) return std::nullopt;
    const auto [end, code] = std::from_chars(text->data(), text->data() + text->size(), value, 16);
    if (code != std::errc() || end != text->data() + text->size()) return std::nullopt;
    return value;
}

CopiedRange read_copied(const nlohmann::ordered_json& value, const std::string& pointer, JsonFaults& faults) {
    if (!value.is_array() || value.size() != 2) {
        faults.add(pointer, "is no pair of an address and a number of bytes");
        return {};
    }
    const auto number = [&](std::size_t at) {
        return static_cast<std::uint64_t>(
            read_json_integer(value[at], 0, largest, fmt::format("{}/{}", pointer, at), faults).value_or(0));
    };
    return {.address = number(0), .bytes = number(1)};
}

DealtFrom read_dealt_from(const nlohmann::ordered_json& value, const std::string& pointer, JsonFaults& faults) {
    JsonObjectReader reader(value, pointer, faults);
    DealtFrom from;
    from.gpc = static_cast<std::uint32_t>(reader.integer("gpc", 0, most_gpcs, Presence::required).value_or(0));
    from.first_sms = reader.boolean("first_sms", Presence::required).value_or(true);
    reader.finish();
    return from;
}

TracedLaunch read_launch(const nlohmann::ordered_json& value, const std::string& pointer, JsonFaults& faults) {
    JsonObjectReader reader(value, pointer, faults);
    TracedLaunch launch;
    launch.file = reader.text("file", Presence::required).value_or("");
    constexpr std::string_view in_no_name("/\0", 2);
    if (launch.file.find_first_of(in_no_name) != std::string::npos || launch.file.empty())
        faults.add(pointer + "/file", "is no name of a file in this folder");
    launch.kernel = reader.text("kernel", Presence::required).value_or("");
    const auto number = [&](const char* key) {
        return static_cast<std::uint64_t>(reader.integer(key, 0, largest, Presence::required).value_or(0));
    };
    launch.warp_instructions = number("warp_instructions");
    launch.clock_reads = number("clock_reads");
    launch.bytes = number("bytes");
    const auto checksum = read_checksum(reader.text("checksum", Presence::required));
    if (!checksum) faults.add(pointer + "/checksum", "is no checksum");
    launch.checksum = checksum.value_or(0);
    if (const auto* list = reader.member("copied", Presence::optional); list != nullptr) {
        if (!list->is_array()) faults.add(pointer + "/copied", "is no list");
        for (std::size_t i = 0; list->is_array() && i < list->size(); ++i)
            launch.copied.push_back(read_copied((*list)[i], fmt::format("{}/copied/{}", pointer, i), faults));
    }
    if (const auto* from = reader.member("dealt_from", Presence::optional); from != nullptr)
        launch.dealt_from = read_dealt_from(*from, pointer + "/dealt_from", faults);
    reader.finish();
    return launch;
}

Error no_index(const std::string& path) {
    switch (unfinished_trace(path)) {
        case UnfinishedTrace::none: break;
        case UnfinishedTrace::running:
            return {ErrorKind::bad_input, "a capture is writing to this folder", path, "wait until it ends"};
        case UnfinishedTrace::broken_off:
            return {ErrorKind::bad_input,
                    "the capture into this folder did not end: the index, which comes last, is missing", path,
                    "remove the folder and capture again"};
    }
    return {ErrorKind::bad_input, "this folder has no index.json", path,
            "give a folder that sassafras trace capture wrote"};
}

}  // namespace

std::string trace_file_name(std::size_t launch, std::string_view kernel) {
    constexpr std::size_t longest = 100;
    std::string name(kernel.substr(0, longest));
    for (char& c : name) {
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        if (!is_plain) c = '_';
    }
    return fmt::format("{:04}-{}.sft", launch, name);
}

Result<void> write_trace_folder(const TraceFolder& folder) {
    auto launches = nlohmann::ordered_json::array();
    for (const TracedLaunch& launch : folder.launches) {
        launches.push_back({{"file", launch.file},
                            {"kernel", launch.kernel},
                            {"warp_instructions", launch.warp_instructions},
                            {"clock_reads", launch.clock_reads},
                            {"bytes", launch.bytes},
                            {"checksum", hexadecimal(launch.checksum)}});
        auto copied = nlohmann::ordered_json::array();
        for (const CopiedRange& range : launch.copied)
            copied.push_back(nlohmann::ordered_json::array({range.address, range.bytes}));
        if (!copied.empty()) launches.back()["copied"] = std::move(copied);
        if (launch.dealt_from != DealtFrom{})
            launches.back()["dealt_from"] = {{"gpc", launch.dealt_from.gpc},
                                             {"first_sms", launch.dealt_from.first_sms}};
    }
    nlohmann::ordered_json index{
        {"sassafras_trace", index_version},
        {"workload", folder.workload},
        {"verified", folder.verified ? nlohmann::ordered_json(*folder.verified) : nlohmann::ordered_json(nullptr)}};
    if (folder.is_imported()) index["cannot_tell"] = folder.cannot_tell;
    index["launches"] = std::move(launches);
    std::string text = json_document(index);
    text.replace(text.size() - 3, 3, ",\n");  // the brace that closes it comes after the checksum
    text += std::string(checksum_begin) + hexadecimal(checksum_of(text)) + std::string(checksum_end);
    return write_output_file({index_of(folder.path), "the trace's index", "--output"}, text);
}

Result<TraceFolder> read_trace_folder(const std::string& path) {
    const std::string name = index_of(path);
    std::error_code failed;
    const auto found = std::filesystem::status(path, failed);
    if (!std::filesystem::exists(found))
        return Error{ErrorKind::bad_input, "there is no such folder", path,
                     "check its name; sassafras trace capture makes one"};
    if (!std::filesystem::is_directory(found))
        return Error{ErrorKind::bad_input, "this is a file, and a trace is a folder", path,
                     "give the folder that sassafras trace capture or trace import wrote"};
    if (!std::filesystem::exists(name, failed)) return no_index(path);
    if (auto regular = check_regular_file(name); !regular) return regular.error();
    const auto text = read_whole_text(name, most_json_bytes);
    if (!text) return text.error();
    if (auto checked = check(*text, name); !checked) return checked.error();
    JsonFaults faults(name);
    const auto json = parse_json(*text, faults);
    if (!json) return faults.error();
    JsonObjectReader reader(*json, "", faults);
    TraceFolder folder;
    folder.path = path;
    reader.integer("sassafras_trace", index_version, index_version, Presence::required);
    reader.text("checksum", Presence::required);
    if (const auto* verified = reader.member("verified", Presence::required); verified != nullptr) {
        if (verified->is_boolean()) folder.verified = verified->get<bool>();
        if (!verified->is_boolean() && !verified->is_null()) faults.add("/verified", "is neither true, false nor null");
    }
    if (const auto* list = reader.member("cannot_tell", Presence::optional); list != nullptr) {
        if (!list->is_array() || list->empty()) faults.add("/cannot_tell", "is no list of sentences");
        for (std::size_t i = 0; list->is_array() && i < list->size(); ++i)
            folder.cannot_tell.push_back(
                read_json_text((*list)[i], fmt::format("/cannot_tell/{}", i), faults).value_or(""));
    }
    if (const auto* workload = reader.member("workload", Presence::required)) {
        if (!workload->is_object()) faults.add("/workload", "is no object, and says of no workload what it was");
        folder.workload = *workload;
    }
    const auto* launches = reader.member("launches", Presence::required);
    if (launches != nullptr && launches->is_array()) {
        for (std::size_t i = 0; i < launches->size(); ++i)
            folder.launches.push_back(read_launch((*launches)[i], fmt::format("/launches/{}", i), faults));
    } else if (launches != nullptr) {
        faults.add("/launches", "is no list");
    }
    reader.finish();
    if (!faults.empty()) return faults.error();
    return folder;
}

}  // namespace sassafras::sim
