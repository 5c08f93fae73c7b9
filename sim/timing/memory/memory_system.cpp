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

/// -ln of a 64-bit fraction, by arithmetic that is the same on every machine (std::log need not be).
double negative_logarithm(std::uint64_t fraction_bits) {
    if (fraction_bits == 0) fraction_bits = 1;
    const int zeros = std::countl_zero(fraction_bits);
    // fraction = mantissa * 2^-(zeros + 1) with mantissa in [1, 2)
    const double mantissa = static_cast<double>((fraction_bits << zeros) >> 11U) * 0x1p-52;
    const double t = (mantissa - 1) / (mantissa + 1);
    const double square = t * t;
    const double logarithm = 2 * t * (1 + square * (1.0 / 3 + square * (1.0 / 5 + square * (1.0 / 7 + square / 9))));
    return (zeros + 1) * 0.6931471805599453 - logarithm;
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

}  // namespace

/// What bank, row and refresh states add to an access: not modelled one by one, but distributed as measured
/// (docs/timing.md). The hash of the row makes it reproducible, and the same on platforms that differ elsewhere.
std::uint64_t MemorySystem::dram_tail(std::uint64_t key) const {
    return static_cast<std::uint64_t>(negative_logarithm(mix(key)) * platform_.dram.latency_tail_cycles);
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
        platform.dram.bandwidth_gb_per_s * 1e3 * platform.dram.efficiency / platform.clock.sm_mhz;
    channel_cost_ = cost(bytes_per_cycle / platform.dram.channels);
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

std::uint64_t MemorySystem::dram_access(std::uint32_t slice, std::uint64_t time, std::uint64_t bytes) {
    std::uint64_t& free = channel_free_[slice % platform_.dram.channels];
    const std::uint64_t start = std::max(free, time * fraction);
    free = start + bytes * channel_cost_;
    return free / fraction + platform_.dram.latency_cycles;
}

void MemorySystem::write_back(const SectoredCache::Line& victim, std::uint32_t slice, std::uint64_t time) {
    if (victim.tag == SectoredCache::empty || victim.dirty == 0) return;
    const auto bytes = static_cast<std::uint64_t>(std::popcount(victim.dirty)) * platform_.lsu.sector_bytes;
    counters_.dram_write_bytes += bytes;
    drained_ = std::max(drained_, dram_access(slice, time, bytes));
}

void MemorySystem::process(const std::vector<MemoryRequest>& requests,
                           std::vector<std::vector<MemoryResponse>>& responses) {
    const L2Parameters& l2 = platform_.l2;
    const std::uint32_t sector_bytes = platform_.lsu.sector_bytes;
    const std::uint32_t granule = std::max<std::uint32_t>(1, platform_.dram.access_bytes / sector_bytes);
    // As many neighbouring lines as there are slices lie in as many slices, in an order that differs from one such
    // group to the next.
    const auto slice_of = [&](std::uint64_t line) {
        const std::uint64_t turn = (mix(line / l2.slices) & 0xffffffffU) * l2.slices >> 32U;
        const std::uint64_t slice = line % l2.slices + turn;
        return static_cast<std::uint32_t>(slice < l2.slices ? slice : slice - l2.slices);
    };
    for (auto& done : stores_done_) done.clear();
    constexpr std::size_t ahead = 8;  // tags are too many for the host's caches
    for (std::size_t at = 0; at < requests.size(); ++at) {
        const MemoryRequest& request = requests[at];
        if (at + ahead < requests.size()) {
            const std::uint64_t line = requests[at + ahead].line;
            tags_[slice_of(line)].prefetch(line);
        }
        const std::uint32_t slice = slice_of(request.line);
        const bool far = slice % l2.partitions != request.sm % l2.partitions;
        // Slices lie at different distances from an SM; which one is near is not published, so a fixed hash decides.
        const std::uint64_t distance =
            l2.slice_spread_cycles == 0
                ? 0
                : mix(slice * 0x10001ULL + request.sm * 0x1000000ULL) % (l2.slice_spread_cycles + 1);
        const std::uint64_t penalty = (far ? l2.far_latency_cycles : 0) + distance;
        const auto sectors = static_cast<std::uint32_t>(std::popcount(request.sectors));
        const std::uint64_t bytes = static_cast<std::uint64_t>(sectors) * sector_bytes;
        const std::uint64_t arrival = request.time + one_way_ + penalty / 2;
        const std::uint64_t occupied =
            request.kind == RequestKind::store
                ? std::uint64_t{sectors} *
                          (l2.slice_write_sector_bytes + (request.partial ? l2.slice_write_partial_bytes : 0)) +
                      l2.slice_write_request_bytes
                : bytes;
        std::uint64_t served = slice_access(slice, arrival, occupied);
        // What the far partition holds passes through a slice of the near one (an H200 counts such sectors in both).
        if (far)
            served = std::max(
                served, slice_access(slice - slice % l2.partitions + request.sm % l2.partitions, arrival, occupied));

        SectoredCache::Line* line = tags_[slice].find(request.line);
        if (line == nullptr) {
            SectoredCache::Line victim;
            line = tags_[slice].allocate(request.line, victim);
            write_back(victim, slice, served);
        }
        if (request.kind == RequestKind::store) {
            // Byte masks make partial writes possible without a read.
            line->valid |= request.sectors;
            line->dirty |= request.sectors;
            counters_.l2_write_sectors += sectors;
            drained_ = std::max(drained_, served);
            const std::uint64_t back = served + (base_round_trip_ - one_way_) + (penalty - penalty / 2);
            stores_done_[request.sm].push_back({.time = back, .credit = request.credit});
            if (request.acknowledge)
                responses[request.sm].push_back({.time = back, .token = request.token, .acknowledges = true});
            continue;
        }
        const std::uint32_t missing = request.sectors & ~line->valid;
        counters_.l2_read_sectors += request.kind == RequestKind::load ? sectors : 0;
        counters_.l2_read_hit_sectors +=
            request.kind == RequestKind::load ? sectors - static_cast<std::uint32_t>(std::popcount(missing)) : 0;
        if (missing != 0) {
            // Whole granules come from DRAM.
            std::uint32_t fetched = 0;
            for (std::uint32_t first = 0; first < 32; first += granule) {
                const std::uint32_t mask = (granule >= 32 ? ~0U : ((1U << granule) - 1U)) << first;
                if ((missing & mask) != 0) fetched |= mask;
            }
            const std::uint32_t line_mask = platform_.lsu.l1_line_bytes / sector_bytes >= 32
                                                ? ~0U
                                                : (1U << (platform_.lsu.l1_line_bytes / sector_bytes)) - 1U;
            fetched &= line_mask & ~line->valid;
            const auto fetched_bytes = static_cast<std::uint64_t>(std::popcount(fetched)) * sector_bytes;
            counters_.dram_read_bytes += fetched_bytes;
            line->ready = std::max(line->ready, dram_access(slice, served, fetched_bytes) +
                                                    dram_tail(row_of(request.line * platform_.lsu.l1_line_bytes)));
            line->valid |= fetched;
            line->pending |= fetched;
        }
        if ((line->pending & request.sectors) != 0) {
            if (line->ready <= served)
                line->pending = 0;
            else
                served = line->ready;
        }
        if (request.kind == RequestKind::atomic || request.kind == RequestKind::reduction) {
            counters_.l2_atomic_sectors += sectors;
            line->dirty |= request.sectors;
            const std::uint64_t busy =
                static_cast<std::uint64_t>(request.operations) * l2.atomic_interval_cycles * fraction;
            slice_free_[slice] = std::max(slice_free_[slice], served * fraction) + busy;
            served += busy / fraction;
            drained_ = std::max(drained_, served);
        }
        const std::uint64_t back = served + (base_round_trip_ - one_way_) + (penalty - penalty / 2);
        if (request.kind == RequestKind::reduction) {
            stores_done_[request.sm].push_back({.time = back, .credit = request.credit});
            if (request.acknowledge)
                responses[request.sm].push_back({.time = back, .token = request.token, .acknowledges = true});
            continue;
        }
        std::uint64_t& port = return_free_[request.sm];
        const std::uint64_t start = std::max(port, back * fraction);
        // The first beat is part of the latency; what queues behind it is not.
        port = start + bytes * return_cost_;
        responses[request.sm].push_back({.time = start / fraction, .token = request.token});
    }
}

}  // namespace sassafras::sim
