#include "sim/timing/memory/memory_system.hpp"

#include <variant>

#include "sim/timing/memory/copy_into_l2.hpp"
#include "sim/timing/memory/memory_pipeline.hpp"

namespace sassafras::sim {

MemorySystem::MemorySystem(const Platform& platform)
    : state_(platform),
      translated_(platform),
      map_(make_policy<AddressMaps>(platform.l2.address_map, platform)),
      dram_(make_policy<DramSchedulers>(platform.dram.scheduler, platform)) {}

void MemorySystem::begin_launch(bool cold, bool keeps_all) {
    state_.begin_launch(cold, keeps_all);
    translated_.begin_launch(cold);
    std::visit([](auto& dram) { dram.clear(); }, dram_);
}

void MemorySystem::copy_in(std::uint64_t address, std::uint64_t bytes) {
    std::visit([&](const auto& map) { copy_into_l2(state_, map, address, bytes); }, map_);
}

void MemorySystem::process(const std::vector<MemoryRequest>& requests,
                           std::vector<std::vector<MemoryResponse>>& responses, std::uint64_t end) {
    for (auto& done : state_.stores_done) done.clear();
    answer(translated_.modelled() ? translated_.until(end, requests) : requests, responses);
}

void MemorySystem::answer(const std::vector<MemoryRequest>& requests,
                          std::vector<std::vector<MemoryResponse>>& responses) {
    // The policies are looked up once for all requests of a round.
    std::visit([&](const auto& map, auto& dram) { MemoryPipeline(state_, map, dram, responses).process(requests); },
               map_, dram_);
}

}  // namespace sassafras::sim
