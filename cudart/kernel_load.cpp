#include "cudart/kernel_load.hpp"

#include <algorithm>
#include <cmath>

#include "sim/device/traffic_shares.hpp"

namespace sassafras::cudart {

namespace {

constexpr double percent = 100;
constexpr sim::MetricId shared_wavefronts =
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed"_metric;
constexpr double all = 1;

double nanoseconds_a_cycle(const sim::Platform& platform) { return 1000 / platform.clock.sm_mhz; }

/// Cycles of an SM in which its units are busy, of all SMs together.
SmBusy busy_cycles(const sim::KernelResult& result, const sim::Platform& platform, double cycles) {
    const double sm_cycles = cycles * platform.gpu.sm_count;
    const auto of = [&](sim::MetricId metric) { return sm_cycles * result.metric(metric, percent) / percent; };
    SmBusy busy;
    const auto set = [&](SmUnit unit, double value) { busy[static_cast<std::size_t>(unit)] = value; };
    const double slots = platform.sm.subcores;
    const double fp64 = of("sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_elapsed"_metric);
    // What FP64 reads takes the registers' ports for a cycle in which another instruction would issue (decision 0062).
    set(SmUnit::issue, result.metric("smsp__inst_issued.sum"_metric, sm_cycles * slots) / slots +
                           fp64 / platform.pipes.fp64.issue_interval_cycles);
    set(SmUnit::fma, of("model__fma_busier_half.avg.pct_of_peak_sustained_elapsed"_metric));
    set(SmUnit::alu, of("sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed"_metric));
    set(SmUnit::fp64, fp64);
    set(SmUnit::tensor, of("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"_metric));
    const double xu_waits = result.course ? static_cast<double>(result.course->xu_waits) / slots : 0;
    set(SmUnit::xu, of("sm__pipe_xu_cycles_active.avg.pct_of_peak_sustained_elapsed"_metric) + xu_waits);
    double data = of(shared_wavefronts);
    double l1 = of("model__l1_lines.avg.pct_of_peak_sustained_elapsed"_metric);
    if (result.course) {
        const sim::L1Traffic& traffic = result.course->l1;
        data += static_cast<double>(traffic.wavefronts) * platform.lsu.wavefront_interval_cycles;
        l1 = std::max(l1, static_cast<double>(traffic.line_requests + traffic.store_cycles));
    }
    set(SmUnit::data, data);
    set(SmUnit::l1, l1);
    return busy;
}

GpuBusy busy_of_gpu(const sim::KernelResult& result, const sim::Platform& platform, double cycles) {
    const double slices = result.metric("model__l2_slices.avg.pct_of_peak_sustained_elapsed"_metric, percent) / percent;
    const sim::L2Shares l2 =
        result.course ? sim::shares_of_l2(result.course->l2, cycles, platform) : sim::L2Shares{slices, slices};
    // A byte a nanosecond is 1e9 bytes a second.
    const double most =
        result.metric("gpu__time_duration.sum"_metric) * platform.dram.bandwidth_gb_per_s * platform.dram.efficiency;
    const double moved = result.metric("dram__bytes_read.sum"_metric) + result.metric("dram__bytes_write.sum"_metric);
    return {l2.from_crossbar, l2.to_crossbar, most > 0 ? moved / most : 0};
}

/// An operation of XU waits for half of another one, and as long as XU's queue takes it ahead of its turn
/// (validate/records/h200/probes/xu_turns.cu); by the operation's own time, and for each of a sub-core's warps.
double xu_wait(double threads, const sim::Platform& platform) {
    const double own = platform.pipes.xu.issue_interval_cycles;
    const double warps = std::max(1.0, threads / warp_size / platform.sm.subcores);
    return (own / 2 + platform.pipes.xu_other_lead_cycles) / own / warps;
}

/// How often a warp waits for memory, in a cycle of its time. What waits for a unit of varying delay or for the queue
/// to it waits for shared memory or the XU: by what these had to do. A wait is as long as memory or shared memory
/// takes.
double waits_a_cycle(const sim::KernelResult& result, const SmBusy& busy, double sm_cycles,
                     const sim::Platform& platform) {
    const auto cycles = [&](sim::Stall reason) { return result.metric(sim::stall_cycles(reason)); };
    double total = 0;
    for (std::size_t reason = 0; reason < sim::stall_count; ++reason) total += cycles(static_cast<sim::Stall>(reason));
    const double shared = sm_cycles * result.metric(shared_wavefronts, percent) / percent;
    const double either = shared + busy[static_cast<std::size_t>(SmUnit::xu)];
    const double of_either = cycles(sim::Stall::short_scoreboard) + cycles(sim::Stall::mio_throttle);
    const double waits =
        (cycles(sim::Stall::long_scoreboard) + cycles(sim::Stall::lg_throttle)) / platform.l2.hit_latency_cycles +
        (either > 0 ? of_either * shared / either : 0) / platform.lsu.shared_load_latency_cycles;
    return total > 0 ? waits / total : 0;
}

/// Cycles that an access waits in an SM behind as many of this kernel's as the queues of all sub-cores have room for,
/// if these leave them no sooner than in the kernel's own time (validate/records/h200/probes/loads_in_l1.cu).
double queue_cycles(const sim::KernelResult& result, double sm_cycles, const sim::Platform& platform) {
    const double accesses = result.metric("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"_metric) +
                            result.metric("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"_metric);
    const double queued = double{1} * platform.lsu.queue_entries * platform.sm.subcores;
    return accesses > 0 ? queued * sm_cycles / accesses : 0;
}

/// A part in which `work` of the kernel is done. Blocks take units for as long as they run, `an_sm` of them at most all
/// that an SM has.
void put_busy(LoadPart& part, double work, double block_cycles, double an_sm, const SmBusy& sm) {
    for (std::size_t i = 0; i < sm.size(); ++i)
        part.of_block[i] = block_cycles > 0 ? std::min(all / an_sm, sm[i] * work / block_cycles) : 0;
}

/// Memory does the work in the part of which it is, but for what it has no time for: that it does in the second.
void put_busy_memory(LoadPart& first, LoadPart& second, double work, const GpuBusy& gpu) {
    for (std::size_t i = 0; i < gpu.size(); ++i) {
        first.of_gpu[i] = first.time > 0 ? std::min(all, gpu[i] * work / first.time) : 0;
        const double rest = gpu[i] - first.of_gpu[i] * first.time;
        second.of_gpu[i] = second.time > 0 ? std::clamp(rest / second.time, 0.0, all) : 0;
    }
}

/// Of the time until places get free, memory does most in the stretch in which it answers most, and the rest evenly.
void gather_memory(KernelLoad& load, const sim::AnswerTimes& answers, double begin, double end) {
    constexpr double most = 0.8;
    auto& [lead, full, rest, tail] = load.parts;
    const sim::AnswerTimes::Stretch stretch = answers.shortest_with(most);
    const double time = full.time;
    if (stretch.share <= 0 || time <= 0) return;
    const auto at = [&](std::uint64_t cycle) {
        return std::clamp((static_cast<double>(cycle) - begin) / (end - begin), 0.0, time);
    };
    const double from = at(stretch.begin);
    const double length = at(stretch.end) - from;
    if (length <= 0 || length >= time) return;
    const GpuBusy average = full.of_gpu;
    lead = rest = full;
    lead.time = from;
    full.time = length;
    rest.time = time - from - length;
    for (std::size_t i = 0; i < average.size(); ++i) {
        full.of_gpu[i] = std::min(all, average[i] * std::max(stretch.share * time, length) / length);
        lead.of_gpu[i] = rest.of_gpu[i] = std::max(0.0, average[i] * time - full.of_gpu[i] * length) / (time - length);
    }
}

}  // namespace

bool LoadPart::fills_memory() const {
    constexpr double filled = 0.8;
    return *std::max_element(of_gpu.begin(), of_gpu.end()) >= filled;
}

bool KernelLoad::fills_memory() const {
    LoadPart average = parts[full];
    const double time = parts[lead].time + parts[full].time + parts[rest].time;
    for (std::size_t i = 0; time > 0 && i < average.of_gpu.size(); ++i)
        average.of_gpu[i] = (parts[lead].of_gpu[i] * parts[lead].time + parts[full].of_gpu[i] * parts[full].time +
                             parts[rest].of_gpu[i] * parts[rest].time) /
                            time;
    return average.fills_memory();
}

KernelLoad load_of_places(std::uint64_t blocks, const sim::KernelResources& block, const sim::Platform& platform) {
    const sim::BlockShares takes = sim::block_shares(block, platform);
    const sim::Occupancy occupancy = sim::occupancy(block, platform);
    const auto most_shared = static_cast<double>(std::max<std::uint64_t>(1, platform.sm.shared_bytes));
    KernelLoad load;
    load.sms = platform.gpu.sm_count;
    load.blocks = static_cast<double>(blocks);
    load.resident = std::min(load.blocks, load.sms * occupancy.blocks);
    load.block_takes = {takes.blocks, takes.warps, takes.registers, takes.shared};
    load.before = platform.gpu.launch_overhead_cycles * nanoseconds_a_cycle(platform);
    load.after = platform.gpu.completion_overhead_cycles * nanoseconds_a_cycle(platform);
    load.behind_place = platform.copies.launch_place_ns;
    load.behind_other = platform.copies.launch_beside_ns;
    load.carve_out =
        std::max(static_cast<double>(occupancy.carve_out_bytes) / most_shared, occupancy.blocks * takes.shared);
    return load;
}

KernelLoad load_of(const sim::KernelResult& result, const sim::Platform& platform) {
    KernelLoad load = load_of_places(result.grid.volume(),
                                     {static_cast<std::uint32_t>(result.block.volume()), result.registers_per_thread,
                                      result.static_shared.count + result.dynamic_shared.count},
                                     platform);
    const double cycles = result.metric("sm__cycles_elapsed.max"_metric);
    if (cycles <= 0) return load;
    const SmBusy sm = busy_cycles(result, platform, cycles);
    if (result.course)
        load.l2_lines = static_cast<double>(result.course->l2.lines) * platform.lsu.l1_line_bytes /
                        static_cast<double>(platform.l2.bytes);
    load.xu_wait = xu_wait(static_cast<double>(result.block.volume()), platform);
    load.waits = waits_a_cycle(result, sm, cycles * platform.gpu.sm_count, platform) / nanoseconds_a_cycle(platform);
    load.queue =
        queue_cycles(result, cycles * std::min(load.sms, load.resident), platform) * nanoseconds_a_cycle(platform);
    auto& first = load.parts[KernelLoad::full];
    auto& second = load.parts[KernelLoad::tail];
    const auto begin = static_cast<double>(platform.gpu.launch_overhead_cycles);
    const double end = std::max(begin + 1, cycles - platform.gpu.completion_overhead_cycles);
    GpuBusy gpu = busy_of_gpu(result, platform, cycles);
    for (double& busy : gpu) busy *= cycles / (end - begin);  // by the time in which there are blocks
    if (!result.course || result.course->tail.blocks == 0) {
        put_busy(first, all, load.resident * (end - begin), std::ceil(load.resident / load.sms), sm);
        put_busy_memory(first, second, all, gpu);
        return load;
    }
    const sim::LaunchTail& tail = result.course->tail;
    // Of several waves, places get free when no block waits any more; of one, when the first block ends.
    const double turn = std::clamp(static_cast<double>(load.one_wave() ? tail.first_end : tail.begin), begin, end);
    const double in_full = load.resident * (turn - begin);
    const double full_in_tail =
        load.one_wave() ? load.resident * std::max(0.0, turn - static_cast<double>(tail.begin)) : 0;
    const double in_tail = std::max(0.0, static_cast<double>(tail.block_cycles) - full_in_tail);
    const double used = std::min(load.sms, load.resident);
    const double active = std::max(0.0, result.metric("sm__cycles_active.sum"_metric) - used * (turn - begin));
    first.time = (turn - begin) / (end - begin);
    second.time = all - first.time;
    if (turn < end && in_tail > 0 && active > 0) {
        second.sms = std::min(all, active / (end - turn) / used);
        second.blocks = std::min(all, in_tail / active / (load.resident / used));
    }
    const double an_sm = std::ceil(load.resident / used);
    const double executed = result.metric("smsp__inst_executed.sum"_metric);
    const auto before = static_cast<double>(load.one_wave() ? tail.before_first_end : tail.instructions);
    const double work = executed <= 0 ? in_full / std::max(all, in_full + in_tail) : std::min(all, before / executed);
    put_busy(first, work, in_full, an_sm, sm);
    put_busy(second, all - work, in_tail, std::max(all, an_sm * second.blocks), sm);
    put_busy_memory(first, second, work, gpu);
    gather_memory(load, result.course->answers, begin, end);
    return load;
}

KernelLoad load_of_copy(const sim::Platform& platform) {
    KernelLoad load;
    load.sms = platform.gpu.sm_count;
    load.resident = load.sms;
    load.blocks = 2 * load.sms;  // more than the GPU holds at a time: with fewer SMs it takes longer
    load.parts[KernelLoad::full].of_gpu[static_cast<std::size_t>(GpuUnit::dram)] = all;
    return load;
}

}  // namespace sassafras::cudart
