#include "sim/platform/platform_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/json_reader.hpp"
#include "core/spelling.hpp"
#include "core/whole_file.hpp"
#include "sim/platform/embedded_platforms.hpp"
#include "sim/platform/platform_constraints.hpp"
#include "sim/platform/unused_parameters.hpp"

namespace sassafras::sim {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 5> provenance_names = {"datasheet", "measured", "fitted", "assumed", "unused"};

/// What one file is to the parameters: whole platforms must give every one with its origin; derived ones may give any.
struct FileKind {
    bool whole = true;
    std::string override_source;  ///< source text of a plain value in a derived file
};

constexpr std::size_t most_bases = 16;  ///< one upon another; a chain that is longer is a mistake

struct Origin {
    Provenance provenance = Provenance::assumed;
    std::string source;
};

/// The two members that say where a value comes from. Empty after a fault.
std::optional<Origin> read_origin(JsonObjectReader& reader, JsonFaults& faults) {
    const auto provenance = reader.choice("provenance", provenance_names, Presence::required);
    auto source = reader.text("source", Presence::required);
    if (source && source->empty())
        faults.add(json_pointer(reader.pointer(), "source"), "empty; say where the value comes from");
    if (!provenance || !source) return std::nullopt;
    return Origin{static_cast<Provenance>(*provenance), *std::move(source)};
}

/// `inherited` of a platform or of one of its groups: the origin, here, of what comes from the base.
void read_inherited(JsonObjectReader& reader, const FileKind& kind, std::vector<ParameterOrigin>& origins,
                    JsonFaults& faults) {
    if (!reader.has("inherited")) return;
    const Json* value = reader.member("inherited", Presence::optional);
    const std::string pointer = json_pointer(reader.pointer(), "inherited");
    if (kind.whole) {
        faults.add(pointer, "there is no base to inherit from; name one as \"base\"");
        return;
    }
    JsonObjectReader inherited(*value, pointer, faults);
    if (!inherited.is_object()) return;
    const auto origin = read_origin(inherited, faults);
    inherited.finish();
    if (!origin) return;
    const std::string prefix = reader.pointer() + "/";
    for (ParameterOrigin& parameter : origins)
        if (parameter.pointer.starts_with(prefix)) {
            parameter.provenance = origin->provenance;
            parameter.source = origin->source;
        }
}

/// Reads one level of the parameters: visits a group of Platform beside the JSON object of the same name.
class ReadVisitor {
  public:
    ReadVisitor(JsonObjectReader& reader, const FileKind& kind, std::vector<ParameterOrigin>& origins,
                JsonFaults& faults)
        : reader_(&reader), kind_(&kind), origins_(&origins), faults_(&faults) {}

    template <class Group>
    void group(std::string_view key, Group& parameters) {
        const Json* value = reader_->member(key, presence());
        if (value == nullptr) return;
        JsonObjectReader inner_reader(*value, json_pointer(reader_->pointer(), key), *faults_);
        if (!inner_reader.is_object()) return;
        read_inherited(inner_reader, *kind_, *origins_, *faults_);
        ReadVisitor inner(inner_reader, *kind_, *origins_, *faults_);
        Group::visit(parameters, inner);
        inner_reader.finish();
    }

    void integer(std::string_view key, std::uint32_t& parameter, std::uint32_t low, std::uint32_t high,
                 std::string_view /*meaning*/) {
        const auto entry = read_entry(key);
        if (!entry) return;
        if (const auto value = read_json_integer(*entry->value, low, high, entry->value_pointer, *faults_))
            parameter = static_cast<std::uint32_t>(*value);
    }

    void integers(std::string_view key, std::vector<std::uint32_t>& parameter, std::uint32_t low, std::uint32_t high,
                  std::string_view /*meaning*/) {
        const auto entry = read_entry(key);
        if (!entry) return;
        if (!entry->value->is_array() || entry->value->empty()) {
            faults_->add(entry->value_pointer, "expected a list of integers");
            return;
        }
        std::vector<std::uint32_t> values;
        for (std::size_t i = 0; i < entry->value->size(); ++i) {
            const std::string pointer = json_pointer(entry->value_pointer, std::to_string(i));
            if (const auto value = read_json_integer((*entry->value)[i], low, high, pointer, *faults_))
                values.push_back(static_cast<std::uint32_t>(*value));
        }
        if (values.size() == entry->value->size()) parameter = std::move(values);
    }

    void number(std::string_view key, double& parameter, double low, double high, std::string_view /*meaning*/) {
        const auto entry = read_entry(key);
        if (!entry) return;
        if (const auto value = read_json_number(*entry->value, low, high, entry->value_pointer, *faults_))
            parameter = *value;
    }

    template <class Enum>
    void choice(std::string_view key, Enum& parameter,
                std::initializer_list<std::pair<std::string_view, std::type_identity_t<Enum>>> choices,
                std::string_view /*meaning*/) {
        const auto entry = read_entry(key);
        if (!entry) return;
        std::vector<std::string_view> names;
        for (const auto& [name, value] : choices) names.push_back(name);
        if (const auto index = read_json_choice(*entry->value, names, entry->value_pointer, *faults_))
            parameter = std::next(choices.begin(), static_cast<std::ptrdiff_t>(*index))->second;
    }

  private:
    struct Entry {
        const Json* value;
        std::string value_pointer;
    };

    [[nodiscard]] Presence presence() const { return kind_->whole ? Presence::required : Presence::optional; }

    /// Finds the value, and keeps its provenance and source.
    std::optional<Entry> read_entry(std::string_view key) {
        const Json* found = reader_->member(key, presence());
        if (found == nullptr) return std::nullopt;
        const std::string pointer = json_pointer(reader_->pointer(), key);
        if (!kind_->whole && !found->is_object()) {
            keep({pointer, Provenance::assumed, kind_->override_source});
            return Entry{found, pointer};
        }
        if (!found->is_object()) {
            faults_->add(
                pointer,
                "a whole platform gives each parameter as {\"value\": ..., \"provenance\": ..., \"source\": ...}");
            return std::nullopt;
        }
        JsonObjectReader entry(*found, pointer, *faults_);
        const Json* value = entry.member("value", presence());  // without one, the base's value has another origin here
        auto origin = read_origin(entry, *faults_);
        entry.finish();
        if (origin) keep({pointer, origin->provenance, std::move(origin->source)});
        if (value == nullptr) return std::nullopt;
        return Entry{value, json_pointer(pointer, "value")};
    }

    void keep(ParameterOrigin origin) {
        const auto place = std::find_if(origins_->begin(), origins_->end(),
                                        [&](const auto& other) { return other.pointer == origin.pointer; });
        if (place == origins_->end())
            origins_->push_back(std::move(origin));
        else
            *place = std::move(origin);
    }

    JsonObjectReader* reader_;
    const FileKind* kind_;
    std::vector<ParameterOrigin>* origins_;
    JsonFaults* faults_;
};

const EmbeddedPlatform* find_embedded(std::string_view name) {
    for (const EmbeddedPlatform& platform : embedded_platforms())
        if (platform.name == name) return &platform;
    return nullptr;
}

struct Document {
    std::string text;
    std::string origin;    ///< for errors; a path for files, so that bases beside it are found
    std::string identity;  ///< equal for two ways of naming the same file
};

Result<Document> open_document(std::string_view name, const std::filesystem::path& beside) {
    if (const EmbeddedPlatform* embedded = find_embedded(name))
        return Document{std::string(embedded->text), fmt::format("platform {}", name),
                        fmt::format("embedded:{}", name)};
    if (!means_file(name, beside))
        return Error{ErrorKind::bad_input, fmt::format("there is no platform named \"{}\"", name), "",
                     name_one_of(name, platform_names()) + ", and any .json file by its path"};
    const std::filesystem::path path = beside / std::filesystem::path(name);
    std::error_code failure;
    auto text = read_whole_text(path.string(), most_json_bytes);
    if (!text)
        return Error{ErrorKind::bad_input, "the platform file cannot be read: " + text.error().what, path.string(),
                     "give the path of a .json file"};
    return Document{std::move(*text), path.string(),
                    "file:" + std::filesystem::weakly_canonical(path, failure).string()};
}

/// Reads the document onto `resolved`; its base first. `chain` holds the identities of the documents that led here.
void resolve(const Document& document, std::vector<std::string> chain, ResolvedPlatform& resolved, JsonFaults& faults) {
    const std::optional<Json> json = parse_json(document.text, faults);
    if (!json) return;
    JsonObjectReader reader(*json, "", faults);
    if (!reader.is_object()) return;
    const std::optional<std::string> name = reader.text("name", Presence::required);
    if (name && name->empty()) faults.add("/name", "empty");
    (void)reader.text("description", Presence::optional);
    (void)reader.text("$schema", Presence::optional);

    FileKind kind{.whole = !reader.has("base"), .override_source = ""};
    kind.override_source = fmt::format("set by platform {}", name.value_or(""));
    chain.push_back(document.identity);
    if (const std::optional<std::string> base = reader.text("base", Presence::optional)) {
        auto base_document = open_document(*base, std::filesystem::path(document.origin).parent_path());
        if (!base_document) {
            faults.add("/base", base_document.error().message());
        } else if (std::find(chain.begin(), chain.end(), base_document->identity) != chain.end()) {
            faults.add("/base", fmt::format("\"{}\" is based on this platform itself; name a base that is not", *base));
        } else if (chain.size() > most_bases) {
            faults.add("/base", fmt::format("more than {} bases one upon another; name one of them that is nearer to "
                                            "a whole platform",
                                            most_bases));
        } else {
            if (base_document->identity.starts_with("file:")) resolved.base_files.push_back(base_document->origin);
            JsonFaults base_faults(base_document->origin);
            resolve(*base_document, chain, resolved, base_faults);
            resolved.bases.insert(resolved.bases.begin(), resolved.platform.name);
            faults.prepend(base_faults);
        }
    }
    if (name) resolved.platform.name = *name;
    read_inherited(reader, kind, resolved.parameters, faults);
    ReadVisitor visitor(reader, kind, resolved.parameters, faults);
    Platform::visit(resolved.platform, visitor);
    reader.finish();
}

/// What is assumed, of this platform or of its base, is a claim about the GPU only if it counts here.
void tell_unused_from_assumed(ResolvedPlatform& resolved) {
    for (ParameterOrigin& origin : resolved.parameters) {
        if (origin.provenance != Provenance::assumed && origin.provenance != Provenance::unused) continue;
        origin.provenance = is_unused(resolved.platform, origin.pointer) ? Provenance::unused : Provenance::assumed;
    }
}

Result<ResolvedPlatform> resolve_document(const Document& document) {
    ResolvedPlatform resolved;
    JsonFaults faults(document.origin);
    resolve(document, {}, resolved, faults);
    // A relation says nothing new when one of its numbers is not there or could not be read.
    const JsonFaults unreadable = faults;
    const auto was_read = [&](const std::string& pointer) {
        return !unreadable.touches(pointer) &&
               std::any_of(resolved.parameters.begin(), resolved.parameters.end(),
                           [&](const ParameterOrigin& parameter) { return parameter.pointer == pointer; });
    };
    for (BrokenConstraint& broken : broken_constraints(resolved.platform))
        if (std::all_of(broken.pointers.begin(), broken.pointers.end(), was_read))
            faults.add(broken.pointers.front(), std::move(broken.what));
    if (!faults.empty()) return faults.error();
    tell_unused_from_assumed(resolved);
    resolved.hash = platform_hash(resolved.platform);
    return resolved;
}

}  // namespace

std::string_view to_string(Provenance provenance) { return provenance_names.at(static_cast<std::size_t>(provenance)); }

Result<ResolvedPlatform> load_platform(std::string_view name_or_path) {
    auto document = open_document(name_or_path, {});
    if (!document) return document.error();
    return resolve_document(*document);
}

Result<ResolvedPlatform> parse_platform(std::string_view text, std::string_view origin) {
    return resolve_document({std::string(text), std::string(origin), fmt::format("text:{}", origin)});
}

std::vector<std::string> platform_names() {
    std::vector<std::string> names;
    for (const EmbeddedPlatform& platform : embedded_platforms()) names.emplace_back(platform.name);
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace sassafras::sim
