#include "study/kernel/prepared_kernel.hpp"

#include <utility>

namespace sassafras::study {

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

}  // namespace sassafras::study
