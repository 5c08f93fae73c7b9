#include "sim/timing/memory/memory_system.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace sassafras::sim {

namespace {

/// Time that a byte takes, in 2^-20 cycles.
std::uint64_t cost(double bytes_per_cycle) {
    return std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::llround(static_cast<double>(1ULL << 20U) / bytes_per_cycle)));
}

/// Where a line lives. The real hash is not published; any that spreads lines evenly over slices for every stride will
/// do.
std::uint64_t mix(std::uint64_t line) {
    line ^= line >> 17U;
    line *= 0xed5ad4bbac4c1b51ULL;
    line ^= line >> 29U;
    line *= 0x31848babac4c1b51ULL;
    return line ^ (line >> 32U);
}

/// When a request that was served at `served` has all its sectors: those on their way come at line.ready.
std::uint64_t arrived(SectoredCache::Line& line, std::uint32_t sectors, std::uint64_t served) {
    if ((line.pending & sectors) == 0) return served;
    if (line.ready > served) return line.ready;
    line.pending = 0;
    return served;
}

}  // namespace

/// Banks are refreshed in turn, each at a time of its own, and answer nothing meanwhile. A row stands for its bank; a
/// hash of it gives the time, so that it is reproducible, and the same on platforms that differ elsewhere.
std::uint64_t MemorySystem::refresh_wait(std::uint64_t row, std::uint64_t time) const {
    const std::uint64_t interval = platform_.dram.refresh_interval_cycles;
    if (interval == 0) return 0;
    const std::uint64_t since = (time + mix(row)) % interval;
    const std::uint64_t busy = platform_.dram.refresh_cycles;
    return since < busy ? busy - since : 0;
}

/// Rows take turns over a region, each group of granules in an order of its own: a stride of a group must not meet one
/// row only (load cold, lines=32, spacing=8192: as many rows as hashing gives).
std::uint64_t MemorySystem::row_of(std::uint64_t address) const {
    const DramParameters& dram = platform_.dram;
    const std::uint64_t granule = address / dram.row_interleave_bytes;
    const std::uint64_t turn = (granule + mix(granule / dram.interleaved_rows)) % dram.interleaved_rows;
    return address / dram.row_region_bytes * dram.interleaved_rows + turn;
}

MemorySystem::MemorySystem(const Platform& platform) : platform_(platform) {
    const L2Parameters& l2 = platform.l2;
    base_round_trip_ = l2.hit_latency_cycles > platform.lsu.l1_hit_latency_cycles
                           ? l2.hit_latency_cycles - platform.lsu.l1_hit_latency_cycles
                           : 1;
    one_way_ = base_round_trip_ / 2;
    slice_cost_ = cost(l2.slice_bytes_per_cycle);
    const double bytes_per_cycle =
        platform.dram.bandwidth_gb_per_s * 1e3 / platform.clock.sm_mhz / platform.dram.channels;
    channel_read_cost_ = cost(bytes_per_cycle * platform.dram.efficiency);
    channel_write_cost_ = cost(bytes_per_cycle * platform.dram.write_efficiency);
    return_cost_ = cost(platform.lsu.return_bytes_per_cycle);
    const std::uint64_t lines = l2.bytes / platform.lsu.l1_line_bytes / l2.slices;
    tags_.assign(l2.slices, SectoredCache(lines, l2.ways));
    slice_free_.assign(l2.slices, 0);
    channel_free_.assign(platform.dram.channels, 0);
    return_free_.assign(platform.gpu.sm_count, 0);
    stores_done_.resize(platform.gpu.sm_count);
}

void MemorySystem::begin_launch(bool cold) {
    for (SectoredCache& tags : tags_) {
        if (cold)
            tags.clear();
        else
            tags.settle();
    }
    std::fill(slice_free_.begin(), slice_free_.end(), 0);
    std::fill(channel_free_.begin(), channel_free_.end(), 0);
    std::fill(return_free_.begin(), return_free_.end(), 0);
    counters_ = {};
    drained_ = 0;
}

std::uint64_t MemorySystem::slice_access(std::uint32_t slice, std::uint64_t arrival, std::uint64_t bytes) {
    std::uint64_t& free = slice_free_[slice];
    const std::uint64_t start = std::max(free, arrival * fraction);
    free = start + bytes * slice_cost_;
    return start / fraction;
}

/// `cost`: how long the channel is busy, in 2^-20 cycles.
std::uint64_t MemorySystem::dram_access(std::uint32_t slice, std::uint64_t time, std::uint64_t cost) {
    std::uint64_t& free = channel_free_[slice % platform_.dram.channels];
    const std::uint64_t start = std::max(free, time * fraction);
    free = start + cost;
    return free / fraction + platform_.dram.latency_cycles;
}

void MemorySystem::write_back(const SectoredCache::Line& victim, std::uint32_t slice, std::uint64_t time) {
    if (victim.tag == SectoredCache::empty || victim.dirty == 0) return;
    const auto bytes = static_cast<std::uint64_t>(std::popcount(victim.dirty)) * platform_.lsu.sector_bytes;
    counters_["dram__bytes_write.sum"_metric] += bytes;
    drained_ = std::max(drained_, dram_access(slice, time, bytes * channel_write_cost_));
}

/// The partition whose memory a line is in. Consecutive granules take turns in an order that no stride meets (on an
/// H200 near and far follow one another as N F F N N F F N F N N F F N N F ...).
std::uint32_t MemorySystem::home_partition(std::uint64_t line) const {
    const std::uint64_t granule = line * platform_.lsu.l1_line_bytes / platform_.l2.partition_granule_bytes;
    const std::uint32_t partitions = platform_.l2.partitions;
    if (partitions == 1) return 0;
    if (partitions == 2) return static_cast<std::uint32_t>(std::popcount(granule)) & 1U;
    return static_cast<std::uint32_t>(mix(granule) % partitions);
}

SectoredCache::Line& MemorySystem::find_or_allocate(std::uint32_t slice, std::uint64_t line, std::uint64_t time) {
    if (SectoredCache::Line* found = tags_[slice].find(line)) return *found;
    SectoredCache::Line victim;
    SectoredCache::Line* taken = tags_[slice].allocate(line, victim);
    write_back(victim, slice, time);
    return *taken;
}

/// Brings missing sectors into a line of the slice that its memory belongs to, whole granules at a time.
void MemorySystem::fetch(SectoredCache::Line& line, std::uint32_t missing, std::uint32_t home, std::uint64_t time) {
    const std::uint32_t sector_bytes = platform_.lsu.sector_bytes;
    const std::uint32_t granule = std::max<std::uint32_t>(1, platform_.dram.access_bytes / sector_bytes);
    std::uint32_t fetched = 0;
    for (std::uint32_t first = 0; first < 32; first += granule) {
        const std::uint32_t mask = (granule >= 32 ? ~0U : ((1U << granule) - 1U)) << first;
        if ((missing & mask) != 0) fetched |= mask;
    }
    const std::uint32_t sectors = platform_.lsu.l1_line_bytes / sector_bytes;
    fetched &= (sectors >= 32 ? ~0U : (1U << sectors) - 1U) & ~line.valid;
    const auto bytes = static_cast<std::uint64_t>(std::popcount(fetched)) * sector_bytes;
    counters_["dram__bytes_read.sum"_metric] += bytes;
    const std::uint64_t wait = refresh_wait(row_of(line.tag * platform_.lsu.l1_line_bytes), time);
    line.ready = std::max(line.ready, dram_access(home, time, bytes * channel_read_cost_) + wait);
    line.valid |= fetched;
    line.pending |= fetched;
}

/// Copies that partitions have of a line are old now, but in `kept` and `home`. `first` is its slice in partition 0.
void MemorySystem::forget_copies(std::uint64_t line, std::uint32_t sectors, std::uint32_t first, std::uint32_t kept,
                                 std::uint32_t home) {
    for (std::uint32_t partition = 0; partition < platform_.l2.partitions; ++partition) {
        if (partition == kept || partition == home) continue;
        if (SectoredCache::Line* copy = tags_[first + partition].find(line)) copy->valid &= ~sectors;
    }
}

void MemorySystem::process(const std::vector<MemoryRequest>& requests,
                           std::vector<std::vector<MemoryResponse>>& responses) {
    const L2Parameters& l2 = platform_.l2;
    const std::uint32_t sector_bytes = platform_.lsu.sector_bytes;
    const std::uint64_t partition_slices = l2.slices / l2.partitions;
    // As many neighbouring lines as a partition has slices lie in as many slices, in an order that differs from one
    // such group to the next.
    const auto slice_of = [&](std::uint64_t line, std::uint32_t partition) {
        const std::uint64_t turn = (mix(line / partition_slices) & 0xffffffffU) * partition_slices >> 32U;
        const std::uint64_t slice = line % partition_slices + turn;
        return static_cast<std::uint32_t>(slice < partition_slices ? slice : slice - partition_slices) * l2.partitions +
               partition;
    };
    for (auto& done : stores_done_) done.clear();
    constexpr std::size_t ahead = 8;  // tags are too many for the host's caches
    for (std::size_t at = 0; at < requests.size(); ++at) {
        const MemoryRequest& request = requests[at];
        if (at + ahead < requests.size()) {
            const MemoryRequest& later = requests[at + ahead];
            tags_[slice_of(later.line, later.sm % l2.partitions)].prefetch(later.line);
        }
        // An SM speaks to its own partition, which keeps a copy of what it has passed on.
        const std::uint32_t here = request.sm % l2.partitions;
        const std::uint32_t there = home_partition(request.line);
        const std::uint32_t near = slice_of(request.line, here);
        const std::uint32_t home = near - here + there;
        const bool far = here != there;
        // Slices lie at different distances from an SM; which one is near is not published, so a fixed hash decides.
        const std::uint64_t distance =
            l2.slice_spread_cycles == 0
                ? 0
                : mix(near * 0x10001ULL + request.sm * 0x1000000ULL) % (l2.slice_spread_cycles + 1);
        const auto sectors = static_cast<std::uint32_t>(std::popcount(request.sectors));
        const std::uint64_t bytes = static_cast<std::uint64_t>(sectors) * sector_bytes;
        const std::uint64_t arrival = request.time + one_way_ + distance / 2;
        const std::uint64_t back = (base_round_trip_ - one_way_) + (distance - distance / 2);
        // Slices and channels are booked for when the request arrives at the near slice, so that what comes from afar
        // does not hold up what arrives between; the way across is added afterwards.
        const std::uint64_t across = far ? l2.far_latency_cycles : 0;
        const std::uint64_t out = across / 2;

        if (request.kind == RequestKind::store) {
            const std::uint64_t occupied =
                std::uint64_t{sectors} *
                    (l2.slice_write_sector_bytes + (request.partial ? l2.slice_write_partial_bytes : 0)) +
                l2.slice_write_request_bytes;
            std::uint64_t served = slice_access(near, arrival, occupied);
            if (far) served = std::max(served, slice_access(home, arrival, occupied));
            // Byte masks make partial writes possible without a read.
            SectoredCache::Line& line = find_or_allocate(home, request.line, served);
            const bool known = line.valid != 0;
            line.valid |= request.sectors;
            line.dirty |= request.sectors;
            if (far) find_or_allocate(near, request.line, served).valid |= request.sectors;
            if (known) forget_copies(request.line, request.sectors, near - here, here, there);
            counters_["lts__t_sectors_op_write.sum"_metric] += sectors;
            // The near partition answers (latency membar stores=1: a store takes less than a near load's trip). The
            // launch lasts until the SMs know of it (launch store: an SM stays active 220 to 340 cycles longer).
            const std::uint64_t done = served + back;
            drained_ = std::max(drained_, std::max(served + out, done));
            stores_done_[request.sm].push_back({.time = done, .credit = request.credit});
            if (request.acknowledge)
                responses[request.sm].push_back({.time = done, .token = request.token, .acknowledges = true});
            continue;
        }

        std::uint64_t served = slice_access(near, arrival, bytes);
        if (request.kind == RequestKind::load) {
            SectoredCache::Line& line = find_or_allocate(near, request.line, served);
            std::uint32_t missing = request.sectors & ~line.valid;
            counters_["lts__t_sectors_op_read.sum"_metric] += sectors;
            if (missing != 0 && far) {
                const auto passed = static_cast<std::uint64_t>(std::popcount(missing)) * sector_bytes;
                std::uint64_t found = std::max(served, slice_access(home, arrival, passed));
                SectoredCache::Line& origin = find_or_allocate(home, request.line, found);
                line.valid |= missing;
                line.pending |= missing;
                const std::uint32_t wanted = missing;
                missing &= ~origin.valid;
                if (missing != 0) fetch(origin, missing, home, found);
                found = arrived(origin, wanted, found);
                line.ready = std::max(line.ready, found + across);
            } else if (missing != 0) {
                fetch(line, missing, home, served);
            }
            counters_["lts__t_sectors_op_read_lookup_hit.sum"_metric] +=
                sectors - static_cast<std::uint32_t>(std::popcount(missing));
            served = arrived(line, request.sectors, served);
        } else {
            // Atomics are done where the line's memory is.
            if (far) served = std::max(served, slice_access(home, arrival, bytes));
            SectoredCache::Line& line = find_or_allocate(home, request.line, served);
            const std::uint32_t missing = request.sectors & ~line.valid;
            if (missing != 0) fetch(line, missing, home, served);
            forget_copies(request.line, request.sectors, near - here, there, there);
            served = arrived(line, request.sectors, served);
            counters_["lts__t_sectors_op_atom.sum"_metric] += sectors;
            line.dirty |= request.sectors;
            const std::uint64_t busy =
                static_cast<std::uint64_t>(request.operations) * l2.atomic_interval_cycles * fraction;
            slice_free_[home] = std::max(slice_free_[home], served * fraction) + busy;
            served += busy / fraction;
            drained_ = std::max(drained_, served + out);
            served += across;
        }
        const std::uint64_t done = served + back;
        if (request.kind == RequestKind::reduction) {
            stores_done_[request.sm].push_back({.time = done, .credit = request.credit});
            if (request.acknowledge)
                responses[request.sm].push_back({.time = done, .token = request.token, .acknowledges = true});
            continue;
        }
        std::uint64_t& port = return_free_[request.sm];
        const std::uint64_t start = std::max(port, done * fraction);
        // The first beat is part of the latency; what queues behind it is not.
        port = start + bytes * return_cost_;
        responses[request.sm].push_back({.time = start / fraction, .token = request.token});
    }
}

}  // namespace sassafras::sim
