#include "sim/device/capturing_device.hpp"

#include <optional>
#include <utility>

#include "sim/device/functional_run.hpp"
#include "sim/device/modelled_device.hpp"
#include "sim/formats/trace_file/trace_file_writer.hpp"

namespace sassafras::sim {

namespace {

/// Warp instructions that a warp runs before the next block has its turn: what replay has in memory of a warp at least.
constexpr std::uint64_t quantum = 2048;

class Writing final : public RecordConsumer {
  public:
    explicit Writing(TraceFileWriter& writer) : writer_(writer) {}
    Result<void> take(BlockTrace& block) override {
        for (const WarpTrace& warp : block.warps) {
            warp_instructions_ += warp.buffered();
            if (warp.state == WarpTrace::State::waiting_clock) writer_.count_clock_read();
        }
        return writer_.add(block);
    }
    [[nodiscard]] std::uint64_t warp_instructions() const override { return warp_instructions_; }

  private:
    TraceFileWriter& writer_;
    std::uint64_t warp_instructions_ = 0;
};

class CapturingDevice final : public ModelledDevice {
  public:
    CapturingDevice(const Platform& platform_of, ModelOptions options_of, std::string folder,
                    std::vector<TracedLaunch>& traced)
        : ModelledDevice(platform_of, std::move(options_of)), folder_(std::move(folder)), traced_(traced) {}
    [[nodiscard]] std::string name() const override { return platform().name + " (capture)"; }

  protected:
    Result<void> consume(TraceSource& source, const Launch& launch, KernelResult& result) override {
        TracedLaunch traced;
        const PayloadSites sites(source.program());
        std::optional<TraceFileWriter> file;
        Result<void> done;
        // The processes of a program share the folder: another may have the name.
        for (std::size_t number = traced_.size();; ++number) {
            traced.file = trace_file_name(number, launch.kernel);
            file.emplace(folder_ + "/" + traced.file, sites);
            done = file->open({source.program().kernel, source.shape(), platform().gpu.sm_count});
            if (done || !file->is_taken()) break;
        }
        TraceFileWriter& writer = *file;
        Writing writing(writer);
        if (done) done = run_functionally(source, launch, platform(), options(), quantum, writing);
        if (done) done = writer.close();
        if (!done) {
            writer.discard();
            return done;
        }
        traced.kernel = launch.kernel;
        traced.copied = copied();
        traced.warp_instructions = writer.index().warp_instructions;
        traced.clock_reads = writer.index().clock_reads;
        traced.bytes = writer.bytes();
        traced.checksum = writer.checksum();
        result.metrics = {{"smsp__inst_executed.sum"_metric, static_cast<double>(traced.warp_instructions)}};
        traced_.push_back(std::move(traced));
        return {};
    }

  private:
    std::string folder_;
    std::vector<TracedLaunch>& traced_;
};

}  // namespace

std::unique_ptr<ModelledDevice> make_capturing_device(const Platform& platform, ModelOptions options,
                                                      std::string folder, std::vector<TracedLaunch>& traced) {
    return std::make_unique<CapturingDevice>(platform, std::move(options), std::move(folder), traced);
}

}  // namespace sassafras::sim
