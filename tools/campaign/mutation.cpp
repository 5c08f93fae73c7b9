#include "tools/campaign/mutation.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/json_text.hpp"

namespace sassafras::campaign {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::uint64_t, 18> numbers = {0,
                                                   1,
                                                   2,
                                                   7,
                                                   15,
                                                   16,
                                                   127,
                                                   128,
                                                   255,
                                                   0x7fff,
                                                   0xffff,
                                                   0x3a10,
                                                   0x7fffffff,
                                                   0x80000000,
                                                   0xffffffff,
                                                   0x100000000,
                                                   0x7fffffffffffffff,
                                                   0xffffffffffffffff};
constexpr std::array<std::string_view, 16> words = {"0",
                                                    "1",
                                                    "-1",
                                                    "2",
                                                    "33",
                                                    "1024",
                                                    "65536",
                                                    "4294967295",
                                                    "4294967296",
                                                    "9223372036854775807",
                                                    "18446744073709551616",
                                                    "1e999",
                                                    "0.5",
                                                    "-0",
                                                    "nan",
                                                    "0xffffffffffffffff"};

/// How many damages: half of the inputs have one alone, which gets further before it is refused.
std::uint64_t damages(std::uint64_t most, SplitMix64& random) {
    return below(random, 2) == 0 ? 1 : 1 + below(random, most);
}

std::size_t place_in(const Bytes& bytes, SplitMix64& random) { return below(random, bytes.size()); }

/// A short stretch from `at` on.
std::size_t stretch(const Bytes& bytes, std::size_t at, SplitMix64& random) {
    const std::size_t most = below(random, 4) == 0 ? bytes.size() : 64;
    return std::min(bytes.size() - at, 1 + below(random, most));
}

void replace_number(Bytes& bytes, SplitMix64& random) {
    const std::size_t size = std::size_t{1} << below(random, 4);
    if (bytes.size() < size) return;
    std::size_t at = below(random, bytes.size() - size + 1);
    if (below(random, 2) == 0) at -= at % size;
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, size);
    switch (below(random, 3)) {
        case 0: value = numbers[below(random, numbers.size())]; break;
        case 1: value += below(random, 33) - 16; break;
        default: value ^= std::uint64_t{1} << below(random, 8 * size);
    }
    std::memcpy(bytes.data() + at, &value, size);
}

void damage_once(Bytes& bytes, std::span<const Bytes> others, SplitMix64& random) {
    if (bytes.empty()) {
        bytes = others[below(random, others.size())];
        return;
    }
    const std::size_t at = place_in(bytes, random);
    switch (below(random, 10)) {
        case 0: bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(random, 8)); break;
        case 1: bytes[at] = static_cast<char>(random.next()); break;
        case 2: bytes.resize(at); break;
        case 3: bytes.erase(at, stretch(bytes, at, random)); break;
        case 4: bytes.insert(place_in(bytes, random), bytes.substr(at, stretch(bytes, at, random))); break;
        case 5: {
            const Bytes copied = bytes.substr(at, stretch(bytes, at, random));
            const std::size_t to = below(random, bytes.size() - copied.size() + 1);
            bytes.replace(to, copied.size(), copied);
            break;
        }
        case 6: {
            const Bytes& other = others[below(random, others.size())];
            if (other.empty()) break;
            const std::size_t from = place_in(other, random);
            bytes.replace(at, std::min(bytes.size() - at, other.size() - from), other, from,
                          stretch(other, from, random));
            break;
        }
        default: replace_number(bytes, random);
    }
}

std::vector<std::pair<std::size_t, std::size_t>> runs_of_digits(const Bytes& text) {
    std::vector<std::pair<std::size_t, std::size_t>> runs;
    constexpr std::string_view digits = "0123456789";
    for (std::size_t at = text.find_first_of(digits); at != Bytes::npos; at = text.find_first_of(digits, at)) {
        const std::size_t end = std::min(text.find_first_not_of(digits, at), text.size());
        runs.emplace_back(at, end - at);
        at = end;
    }
    return runs;
}

void damage_a_line(Bytes& text, std::span<const Bytes> others, SplitMix64& random) {
    if (text.empty()) return damage_once(text, others, random);
    const auto line_at = [](const Bytes& all, std::size_t at) {
        const std::size_t before = at == 0 ? Bytes::npos : all.rfind('\n', at - 1);
        const std::size_t begin = before == Bytes::npos ? 0 : before + 1;
        return std::pair{begin, std::min(all.find('\n', begin), all.size() - 1) + 1 - begin};
    };
    const auto [begin, size] = line_at(text, place_in(text, random));
    const Bytes& other = others[below(random, others.size())];
    switch (below(random, 3)) {
        case 0: text.erase(begin, size); break;
        case 1: text.insert(begin, text.substr(begin, size)); break;
        default:
            if (other.empty()) return;
            const auto [from, length] = line_at(other, place_in(other, random));
            text.replace(begin, below(random, 2) == 0 ? size : 0, other, from, length);
    }
}

Json some_value(SplitMix64& random) {
    switch (below(random, 10)) {
        case 0: return nullptr;
        case 1: return below(random, 2) == 0;
        case 2: return Json::array();
        case 3: return Json::object();
        case 4: return "";
        case 5: return Bytes(1 + below(random, 40), static_cast<char>('!' + below(random, 90)));
        case 6: return -1;
        case 7: return 1e308;
        case 8: return static_cast<double>(below(random, 1000)) / 8;
        default: return numbers[below(random, numbers.size())];
    }
}

}  // namespace

void damage_bytes(Bytes& bytes, std::span<const Bytes> others, SplitMix64& random) {
    for (std::uint64_t left = damages(8, random); left != 0; --left) damage_once(bytes, others, random);
}

void damage_text(Bytes& text, std::span<const Bytes> others, SplitMix64& random) {
    for (std::uint64_t left = damages(4, random); left != 0; --left) {
        const auto runs = runs_of_digits(text);
        const std::uint64_t how = below(random, 8);
        if (how < 4 && !runs.empty()) {
            const auto [at, size] = runs[below(random, runs.size())];
            text.replace(at, size, words[below(random, words.size())]);
        } else if (how < 6) {
            damage_a_line(text, others, random);
        } else {
            damage_once(text, others, random);
        }
    }
}

void damage_json(Bytes& text, std::span<const Bytes> others, SplitMix64& random) {
    Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded() || below(random, 4) == 0) return damage_text(text, others, random);
    for (std::uint64_t left = damages(3, random); left != 0; --left) {
        std::vector<Json*> values;
        const auto collect = [&](const auto& again, Json& value) -> void {
            values.push_back(&value);
            if (value.is_structured())
                for (Json& inner : value) again(again, inner);
        };
        collect(collect, json);
        Json& chosen = *values[below(random, values.size())];
        switch (below(random, 4)) {
            case 0: {
                Json copy = *values[below(random, values.size())];
                chosen = std::move(copy);
                break;
            }
            case 1:
                if (chosen.is_structured() && !chosen.empty()) {
                    chosen.erase(std::next(chosen.begin(), static_cast<std::ptrdiff_t>(below(random, chosen.size()))));
                    break;
                }
                [[fallthrough]];
            default: chosen = some_value(random);
        }
    }
    text = json_document(json);
}

}  // namespace sassafras::campaign
