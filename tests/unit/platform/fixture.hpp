// A whole platform as JSON that a test may break in one place or several.
#pragma once

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/platform/platform_reader.hpp"
#include "tests/fixture_platform.hpp"

namespace sassafras::sim::test {

using Json = nlohmann::ordered_json;

/// Every parameter of fixture_platform(), made without the code under test's writer.
class WholePlatform {
  public:
    WholePlatform() {
        json["name"] = "test";
        Level level{&json};
        const Platform platform = fixture_platform();
        Platform::visit(platform, level);
    }
    [[nodiscard]] Json& at(const std::string& pointer) { return json[Json::json_pointer(pointer)]; }
    [[nodiscard]] Result<ResolvedPlatform> parse() const { return parse_platform(json.dump(), "test.json"); }

    Json json;

  private:
    struct Level {
        Json* object;
        template <class Group>
        void group(const char* key, const Group& parameters) {
            Level inner{&(*object)[key]};
            Group::visit(parameters, inner);
        }
        void put(const char* key, Json value) {
            (*object)[key] = Json{{"value", std::move(value)}, {"provenance", "assumed"}, {"source", "test"}};
        }
        template <class Low, class High>
        void integer(const char* key, std::uint32_t value, Low, High, const char*) {
            put(key, value);
        }
        template <class Low, class High>
        void integers(const char* key, const std::vector<std::uint32_t>& values, Low, High, const char*) {
            put(key, values);
        }
        template <class Low, class High>
        void number(const char* key, double value, Low, High, const char*) {
            put(key, value);
        }
        template <class Enum>
        void choice(std::string_view key, Enum value,
                    std::initializer_list<std::pair<std::string_view, std::type_identity_t<Enum>>> names,
                    std::string_view) {
            for (const auto& [name, candidate] : names)
                if (candidate == value) put(std::string(key).c_str(), std::string(name));
        }
    };
};

/// A folder that goes away with the test.
class Folder {
  public:
    explicit Folder(const std::string& name)
        : path_(std::filesystem::temp_directory_path() / ("sassafras-test-" + name)) {
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path_); }
    std::string write(const std::string& file, const std::string& text) const {
        std::ofstream(path_ / file) << text;
        return (path_ / file).string();
    }

  private:
    std::filesystem::path path_;
};

/// The text of the error; the parse must fail.
inline std::string fault_text(const Result<ResolvedPlatform>& result) {
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().kind == ErrorKind::bad_input);
    return result.error().message();
}

}  // namespace sassafras::sim::test
