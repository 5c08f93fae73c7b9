#include <algorithm>
#include <deque>
#include <utility>

#include "sim/device/kernel_metrics.hpp"
#include "sim/device/launch_counters.hpp"
#include "sim/device/modelled_device.hpp"
#include "sim/device/modelled_devices.hpp"

namespace sassafras::sim {

namespace {

/// Warp instructions that a warp runs before the next block has its turn. Large, so that a block's state stays in the
/// host's caches; small against any limit on runaways, so that blocks which wait for one another get on.
constexpr std::uint64_t quantum = 4096;

class FunctionalDevice final : public ModelledDevice {
  public:
    using ModelledDevice::ModelledDevice;
    [[nodiscard]] std::string name() const override { return platform().name + " (functional)"; }

  protected:
    Result<void> consume(TraceSource& source, const Launch& launch, KernelResult& result) override;
};

/// Takes all buffered records of a block; true if the block has exited.
bool drain(TraceSource& source, BlockTrace& block, LaunchCounters& counters) {
    bool exited = true;
    for (std::size_t warp = 0; warp < block.warps.size(); ++warp) {
        WarpTrace& trace = block.warps[warp];
        counters.drain(trace);
        if (trace.state == WarpTrace::State::waiting_clock) {
            const std::uint64_t now = counters.warp_instructions();
            source.provide_clock(block, static_cast<std::uint32_t>(warp), Cycle{now}, now);
        }
        exited = exited && trace.state == WarpTrace::State::exited && !trace.has_segment();
    }
    return exited;
}

Result<void> FunctionalDevice::consume(TraceSource& source, const Launch& launch, KernelResult& result) {
    LaunchCounters counters(source.program(), platform());
    const std::uint64_t blocks = launch.grid.volume();
    // As many blocks at a time as the GPU would hold: kernels whose blocks wait for one another rely on that.
    const Occupancy fits = occupancy(resources_of(source.program().kernel, launch), platform());
    const std::uint64_t residents = std::uint64_t{platform().gpu.sm_count} * fits.blocks;
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
        if (options().progress)
            options().progress({.kernel = launch.kernel, .blocks_done = done, .blocks = blocks, .cycles = {}});
        if (!drain(source, *block, counters)) {
            resident.push_back(block);
            continue;
        }
        source.finish(*block);
        ++done;
    }
    const std::vector<InstructionCounts> counts = counters.counts();
    result.metrics = counted_metrics(source.program(), counts);
    result.source = source_rows(source.program(), counts);
    return {};
}

}  // namespace

std::unique_ptr<Device> make_functional_device(const Platform& platform, ModelOptions options) {
    return std::make_unique<FunctionalDevice>(platform, std::move(options));
}

}  // namespace sassafras::sim
