// Every number of a modelled GPU, with those of sm_parameters.hpp, pipe_parameters.hpp and memory_parameters.hpp. A
// parameter is declared once, in `visit`: its JSON place, range, unit (in the name) and meaning; the strict reader, the
// resolved output, the hash and the schema all come from that one list. Nothing has a default: the numbers are a file's
// (platform_reader.hpp), and a Platform that was not read is all zeros.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "sim/platform/fetch_parameters.hpp"
#include "sim/platform/limits.hpp"
#include "sim/platform/memory_parameters.hpp"
#include "sim/platform/pipe_parameters.hpp"
#include "sim/platform/sm_parameters.hpp"
#include "sim/platform/translation_parameters.hpp"

namespace sassafras::sim {

struct ClockParameters {
    double sm_mhz{};
    std::uint32_t global_timer_step_ns{};
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        v.number("sm_mhz", self.sm_mhz, 1, 100000, "clock of the SMs; every cycle of the model is one of these");
        v.integer("global_timer_step_ns", self.global_timer_step_ns, 1, 1U << 20U,
                  "what GLOBALTIMER advances by; the shortest time that NANOSLEEP can tell");
    }
};

/// A time of DRAM, in whole cycles of the model: a command is not over before.
[[nodiscard]] inline std::uint64_t dram_cycles(const ClockParameters& clock, double nanoseconds) {
    return static_cast<std::uint64_t>(std::ceil(nanoseconds * clock.sm_mhz / 1000));
}

struct GpuParameters {
    std::uint32_t sm_count{};
    std::uint32_t gpc_sms{};
    std::uint32_t first_sms{};
    std::uint32_t compute_capability_major{};
    std::uint32_t compute_capability_minor{};
    std::uint32_t launch_overhead_cycles{};
    std::uint32_t first_launch_cycles{};
    std::uint32_t completion_overhead_cycles{};
    double first_wave_blocks_per_cycle{};
    double completed_blocks_per_cycle{};
    std::uint32_t block_start_latency_cycles{};
    std::uint32_t warp_start_interval_cycles{};
    std::uint32_t launch_l2_read_sectors{};
    std::uint32_t launch_l2_write_sectors{};
    std::uint32_t launch_l2_write_interval_cycles{};
    std::uint32_t launch_dram_read_sectors{};
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        v.integer("sm_count", self.sm_count, 1, 4096, "streaming multiprocessors");
        v.integer("gpc_sms", self.gpc_sms, 1, 4096,
                  "SMs of a GPC, whose reads L2's coalescer joins and which are near to one partition of L2");
        v.integer("first_sms", self.first_sms, 0, 4096,
                  "SMs of the first GPC that get blocks before all others; then each GPC gets one in turn");
        v.integer("compute_capability_major", self.compute_capability_major, 1, 99,
                  "it runs machine code for this number, sm_90 for 9, and a minor number up to its own");
        v.integer("compute_capability_minor", self.compute_capability_minor, 0, 9, "the digit behind the point");
        v.integer("launch_overhead_cycles", self.launch_overhead_cycles, 0, 1000000,
                  "start of the kernel to the dispatch of its first block");
        v.integer("first_launch_cycles", self.first_launch_cycles, 0, 1000000,
                  "that the first launch of a process takes longer");
        v.integer("completion_overhead_cycles", self.completion_overhead_cycles, 0, 1000000,
                  "last block done to end of the kernel");
        v.number("first_wave_blocks_per_cycle", self.first_wave_blocks_per_cycle, 0.001, 1000,
                 "blocks dispatched to empty SMs, for the whole GPU");
        v.number("completed_blocks_per_cycle", self.completed_blocks_per_cycle, 0.001, 1000,
                 "ends of blocks that the GPU takes note of");
        v.integer("block_start_latency_cycles", self.block_start_latency_cycles, 1, 100000,
                  "the end of a block noted to the first instruction of the block that follows it");
        v.integer("warp_start_interval_cycles", self.warp_start_interval_cycles, 0, 1000,
                  "between the starts of two warps of a block");
        v.integer("launch_l2_read_sectors", self.launch_l2_read_sectors, 0, 1000000,
                  "that L2 is read for by a launch beside code and accesses; counted, takes no time");
        v.integer("launch_l2_write_sectors", self.launch_l2_write_sectors, 0, 1000000, "likewise written, at most");
        v.integer("launch_l2_write_interval_cycles", self.launch_l2_write_interval_cycles, 0, 1000000,
                  "of a launch for each of them; 0: none is written");
        v.integer("launch_dram_read_sectors", self.launch_dram_read_sectors, 0, 1000000, "likewise read from DRAM");
    }
};

/// Copies and sets of the runtime API, and events: what a stream does but for kernels. Within the device bytes move at
/// the efficiencies of dram.
struct CopiesParameters {
    double link_gb_per_s{};
    double pageable_gb_per_s{};
    std::uint32_t to_device_ns{};
    std::uint32_t to_host_ns{};
    std::uint32_t pageable_to_device_ns{};
    std::uint32_t pageable_to_host_ns{};
    std::uint32_t within_device_ns{};
    std::uint32_t inline_bytes{};
    std::uint32_t inline_to_device_ns{};
    std::uint32_t inline_set_ns{};
    std::uint32_t event_ns{};
    std::uint32_t event_turn_ns{};
    std::uint32_t event_back_ns{};
    std::uint32_t wait_ns{};
    std::uint32_t wait_timed_ns{};
    std::uint32_t wait_done_ns{};
    std::uint32_t wait_shared_ns{};
    std::uint32_t wait_asked_ns{};
    std::uint32_t wait_turn_ns{};
    std::uint32_t wait_lost_ns{};
    std::uint32_t launch_turn_ns{};
    std::uint32_t launch_back_ns{};
    std::uint32_t launch_place_ns{};
    std::uint32_t launch_beside_ns{};
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        v.number("link_gb_per_s", self.link_gb_per_s, 0.001, 1e9,
                 "between pinned host memory and the device, 1e9 bytes a second, each way");
        v.number("pageable_gb_per_s", self.pageable_gb_per_s, 0.001, 1e9,
                 "the same from and to pageable host memory: what the host's processor copies");
        v.integer("to_device_ns", self.to_device_ns, 0, 1U << 30U, "a copy from pinned memory, whatever its size");
        v.integer("to_host_ns", self.to_host_ns, 0, 1U << 30U, "a copy to pinned memory, whatever its size");
        v.integer("pageable_to_device_ns", self.pageable_to_device_ns, 0, 1U << 30U,
                  "a copy from pageable memory, whatever its size; it goes with the stream's commands");
        v.integer("pageable_to_host_ns", self.pageable_to_host_ns, 0, 1U << 30U,
                  "a copy to pageable memory, whatever its size");
        v.integer("within_device_ns", self.within_device_ns, 0, 1U << 30U,
                  "a copy or set within the device, whatever its size: it is a kernel");
        v.integer("inline_bytes", self.inline_bytes, 0, 1U << 30U,
                  "copies from pinned memory and sets of up to so many bytes go with the stream's commands");
        v.integer("inline_to_device_ns", self.inline_to_device_ns, 0, 1U << 30U, "such a copy");
        v.integer("inline_set_ns", self.inline_set_ns, 0, 1U << 30U, "such a set");
        v.integer("event_ns", self.event_ns, 0, 1U << 30U, "recording an event for timing; others take no time");
        v.integer("event_turn_ns", self.event_turn_ns, 0, 1U << 30U,
                  "from the end of such a record to the begin of one of another stream, where they meet");
        v.integer("event_back_ns", self.event_back_ns, 0, 1U << 30U,
                  "what a stream, and those that wait for it, go on later behind such a record where others of its "
                  "line wait");
        v.integer("wait_ns", self.wait_ns, 0, 1U << 30U,
                  "a wait of a stream for an event that is not done when the stream comes to it");
        v.integer("wait_timed_ns", self.wait_timed_ns, 0, 1U << 30U, "what it takes longer if the event is for timing");
        v.integer(
            "wait_done_ns", self.wait_done_ns, 0, 1U << 30U,
            "a wait for an event that was not done when the host asked for it, but is when the stream comes to it");
        v.integer(
            "wait_shared_ns", self.wait_shared_ns, 0, 1U << 30U,
            "what a stream that waits goes on later where others wait on its line: odd and even connections are a "
            "line each");
        v.integer("wait_asked_ns", self.wait_asked_ns, 0, 1U << 30U,
                  "the same more for each of these that waits for something else");
        v.integer("wait_turn_ns", self.wait_turn_ns, 0, 1U << 30U,
                  "from one stream of a line to the next that waits for the same event");
        v.integer("wait_lost_ns", self.wait_lost_ns, 0, 1U << 30U,
                  "what a wait costs more, for an event that is done or not, if kernels since it was put have "
                  "used so much of L2 that nothing of before is there");
        v.integer("launch_turn_ns", self.launch_turn_ns, 0, 1U << 30U,
                  "from a launch of one stream to one of another; 0: they do not hold each other up");
        v.integer("launch_back_ns", self.launch_back_ns, 0, 1U << 30U,
                  "what a launch right behind a kernel of its stream is later where others have launched meanwhile");
        v.integer("launch_place_ns", self.launch_place_ns, 0, 1U << 30U,
                  "from the first place that gets free to the first block of a kernel which found none when it came");
        v.integer("launch_beside_ns", self.launch_beside_ns, 0, 1U << 30U,
                  "from the begin of a kernel on an SM to that of another one's blocks there");
    }
};

struct Platform {
    std::string name;
    ClockParameters clock;
    GpuParameters gpu;
    SmParameters sm;
    PipesParameters pipes;
    LsuParameters lsu;
    FetchParameters fetch;
    TranslationParameters tlb;
    L2Parameters l2;
    DramParameters dram;
    CopiesParameters copies;
    LimitsParameters limits;
    /// Every parameter.
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        visit_machine(self, v);
        v.group("limits", self.limits);
    }
    /// The parameters that decide what a run computes, counts and takes: what results show, and what the hash is of.
    template <class Self, class Visitor>
    static void visit_machine(Self& self, Visitor& v) {
        v.group("clock", self.clock);
        v.group("gpu", self.gpu);
        v.group("sm", self.sm);
        v.group("pipes", self.pipes);
        v.group("lsu", self.lsu);
        v.group("fetch", self.fetch);
        v.group("tlb", self.tlb);
        v.group("l2", self.l2);
        v.group("dram", self.dram);
        v.group("copies", self.copies);
    }
};

}  // namespace sassafras::sim
