#include "core/spelling.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace sassafras {

namespace {

// Longest first, so that "_bytes_per_cycle" is taken whole. A trailing unit is all that may differ.
constexpr std::array unit_suffixes = {
    std::string_view{"_bytes_per_cycle"},
    std::string_view{"_bits_per_cycle"},
    std::string_view{"_gb_per_s"},
    std::string_view{"_tb_per_s"},
    std::string_view{"_gib_per_s"},
    std::string_view{"_mb_per_s"},
    std::string_view{"_cycles"},
    std::string_view{"_clocks"},
    std::string_view{"_bytes"},
    std::string_view{"_bits"},
    std::string_view{"_kib"},
    std::string_view{"_mib"},
    std::string_view{"_gib"},
    std::string_view{"_mhz"},
    std::string_view{"_ghz"},
    std::string_view{"_khz"},
    std::string_view{"_kb"},
    std::string_view{"_mb"},
    std::string_view{"_gb"},
    std::string_view{"_ns"},
    std::string_view{"_us"},
    std::string_view{"_ms"},
    std::string_view{"_ps"},
    std::string_view{"_hz"},
    std::string_view{"_s"},
};

std::string_view without_unit(std::string_view name) {
    for (const std::string_view suffix : unit_suffixes)
        if (name.size() > suffix.size() && name.ends_with(suffix)) return name.substr(0, name.size() - suffix.size());
    return name;
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> two_up(b.size() + 1);
    std::vector<std::size_t> up(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) up[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substituted = up[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
            row[j] = std::min({up[j] + 1, row[j - 1] + 1, substituted});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], two_up[j - 2] + 1);
        }
        std::swap(two_up, up);
        std::swap(up, row);
    }
    return up[b.size()];
}

std::optional<Suggestion> suggest(std::string_view wrong, std::span<const std::string> known) {
    const std::string_view stem = without_unit(wrong);
    for (const std::string& name : known)
        if (name != wrong && without_unit(name) == stem) return Suggestion{name, true};

    for (const std::string& name : known)
        if (name != wrong && lower_case(name) == lower_case(wrong)) return Suggestion{name, false};

    const std::string* nearest = nullptr;
    std::size_t least = std::max<std::size_t>(1, wrong.size() / 4) + 1;
    for (const std::string& name : known) {
        const std::size_t distance = edit_distance(wrong, name);
        if (distance < least && distance < wrong.size()) {
            least = distance;
            nearest = &name;
        }
    }
    constexpr std::size_t telling_part = 3;
    if (nearest == nullptr && wrong.size() >= telling_part) {
        for (const std::string& name : known) {
            if (name.find(wrong) == std::string::npos) continue;
            if (nearest != nullptr) return std::nullopt;
            nearest = &name;
        }
    }
    if (nearest == nullptr) return std::nullopt;
    return Suggestion{*nearest, false};
}

std::string name_one_of(std::string_view wrong, std::span<const std::string> known) {
    if (known.empty()) return "there are none";
    constexpr std::size_t most_listed = 12;
    std::string text;
    if (const auto meant = suggest(wrong, known)) text = "did you mean \"" + meant->name + "\"? ";
    for (std::size_t i = 0; i < std::min(known.size(), most_listed); ++i)
        text += (i == 0 ? "there are " : ", ") + known[i];
    if (known.size() == 1) text.replace(text.rfind("there are "), 10, "there is only ");
    if (known.size() > most_listed) text += " and " + std::to_string(known.size() - most_listed) + " more";
    return text;
}

}  // namespace sassafras
