#include "cli/options/kernel_launch.hpp"

#include <utility>

#include "cli/options/option_values.hpp"

namespace sassafras::cli {

void add_kernel_options(CLI::App& command, KernelOptions& options) {
    command.add_option("--cubin", options.cubin, "cubin of the platform's architecture")->required();
    command.add_option("--kernel", options.kernel, "mangled name, as in the cubin")->required();
    command.add_option("--grid", options.grid, "X,Y,Z blocks")->capture_default_str();
    command.add_option("--block", options.block, "X,Y,Z threads")->capture_default_str();
    command.add_option("--shared", options.shared, "bytes of dynamic shared memory")->transform(whole_number());
    command.add_flag("--cooperative", options.cooperative,
                     "all blocks are on the GPU at a time and may wait for one another (this_grid().sync())");
    command
        .add_option("--arg", options.arguments,
                    "one per parameter: i32:N u32:N i64:N u64:N f32:X f64:X buffer:BYTES[:zero|iota|random|file=FILE] "
                    "file:FILE; a buffer from a file holds its numbers, of .npy those behind the header, then zeros")
        ->take_all()
        ->expected(1)
        ->allow_extra_args(false);
}

Result<PreparedKernel> PreparedKernel::make(sim::Device& device, const KernelOptions& options,
                                            std::span<const std::byte> cubin) {
    auto grid = parse_extents(options.grid, "--grid");
    if (!grid) return grid.error();
    auto block = parse_extents(options.block, "--block");
    if (!block) return block.error();
    PreparedKernel prepared(device);
    auto module = device.load_module(cubin, options.cubin);
    if (!module) return module.error();
    prepared.launch_.module = *module;
    prepared.launch_.kernel = options.kernel;
    prepared.launch_.grid = *grid;
    prepared.launch_.block = *block;
    prepared.launch_.dynamic_shared = Bytes{options.shared};
    prepared.launch_.cooperative = options.cooperative;
    for (std::size_t i = 0; i < options.arguments.size(); ++i) {
        auto parsed = parse_launch_argument(options.arguments[i]);
        if (!parsed) return parsed.error();
        if (const auto* bytes = std::get_if<std::vector<std::byte>>(&*parsed)) {
            prepared.launch_.arguments.add_bytes(*bytes);
            continue;
        }
        auto& wanted = std::get<BufferArgument>(*parsed);
        const auto size = size_of(wanted);
        if (!size) return size.error();
        const auto address = device.allocate(*size);
        if (!address) return address.error();
        prepared.launch_.arguments.add(address->value);
        prepared.buffers_.push_back({i, *address, *size, std::move(wanted)});
    }
    return prepared;
}

Result<void> PreparedKernel::run() {
    if (auto done = device_->launch(launch_); !done) return done;
    return device_->synchronize();
}

}  // namespace sassafras::cli
