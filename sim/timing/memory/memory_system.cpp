#include "sim/timing/memory/memory_system.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <variant>

#include "core/home_queues.hpp"
#include "sim/timing/memory/copy_into_l2.hpp"
#include "sim/timing/memory/memory_pipeline.hpp"

namespace sassafras::sim {

namespace {

/// By slice's number in its partition: a number, from 0 on, that two have in common if they share something. A line's
/// slices in all partitions do, and slices before the same channel.
template <class Map>
std::vector<std::uint32_t> sharing(const Map& map, const Platform& platform) {
    const std::uint32_t partitions = platform.l2.partitions;
    std::vector<std::uint32_t> number(platform.l2.slices / partitions);
    std::iota(number.begin(), number.end(), 0U);
    const auto join = [&](std::uint32_t kept, std::uint32_t gone) {
        std::replace(number.begin(), number.end(), gone, kept);
    };
    std::vector<std::uint32_t> first_of_channel(platform.dram.channels, ~std::uint32_t{0});
    for (std::uint32_t slice = 0; slice < platform.l2.slices; ++slice) {
        std::uint32_t& first = first_of_channel[map.channel(slice)];
        if (first == ~std::uint32_t{0}) first = slice / partitions;
        join(number[first], number[slice / partitions]);
    }
    std::vector<std::uint32_t> distinct = number;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (std::uint32_t& one : number)
        one = static_cast<std::uint32_t>(std::lower_bound(distinct.begin(), distinct.end(), one) - distinct.begin());
    return number;
}

ReadCoalescer no_coalescer(Platform platform) {
    platform.l2.coalescing_cycles = 0;
    return {platform, 1, 1};
}

}  // namespace

MemorySystem::MemorySystem(const Platform& platform)
    : state_(platform),
      no_coalescer_(no_coalescer(platform)),
      translated_(platform),
      map_(make_policy<AddressMaps>(platform.l2.address_map, platform)),
      dram_(make_policy<DramSchedulers>(platform.dram.scheduler, platform)) {
    divide(1);
}

void MemorySystem::divide(std::size_t most_shards) {
    shard_of_slice_ = std::visit([&](const auto& map) { return sharing(map, state_.platform); }, map_);
    const std::size_t parts = *std::max_element(shard_of_slice_.begin(), shard_of_slice_.end()) + std::size_t{1};
    const std::size_t count = std::min(parts, most_shards);
    for (std::uint32_t& shard : shard_of_slice_) shard = static_cast<std::uint32_t>(shard * count / parts);
    shards_.resize(count, MemoryShard(state_.platform.gpu.sm_count, state_.placement.gpcs()));
}

void MemorySystem::begin_launch(bool cold, bool keeps_all, std::size_t most_shards, WorkerPool* pool,
                                std::uint64_t blocks, const DealtFrom& from) {
    state_.placement = SmPlacement(state_.platform, blocks, from);
    divide(most_shards);
    for (MemoryShard& shard : shards_) shard.begin_launch();
    state_.begin_launch(keeps_all);
    const auto slices = static_cast<std::uint32_t>(state_.tags.size());
    const auto begin_slice = [&](std::uint32_t slice, std::uint32_t) { state_.begin_slice(slice, cold); };
    WorkerPool own(1);
    HomeQueues(pool == nullptr ? 1 : pool->size()).run(pool == nullptr ? own : *pool, slices, begin_slice);
    translated_.begin_launch(cold);
    round_begin_ = 0;
    std::visit([](auto& dram) { dram.clear(); }, dram_);
}

void MemorySystem::copy_in(std::uint64_t address, std::uint64_t bytes) {
    std::visit([&](const auto& map) { copy_into_l2(state_, map, address, bytes); }, map_);
}

void MemorySystem::leave_untimed(std::span<const UntimedTurn> turns, std::size_t together, WorkerPool& pool) {
    // Groups of turns are sorted by shard, then shards take theirs of all groups in order.
    const std::size_t groups = (turns.size() + together - 1) / together;
    std::vector<std::vector<std::vector<MemoryRequest>>> requests(shards_.size());
    for (auto& of_shard : requests) of_shard.resize(groups);
    HomeQueues queues(pool.size());
    queues.run(pool, static_cast<std::uint32_t>(groups), [&](std::uint32_t group, std::uint32_t) {
        const std::size_t first = group * together;
        const auto of_group = turns.subspan(first, std::min(together, turns.size() - first));
        std::size_t most = 0;
        for (const UntimedTurn& turn : of_group) most = std::max(most, turn.accesses.size());
        std::visit(
            [&](const auto& map) {
                for (std::size_t at = 0; at < most; ++at) {
                    for (const UntimedTurn& turn : of_group) {
                        if (at >= turn.accesses.size() || turn.accesses[at].sectors == 0) continue;
                        const UntimedAccess& access = turn.accesses[at];
                        requests[shard_of_slice_[map.slice_of_partition(access.line)]][group].push_back(
                            access.request(turn.sm, round_begin_));
                    }
                }
            },
            map_);
    });
    // What has to do with time is as it was before.
    const SlicePorts slices = state_.slices;
    std::swap(state_.coalescer, no_coalescer_);
    queues.run(pool, static_cast<std::uint32_t>(shards_.size()),
               [&](std::uint32_t shard, std::uint32_t) { leave_in_shard(requests[shard]); });
    state_.slices = slices;
    std::swap(state_.coalescer, no_coalescer_);
    for (SectoredCache& tags : state_.tags) tags.settle();
}

void MemorySystem::leave_in_shard(std::span<const std::vector<MemoryRequest>> requests) {
    constexpr std::size_t at_a_time = 1024;
    MemoryShard told_nobody(state_.platform.gpu.sm_count, state_.placement.gpcs());
    UntimedDram dram;
    std::vector<const MemoryRequest*> order;
    for (const std::vector<MemoryRequest>& of_piece : requests) {
        for (std::size_t at = 0; at < of_piece.size(); at += at_a_time) {
            order.clear();
            for (std::size_t i = at; i < std::min(at + at_a_time, of_piece.size()); ++i) order.push_back(&of_piece[i]);
            told_nobody.begin_round();
            std::visit([&](const auto& map) { MemoryPipeline(state_, told_nobody, map, dram).process(order); }, map_);
        }
    }
}

void MemorySystem::begin_round(std::uint64_t first) {
    round_begin_ = first;
    for (MemoryShard& shard : shards_) {
        for (std::uint32_t gpc = 0; gpc < shard.gpc_bytes.size(); ++gpc) state_.ports.add(gpc, shard.gpc_bytes[gpc]);
        std::fill(shard.gpc_bytes.begin(), shard.gpc_bytes.end(), 0);
    }
    state_.ports.begin_round(first);
    std::visit([&](auto& dram) { dram.advance(first); }, dram_);
}

void MemorySystem::shards_of(std::span<const MemoryRequest> requests, std::vector<std::uint32_t>& shards) const {
    std::visit(
        [&](const auto& map) {
            for (const MemoryRequest& request : requests)
                shards.push_back(shard_of_slice_[map.slice_of_partition(request.line)]);
        },
        map_);
}

void MemorySystem::answer(std::size_t shard, std::span<const MemoryRequest* const> requests) {
    shards_[shard].begin_round();
    // The policies are looked up once for all requests of a round.
    std::visit(
        [&](const auto& map, auto& dram) { MemoryPipeline(state_, shards_[shard], map, dram).process(requests); }, map_,
        dram_);
}

const std::vector<MemoryRequest>& MemorySystem::translate(const std::vector<MemoryRequest>& requests,
                                                          std::uint64_t end) {
    return translated_.until(end, requests);
}

void MemorySystem::process(const std::vector<MemoryRequest>& requests,
                           std::vector<std::vector<MemoryResponse>>& responses, std::uint64_t end) {
    std::vector<const MemoryRequest*> order;
    for (const MemoryRequest& request : translates() ? translate(requests, end) : requests) order.push_back(&request);
    if (!order.empty()) begin_round(order.front()->time);
    answer(0, order);
    for (std::size_t sm = 0; sm < responses.size(); ++sm) {
        const auto& answers = shards_.front().responses[sm];
        responses[sm].insert(responses[sm].end(), answers.begin(), answers.end());
    }
}

MetricCounts MemorySystem::counters() const {
    MetricCounts sum;
    for (const MemoryShard& shard : shards_) sum += shard.counters;
    return sum;
}

L2Traffic MemorySystem::traffic() const {
    L2Traffic sum;
    for (const MemoryShard& shard : shards_) sum.add(shard.traffic);
    for (std::size_t slice = 0; slice < state_.tags.size(); ++slice)
        sum.lines += state_.tags[slice].used() - state_.used_before[slice];
    return sum;
}

std::uint64_t MemorySystem::drained() const {
    std::uint64_t last = 0;
    for (const MemoryShard& shard : shards_) last = std::max(last, shard.drained);
    return last;
}

}  // namespace sassafras::sim
