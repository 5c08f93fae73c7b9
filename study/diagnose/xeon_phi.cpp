#include "study/diagnose/xeon_phi.hpp"

#include <array>

namespace sassafras::study {

namespace {

using Number = std::optional<double>;

constexpr double thesis_threads = 224;  // 56 cores of 57, four threads each
constexpr double vector_bits = 512;
constexpr double single_bits = 32;
constexpr double in_percent = 100;

/// The events by name, and what is computed of them.
class Events {
  public:
    explicit Events(const NamedValues& values) : values_(&values) {}

    [[nodiscard]] Number operator[](std::string_view name) const {
        const auto found = values_->find(name);
        return found == values_->end() ? std::nullopt : Number(found->second);
    }
    [[nodiscard]] Number ratio(Number part, Number whole) const {
        return part && whole && *whole != 0 ? Number(*part / *whole) : std::nullopt;
    }
    [[nodiscard]] Number ratio(std::string_view part, std::string_view whole) const {
        return ratio((*this)[part], (*this)[whole]);
    }

  private:
    const NamedValues* values_;
};

constexpr std::string_view cycles = "CPU_CLK_UNHALTED";
constexpr std::string_view instructions = "INSTRUCTIONS_EXECUTED";
constexpr std::string_view elements = "VPU_ELEMENTS_ACTIVE";
constexpr std::string_view vector_instructions = "VPU_INSTRUCTIONS_EXECUTED";
constexpr std::string_view accesses = "DATA_READ_OR_WRITE";
constexpr std::string_view misses = "DATA_READ_MISS_OR_WRITE_MISS";

Number percent_of(Number part, Number whole) {
    return part && whole && *whole != 0 ? Number(in_percent * *part / *whole) : std::nullopt;
}

Number l1_hit_rate(const Events& events) {
    const Number missed = events[misses];
    const Number in_flight = events["L1_DATA_HIT_INFLIGHT_PF1"];
    const Number all = events[accesses];
    if (!missed || !in_flight || !all) return std::nullopt;
    return percent_of(*all - (*missed + *in_flight), all);
}

/// Cycles that are neither computing nor an access, for each miss of L1.
Number latency_impact(const Events& events) {
    const Number all = events[cycles];
    const Number computing = events["EXEC_STAGE_CYCLES"];
    const Number accessing = events[accesses];
    if (!all || !computing || !accessing) return std::nullopt;
    return events.ratio(*all - *computing - *accessing, events[misses]);
}

PhiFigure above(std::string_view name, std::string_view unit, Number value, Number threshold, std::string_view advice) {
    return {name, unit, value, threshold, value && threshold && *value > *threshold, "greater", advice};
}
PhiFigure below(std::string_view name, std::string_view unit, Number value, Number threshold, std::string_view advice) {
    return {name, unit, value, threshold, value && threshold && *value < *threshold, "less", advice};
}

}  // namespace

bool is_xeon_phi(const NamedValues& values) {
    return values.find(cycles) != values.end() && values.find(elements) != values.end();
}

std::vector<PhiFigure> phi_figures(const NamedValues& values) {
    const Events events(values);
    const Number clocks_a_thread = events.ratio(cycles, instructions);
    const double threads = events["threads"].value_or(thesis_threads);
    const double lanes = vector_bits / events["element_bits"].value_or(single_bits);
    const Number intensity = events.ratio(elements, vector_instructions);
    const Number l1_ratio = events.ratio(elements, accesses);
    const Number wanted_l2_ratio = l1_ratio ? Number(100 * *l1_ratio) : std::nullopt;
    const Number clocks_a_core = clocks_a_thread ? Number(*clocks_a_thread / threads) : std::nullopt;
    constexpr std::string_view locality =
        "any change of the program that improves locality; where L1 TLB misses a miss of L2's are many, larger pages";
    return {
        above("CPI of a thread", "", clocks_a_thread, 4, "look at what the core waits for: its working set is cached"),
        // The thesis divides by all threads of the machine (tables 3.18 and 6.19), not by those of a core.
        above("CPI of a core", "", clocks_a_core, 1, "compare, rather than decide, by it"),
        below("L1 compute to data access ratio", "", l1_ratio, intensity,
              "fewer accesses: fewer instructions in inner loops, no conditions or initialisation there"),
        below("L2 compute to data access ratio", "", events.ratio(elements, misses), wanted_l2_ratio,
              "locality for L1: blocks that fit, or code that the compiler can make more of"),
        below("vectorisation intensity", "", intensity, lanes,
              "look at the vectorisation report for dependences, strides and indirection"),
        below("memory bandwidth", "GB/s", events["memory_gb_per_s"], 80, "more of memory's bandwidth is there to use"),
        below("L1 hit rate", "%", l1_hit_rate(events), 95,
              "blocks that fit, prefetches, aligned data, streaming stores"),
        above("estimated latency impact", "cycle", latency_impact(events), 145,
              "most misses of L1 miss L2 as well: pad data, keep it aligned, or change the stride"),
        above("L1 TLB miss ratio", "%", percent_of(events["DATA_PAGE_WALK"], events[accesses]), 1, locality),
        above("L2 TLB miss ratio", "%", percent_of(events["LONG_DATA_PAGE_WALK"], events[accesses]), 0.1, locality),
        {"L1 TLB misses a miss of L2's", "", events.ratio("DATA_PAGE_WALK", "LONG_DATA_PAGE_WALK"), std::nullopt, false,
         "", "near 1: large pages would not help"},
    };
}

}  // namespace sassafras::study
