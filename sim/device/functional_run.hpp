// Runs a launch's blocks without timing and hands their records on.
#pragma once

#include <cstdint>
#include <memory>

#include "core/worker_pool.hpp"
#include "sim/device/device.hpp"
#include "sim/device/model_options.hpp"
#include "sim/platform/platform.hpp"
#include "sim/trace/trace_source.hpp"

namespace sassafras::sim {

/// Warp instructions that a warp runs before the next block has its turn. Large, so that a block's state stays in the
/// host's caches; small against any limit on runaways, so that blocks which wait for one another get on.
inline constexpr std::uint64_t long_turn = 4096;

class RecordConsumer {
  public:
    RecordConsumer() = default;
    RecordConsumer(const RecordConsumer&) = delete;
    RecordConsumer& operator=(const RecordConsumer&) = delete;
    virtual ~RecordConsumer() = default;
    /// Takes all that the block has buffered.
    virtual Result<void> take(BlockTrace& block) = 0;
    /// One of the same kind that has taken nothing, for another thread; null if blocks must be taken in order, by one.
    [[nodiscard]] virtual std::unique_ptr<RecordConsumer> make_helper() { return nullptr; }
    /// Adds what a helper has taken.
    virtual void absorb(const RecordConsumer& /*helper*/) {}
    /// As if nothing had been taken.
    virtual void forget() {}
    /// Taken so far: the time that a warp sees that reads a clock.
    [[nodiscard]] virtual std::uint64_t warp_instructions() const = 0;
};

/// Blocks take turns of `quantum` instructions a warp, as many at a time as the platform would hold: kernels whose
/// blocks wait for one another rely on that. With ModelOptions::threads several have theirs at the same time, where
/// that makes no difference: those of `pool`, or of its own.
[[nodiscard]] Result<void> run_functionally(TraceSource& source, const Launch& launch, const Platform& platform,
                                            const ModelOptions& options, std::uint64_t quantum,
                                            RecordConsumer& consumer, WorkerPool* pool = nullptr);

}  // namespace sassafras::sim
