// A request's way through the memory system, stage by stage: crossbar, slice, tags, DRAM, and back. One request after
// the other goes all the way, booking each stage for the time at which it comes there.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "sim/timing/memory/dram_time.hpp"
#include "sim/timing/memory/memory_state.hpp"
#include "sim/timing/memory/mix.hpp"
#include "sim/timing/memory/write_back.hpp"

namespace sassafras::sim {

template <class Map, class Dram>
class MemoryPipeline {
  public:
    MemoryPipeline(MemoryState& state, MemoryShard& shard, const Map& map, Dram& dram)
        : state_(state),
          slices_(state.slices),
          shard_(shard),
          l2_(state.platform.l2),
          sector_bytes_(state.platform.lsu.sector_bytes),
          map_(map),
          dram_(dram),
          write_back_(state, shard, map, dram) {}

    /// `requests` of the shard's lines, in order of time, ties in order of SM.
    void process(std::span<const MemoryRequest* const> requests) {
        constexpr std::size_t ahead = 8;  // tags are too many for the host's caches
        for (std::size_t at = 0; at < requests.size(); ++at) {
            if (at + ahead < requests.size()) {
                const MemoryRequest& later = *requests[at + ahead];
                state_.tags[near_slice(later)].prefetch(later.line);
            }
            const MemoryRequest& request = *requests[at];
            const Route route = route_of(request);
            switch (request.kind) {
                case RequestKind::store: acknowledge(request, store(request, route)); break;
                case RequestKind::load: respond(request, route, read(request, route)); break;
                case RequestKind::atomic: respond(request, route, update(request, route)); break;
                case RequestKind::reduction: acknowledge(request, update(request, route) + route.back); break;
            }
        }
    }

  private:
    /// Which slices a request passes through, and how long it is under way between them; cycles.
    struct Route {
        std::uint32_t here = 0;   ///< partition of the SM
        std::uint32_t there = 0;  ///< partition of the line's memory
        std::uint32_t near = 0;   ///< slice in the SM's partition
        std::uint32_t home = 0;   ///< slice before the line's memory
        std::uint32_t sectors = 0;
        std::uint64_t bytes = 0;
        std::uint64_t arrival = 0;  ///< cycle at which it is at the near slice
        std::uint64_t back = 0;     ///< from there to the SM
        std::uint64_t across = 0;   ///< to the home slice and back
        [[nodiscard]] bool far() const { return here != there; }
    };

    /// An SM speaks to its own partition, which keeps a copy of what it has passed on.
    [[nodiscard]] std::uint32_t near_slice(const MemoryRequest& request) const {
        return map_.slice_of_partition(request.line) * l2_.partitions + state_.placement.partition(request.sm);
    }

    [[nodiscard]] Route route_of(const MemoryRequest& request) const {
        Route route;
        route.here = state_.placement.partition(request.sm);
        route.there = map_.partition(request.line);
        route.near = near_slice(request);
        route.home = route.near - route.here + route.there;
        // Slices lie at different distances from a GPC, much the same for all its SMs (slice_map.cu); a fixed hash
        // decides which.
        const std::uint64_t distance =
            l2_.slice_spread_cycles == 0
                ? 0
                : mix(route.near * 0x10001ULL + state_.placement.gpc(request.sm) * 0x1000000ULL) %
                      (l2_.slice_spread_cycles + 1);
        route.sectors = static_cast<std::uint32_t>(std::popcount(request.sectors));
        route.bytes = static_cast<std::uint64_t>(route.sectors) * sector_bytes_;
        route.arrival = request.time + state_.one_way + distance / 2;
        route.back = (state_.base_round_trip - state_.one_way) + (distance - distance / 2);
        // Slices and channels are booked for when the request arrives at the near slice, so that what comes from afar
        // does not hold up what arrives between; the way across is added afterwards.
        route.across = route.far() ? l2_.far_latency_cycles : 0;
        return route;
    }

    /// The cycle at which the SM knows that L2 has taken a store.
    std::uint64_t store(const MemoryRequest& request, const Route& route) {
        // What comes over the crossbar takes the near slice: a flit of 32 bytes a cycle of L2's clock on an H100, whose
        // slices are then busy all the time (store_rate.cu, lts__xbar2lts_cycles_active). The home slice is not.
        const std::uint64_t occupied = std::uint64_t{route.sectors} * l2_.slice_write_sector_bytes +
                                       (request.masked ? l2_.slice_write_partial_bytes : 0) +
                                       l2_.slice_write_request_bytes;
        const std::uint64_t served = slices_.take_store(route.near, route.arrival, occupied);
        // Byte masks make partial writes possible without a read.
        SectoredCache::Line& line = find_or_allocate(route.home, request.line, served);
        const std::uint32_t before = line.valid;
        line.valid |= request.sectors;
        // What comes behind it waits for room where there was none for what it made the slice write.
        slices_.hold_up(route.near, write_back_.mark_dirty(line, request.sectors, route.home, served));
        write_back_.note_store(request, before, route.home, served);
        if (route.far()) find_or_allocate(route.near, request.line, served).valid |= request.sectors;
        if (before != 0) forget_copies(request, route, route.here);
        shard_.counters["lts__t_sectors_srcunit_tex.sum"_metric] += route.sectors;
        shard_.traffic.writes.count(route.sectors);
        shard_.traffic.masked += request.masked;
        shard_.counters["lts__t_sectors_op_write.sum"_metric] += route.far() ? 2 * route.sectors : route.sectors;
        // The near partition answers (latency membar stores=1: a store takes less than a near load's trip). The launch
        // lasts until the SMs know of it (launch store: an SM stays active 220 to 340 cycles longer).
        const std::uint64_t done = served + route.back;
        shard_.drained = std::max(shard_.drained, std::max(served + route.across / 2, done));
        return done;
    }

    /// As load(), for the first of reads that become one; the others' data leave the slice with its, if they are there.
    std::uint64_t read(const MemoryRequest& request, const Route& route) {
        if (!state_.coalescer.modelled()) return load(request, route);
        ReadCoalescer::Read& read =
            state_.coalescer.join({state_.placement.gpc(request.sm), route.near / l2_.partitions},
                                  state_.placement.place(request.sm), request.line, request.sectors, request.time);
        if (std::has_single_bit(read.sms)) {
            // While it waits for its turn at the slice, others may join it (hot_lines.cu).
            read.until += slices_.free_for(route.near, route.arrival) - route.arrival;
            read.served = load(request, route);
        }
        return std::max(read.served, route.arrival);
    }

    /// The cycle at which a load's data have left the near slice and passed the GPC's port.
    std::uint64_t load(const MemoryRequest& request, const Route& route) {
        const std::uint64_t served = slices_.give(route.near, route.arrival, route.bytes);
        write_back_.forget_partial(request, route.home, route.near);
        SectoredCache::Line& line = find_or_allocate(route.near, request.line, served);
        const std::uint32_t missing = request.sectors & ~line.valid;
        shard_.counters["lts__t_sectors_srcunit_tex.sum"_metric] += route.sectors;
        shard_.traffic.reads.count(route.sectors);
        shard_.traffic.read_misses += static_cast<std::uint32_t>(std::popcount(missing));
        count_read(request.sectors, missing);
        if (missing != 0) {
            if (route.far())
                load_from_afar(line, request, route, missing, served);
            else
                fetch_near(line, missing, route.home, served);
        }
        shard_.gpc_bytes[state_.placement.gpc(request.sm)] += route.bytes;
        const std::uint64_t port = route.arrival + state_.ports.wait(state_.placement.gpc(request.sm));
        return std::max(arrived(line, request.sectors, served), port);
    }

    /// Nsight Compute counts what passes through two slices in both.
    void count_read(std::uint32_t wanted, std::uint32_t missing) {
        shard_.counters["lts__t_sectors_op_read.sum"_metric] += static_cast<std::uint32_t>(std::popcount(wanted));
        shard_.counters["lts__t_sectors_op_read_lookup_hit.sum"_metric] +=
            static_cast<std::uint32_t>(std::popcount(wanted & ~missing));
    }

    void fetch_near(SectoredCache::Line& line, std::uint32_t missing, std::uint32_t home, std::uint64_t served) {
        shard_.traffic.brought += static_cast<std::uint32_t>(std::popcount(granules(missing) & ~line.valid));
        fetch(line, missing, home, served, served);
    }

    /// Copies sectors from the partition whose memory they are in.
    void load_from_afar(SectoredCache::Line& line, const MemoryRequest& request, const Route& route,
                        std::uint32_t wanted, std::uint64_t served) {
        const auto passed = static_cast<std::uint64_t>(std::popcount(wanted)) * sector_bytes_;
        const std::uint64_t at_home = slices_.give(route.home, route.arrival, passed);
        std::uint64_t found = std::max(served, at_home);
        SectoredCache::Line& origin = find_or_allocate(route.home, request.line, found);
        const std::uint32_t missing = wanted & ~origin.valid;
        // What DRAM reads with them comes along and is counted, too: of single sectors an H200 counts two
        // (sort_partition, metrics.csv).
        const std::uint32_t asked = wanted | (granules(missing) & ~line.valid);
        line.valid |= asked;
        line.pending |= asked;
        shard_.traffic.brought += static_cast<std::uint32_t>(std::popcount(asked));
        count_read(asked, asked & ~origin.valid);
        if (missing != 0) fetch(origin, missing, route.home, found, at_home);
        found = arrived(origin, asked, found);
        line.ready = std::max(line.ready, found + route.across);
    }

    /// Atomics are done where the line's memory is; the cycle at which the result leaves the near slice.
    std::uint64_t update(const MemoryRequest& request, const Route& route) {
        // What they bring takes each slice on the way, as a store's does; changing memory occupies the last one only.
        const std::uint64_t brought = std::uint64_t{request.updates.sent()} * l2_.slice_write_sector_bytes;
        std::uint64_t served = slices_.take_store(route.near, route.arrival, brought);
        if (route.far()) served = std::max(served, slices_.take_store(route.home, route.arrival, brought));
        const std::uint64_t busy = update_cost(request.updates);
        served = slices_.update(route.home, served, busy);
        write_back_.forget_partial(request, route.home, route.near);
        SectoredCache::Line& line = find_or_allocate(route.home, request.line, served);
        const std::uint32_t missing = request.sectors & ~line.valid;
        if (missing != 0) fetch(line, missing, route.home, served, served);
        forget_copies(request, route, route.there);
        served = arrived(line, request.sectors, served) + busy / cycle_fraction;
        shard_.counters["lts__t_sectors_srcunit_tex.sum"_metric] += request.updates.sectors();
        const std::uint64_t passed = request.updates.sectors() * (route.far() ? 2U : 1U);
        const bool reduces = request.kind == RequestKind::reduction;
        (reduces ? shard_.traffic.reductions : shard_.traffic.atomics).count(request.updates.sectors());
        if (reduces)
            shard_.counters["lts__t_sectors_op_red.sum"_metric] += passed;
        else
            shard_.counters["lts__t_sectors_op_atom.sum"_metric] += passed;
        slices_.hold_up(route.near, write_back_.mark_dirty(line, request.sectors, route.home, served));
        shard_.drained = std::max(shard_.drained, served + route.across / 2);
        return served + route.across;
    }

    /// How long updates occupy a slice, 2^-20 cycles.
    [[nodiscard]] std::uint64_t update_cost(const LineUpdates& updates) const {
        const std::uint64_t whole = std::uint64_t{updates.whole_sectors} * updates.operands;
        return whole * state_.whole_update_cost + updates.partial_sectors * state_.partial_update_cost;
    }

    /// L2 has a store or reduction; the SM knows of it at `done`.
    void acknowledge(const MemoryRequest& request, std::uint64_t done) {
        shard_.stores_done[request.sm].push_back({.time = done, .credit = request.credit});
        if (request.acknowledge) answer(request, done, true);
    }

    /// Data that left the near slice at `served` comes to the SM.
    void respond(const MemoryRequest& request, const Route& route, std::uint64_t served) {
        answer(request, served + route.back, false);
    }

    void answer(const MemoryRequest& request, std::uint64_t time, bool acknowledges) {
        shard_.responses[request.sm].push_back({.time = time,
                                                .asked = request.time,
                                                .issue = request.issue,
                                                .token = request.token,
                                                .acknowledges = acknowledges});
        shard_.earliest[request.sm] = std::min(shard_.earliest[request.sm], time);
    }

    SectoredCache::Line& find_or_allocate(std::uint32_t slice, std::uint64_t line, std::uint64_t time) {
        if (SectoredCache::Line* found = state_.tags[slice].find(line)) return *found;
        SectoredCache::Line victim;
        SectoredCache::Line* taken = state_.tags[slice].allocate(line, victim);
        if (state_.l2_keeps_all)
            exchange(slice, victim, *taken);
        else
            write_back_.evict(victim, slice, time);
        return *taken;
    }

    /// What a line had when it went is there again when it comes back.
    void exchange(std::uint32_t slice, const SectoredCache::Line& victim, SectoredCache::Line& taken) {
        if (victim.tag != SectoredCache::empty) shard_.kept[victim.tag * l2_.slices + slice] = victim.valid;
        const auto before = shard_.kept.find(taken.tag * l2_.slices + slice);
        if (before == shard_.kept.end()) return;
        taken.valid = before->second;
        shard_.kept.erase(before);
    }

    /// The sectors of a line that DRAM reads with these.
    [[nodiscard]] std::uint32_t granules(std::uint32_t sectors) const {
        const std::uint32_t of_line = state_.platform.lsu.l1_line_bytes / sector_bytes_;
        return whole_granules(sectors, state_.platform.dram.access_bytes / sector_bytes_) &
               (of_line >= 32 ? ~0U : (1U << of_line) - 1U);
    }

    /// Brings missing sectors into a line of the slice that its memory belongs to, whole granules at a time.
    /// The slice has come to the request at `at_home`.
    void fetch(SectoredCache::Line& line, std::uint32_t missing, std::uint32_t home, std::uint64_t time,
               std::uint64_t at_home) {
        const std::uint32_t fetched = granules(missing) & ~line.valid;
        const auto bytes = static_cast<std::uint64_t>(std::popcount(fetched)) * sector_bytes_;
        shard_.counters["dram__bytes_read.sum"_metric] += bytes;
        const std::uint64_t there =
            dram_.read(map_, {.channel = map_.channel(home), .line = line.tag, .time = time, .bytes = bytes});
        // What comes takes the slice as a store does. The slice is booked for when DRAM is asked, so that what is
        // stored meanwhile does not wait for it; who waits for DRAM's queue waits for the slice's at the same time.
        const auto sectors = static_cast<std::uint64_t>(std::popcount(fetched));
        const std::uint64_t taken = slices_.take(home, at_home, sectors * l2_.slice_write_sector_bytes);
        const std::uint64_t alone = std::min<std::uint64_t>(there - time, state_.platform.dram.latency_cycles);
        line.ready = std::max({line.ready, there, taken + alone});
        line.valid |= fetched;
        line.pending |= fetched;
    }

    /// When a request that was served at `served` has all its sectors: those on their way come at line.ready.
    static std::uint64_t arrived(SectoredCache::Line& line, std::uint32_t sectors, std::uint64_t served) {
        if ((line.pending & sectors) == 0) return served;
        if (line.ready > served) return line.ready;
        line.pending = 0;
        return served;
    }

    /// Copies that partitions have of the sectors are old now, but in `kept` and where the line's memory is.
    void forget_copies(const MemoryRequest& request, const Route& route, std::uint32_t kept) {
        const std::uint32_t first = route.near - route.here;
        for (std::uint32_t partition = 0; partition < l2_.partitions; ++partition) {
            if (partition == kept || partition == route.there) continue;
            if (SectoredCache::Line* copy = state_.tags[first + partition].find(request.line))
                copy->valid &= ~request.sectors;
            else if (const auto kept_copy = shard_.kept.find(request.line * l2_.slices + first + partition);
                     kept_copy != shard_.kept.end())
                kept_copy->second &= ~request.sectors;
        }
    }

    MemoryState& state_;
    SlicePorts& slices_;
    MemoryShard& shard_;
    const L2Parameters& l2_;
    std::uint32_t sector_bytes_;
    const Map& map_;
    Dram& dram_;
    WriteBack<Map, Dram> write_back_;
};

}  // namespace sassafras::sim
