#include "sim/device/replay.hpp"

#include <utility>

#include "core/demangle.hpp"
#include "sim/device/counted_run.hpp"
#include "sim/device/modelled_device.hpp"
#include "sim/formats/trace_file/file_trace_source.hpp"

namespace sassafras::sim {

Replay::Replay(const Platform& platform, ModelOptions options, bool with_timing)
    : platform_(platform), options_(std::move(options)), with_timing_(with_timing), timed_(platform, options_) {}

Result<KernelResult> Replay::run(const std::string& path, const TracedLaunch& traced) {
    auto reader = TraceFileReader::open(path);
    if (!reader) return reader.error();
    if (reader->checksum() != traced.checksum)
        return Error{ErrorKind::bad_input, "this is not the trace that the folder's index names", path,
                     "the file was exchanged; capture it again"};
    const isa::Kernel& kernel = reader->header().kernel;
    const LaunchShape& shape = reader->header().shape;
    Launch launch;
    launch.kernel = kernel.name;
    launch.grid = shape.grid;
    launch.block = shape.block;
    launch.dynamic_shared = shape.dynamic_shared;
    launch.dealt_from = traced.dealt_from;
    if (auto checked = check_launch(platform_, kernel, launch, path + ", kernel " + demangled(kernel.name)); !checked)
        return checked.error();
    KernelResult result = describe_launch(kernel, launch, platform_);
    FileTraceSource source(std::move(*reader));
    Result<void> done;
    if (!with_timing_)
        done = run_counted(source, launch, platform_, options_, result);
    else if (options_.sample)
        done = timed_.run_sampled(source, launch, traced.copied, nanoseconds_, result);
    else
        done = timed_.run(source, launch, traced.copied, nanoseconds_, result);
    if (options_.progress) {
        const std::uint64_t blocks = launch.grid.volume();
        options_.progress(
            {.kernel = launch.kernel, .blocks_done = done ? blocks : 0, .blocks = blocks, .cycles = {}, .ended = true});
    }
    if (!done) return done.error();
    nanoseconds_ += result.metric("gpu__time_duration.sum"_metric);
    return result;
}

}  // namespace sassafras::sim
