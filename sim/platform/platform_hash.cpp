#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/hash.hpp"
#include "core/json_reader.hpp"
#include "sim/platform/platform_reader.hpp"

namespace sassafras::sim {

namespace {

/// One "pointer=value" line a parameter.
class CanonicalVisitor {
  public:
    explicit CanonicalVisitor(std::string prefix, std::vector<std::string>& lines)
        : prefix_(std::move(prefix)), lines_(&lines) {}

    template <class Group>
    void group(std::string_view key, const Group& parameters) {
        CanonicalVisitor inner(json_pointer(prefix_, key), *lines_);
        Group::visit(parameters, inner);
    }
    void integer(std::string_view key, std::uint32_t value, std::uint32_t /*low*/, std::uint32_t /*high*/,
                 std::string_view /*meaning*/) {
        lines_->push_back(fmt::format("{}={}\n", json_pointer(prefix_, key), value));
    }
    void integers(std::string_view key, const std::vector<std::uint32_t>& values, std::uint32_t /*low*/,
                  std::uint32_t /*high*/, std::string_view /*meaning*/) {
        lines_->push_back(fmt::format("{}={}\n", json_pointer(prefix_, key), fmt::join(values, ",")));
    }
    void number(std::string_view key, double value, double /*low*/, double /*high*/, std::string_view /*meaning*/) {
        lines_->push_back(fmt::format("{}={}\n", json_pointer(prefix_, key), value));
    }
    template <class Enum>
    void choice(std::string_view key, const Enum& value,
                std::initializer_list<std::pair<std::string_view, std::type_identity_t<Enum>>> choices,
                std::string_view /*meaning*/) {
        for (const auto& [name, candidate] : choices)
            if (candidate == value) lines_->push_back(fmt::format("{}={}\n", json_pointer(prefix_, key), name));
    }

  private:
    std::string prefix_;
    std::vector<std::string>* lines_;
};

}  // namespace

std::string platform_hash(const Platform& platform) {
    std::vector<std::string> lines;
    CanonicalVisitor visitor("", lines);
    Platform::visit_machine(platform, visitor);
    std::sort(lines.begin(), lines.end());
    return fmt::format("{:016x}", fnv1a_64(fmt::format("{}", fmt::join(lines, ""))));
}

}  // namespace sassafras::sim
