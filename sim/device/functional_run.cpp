#include "sim/device/functional_run.hpp"

#include <deque>

#include "sim/device/modelled_device.hpp"

namespace sassafras::sim {

namespace {

/// Answers clocks and ends sleeps; true if the block has exited.
bool go_on(TraceSource& source, BlockTrace& block, std::uint64_t now) {
    bool exited = true;
    for (std::size_t warp = 0; warp < block.warps.size(); ++warp) {
        WarpTrace& trace = block.warps[warp];
        trace.wake(~std::uint32_t{0});
        if (trace.state == WarpTrace::State::waiting_clock)
            source.provide_clock(block, static_cast<std::uint32_t>(warp), Cycle{now}, now);
        exited = exited && trace.state == WarpTrace::State::exited && !trace.has_segment();
    }
    return exited;
}

}  // namespace

Result<void> run_functionally(TraceSource& source, const Launch& launch, const Platform& platform,
                              const ModelOptions& options, std::uint64_t quantum, RecordConsumer& consumer) {
    const std::uint64_t blocks = launch.grid.volume();
    const Occupancy fits = occupancy(resources_of(source.program().kernel, launch), platform);
    const std::uint64_t residents = std::uint64_t{platform.gpu.sm_count} * fits.blocks;
    std::deque<BlockTrace*> resident;
    std::uint64_t next = 0;
    std::uint64_t done = 0;
    while (done < blocks) {
        // A block gets its first turn when the others have had theirs or none waits.
        BlockTrace* block = nullptr;
        if (next < blocks && resident.size() < residents) {
            auto started = source.start(next++);
            if (!started) return started.error();
            block = *started;
        } else {
            block = resident.front();
            resident.pop_front();
        }
        if (auto advanced = source.advance(*block, quantum); !advanced) return advanced;
        if (options.progress)
            options.progress({.kernel = launch.kernel,
                              .blocks_done = done,
                              .blocks = blocks,
                              .cycles = {},
                              .instructions = consumer.warp_instructions()});
        if (auto taken = consumer.take(*block); !taken) return taken;
        if (!go_on(source, *block, consumer.warp_instructions())) {
            resident.push_back(block);
            continue;
        }
        source.finish(*block);
        ++done;
    }
    return {};
}

}  // namespace sassafras::sim
