#include "validate/models/rivals/memory_machines.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace sassafras::validate::rivals {

double dmm_slots(std::span<const std::uint64_t> addresses, std::uint64_t width) {
    std::map<std::uint64_t, std::set<std::uint64_t>> words;  // by bank
    for (const std::uint64_t address : addresses) words[address % width].insert(address);
    std::size_t fullest = 0;
    for (const auto& [bank, inside] : words) fullest = std::max(fullest, inside.size());
    return static_cast<double>(fullest);
}

double umm_slots(std::span<const std::uint64_t> addresses, std::uint64_t width) {
    std::set<std::uint64_t> groups;
    for (const std::uint64_t address : addresses) groups.insert(address / width);
    return static_cast<double>(groups.size());
}

double memory_machine(double slots, double rounds, double latency) { return slots + rounds * (latency - 1); }

double memory_machine_sum(double items, double threads, double width, double latency) {
    return items / width + items * latency / threads + latency * (items > 1 ? std::log2(items) : 0);
}

double dmm_of(const LaunchView& view) {
    return memory_machine(view.launch.shared_wavefronts / view.active_sms,
                          view.a_warp(view.launch.shared) * view.turns(), view.shared_latency);
}

double umm_of(const LaunchView& view) {
    return memory_machine(view.blocks_moved(), view.a_warp(view.launch.global) * view.turns(), view.global_latency);
}

std::vector<Part> hmm_of(const LaunchView& view) { return {{"shared", dmm_of(view)}, {"global", umm_of(view)}}; }

}  // namespace sassafras::validate::rivals
