#include "study/compare/metric_unit.hpp"

#include <array>
#include <utility>

namespace sassafras::study {

namespace {

constexpr double ns_of_a_second = 1e9;

struct ScaledWord {
    std::string_view word;
    std::string_view base;
    double factor;
};

constexpr auto time_words = std::to_array<ScaledWord>({{"ns", "ns", 1},
                                                       {"nsecond", "ns", 1},
                                                       {"us", "ns", 1e3},
                                                       {"usecond", "ns", 1e3},
                                                       {"ms", "ns", 1e6},
                                                       {"msecond", "ns", 1e6},
                                                       {"s", "ns", ns_of_a_second},
                                                       {"second", "ns", ns_of_a_second}});

constexpr auto prefixes = std::to_array<std::pair<char, double>>({{'K', 1e3}, {'M', 1e6}, {'G', 1e9}, {'T', 1e12}});

BaseUnit base_word(std::string_view word) {
    for (const ScaledWord& time : time_words)
        if (time.word == word) return {std::string(time.base), time.factor};
    if (word.size() > 1)
        for (const auto& [prefix, factor] : prefixes)
            if (word.front() == prefix && (word.substr(1) == "byte" || word.substr(1) == "hz"))
                return {std::string(word.substr(1)), factor};
    return {std::string(word), 1};
}

}  // namespace

BaseUnit base_unit(std::string_view unit) {
    const std::size_t slash = unit.find('/');
    if (slash == std::string_view::npos) return base_word(unit);
    BaseUnit above = base_word(unit.substr(0, slash));
    BaseUnit below = base_word(unit.substr(slash + 1));
    if (below.unit == "ns") {  // rates are of a second
        below.factor /= ns_of_a_second;
        below.unit = "s";
    }
    const std::string rate = above.unit + "/" + below.unit;
    return {rate == "cycle/s" ? "hz" : rate, above.factor / below.factor};
}

}  // namespace sassafras::study
