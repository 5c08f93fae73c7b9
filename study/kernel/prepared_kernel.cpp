#include "study/kernel/prepared_kernel.hpp"

#include <algorithm>
#include <utility>

#include "study/kernel/buffer_content.hpp"

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

Result<std::vector<std::byte>> PreparedKernel::content(const PlacedBuffer& buffer, std::uint64_t seed) {
    auto made = BufferContent::open(buffer.wanted, buffer.size, seed + buffer.argument);
    if (!made) return made.error();
    std::vector<std::byte> bytes(buffer.size.count);
    if (auto done = made->read(std::span(bytes).first(made->left().count)); !done) return done.error();
    return bytes;
}

Result<void> PreparedKernel::fill(sim::Device& device, const PlacedBuffer& buffer, std::uint64_t seed) {
    constexpr std::uint64_t step = std::uint64_t{1} << 20U;  // whole words, and it stays in a cache
    auto made = BufferContent::open(buffer.wanted, buffer.size, seed + buffer.argument);
    if (!made) return made.error();
    std::vector<std::byte> part;
    Address at = buffer.address;
    while (made->left().count != 0) {
        part.resize(std::min(made->left().count, step));
        if (auto done = made->read(part); !done) return done;
        if (auto done = device.copy_to_device(at, part); !done) return done;
        at = at + Bytes{part.size()};
    }
    const Bytes rest{buffer.address.value + buffer.size.count - at.value};
    return rest.count == 0 ? Result<void>() : device.fill(at, std::byte{0}, rest);
}

Result<std::uint64_t> checksum(sim::Device& device, Address from, Bytes size) {
    // A buffer may be larger than this machine's memory. Steps end where pages do: reading touches the whole of one.
    constexpr std::uint64_t step = std::uint64_t{64} << 10U;
    std::vector<std::byte> part;
    part.reserve(step);
    Checksum sum;
    const std::uint64_t end = from.value + size.count;
    for (std::uint64_t at = from.value; at < end; at += part.size()) {
        const Bytes zeros = device.known_zeros(Address{at}, Bytes{end - at});
        sum.add_zeros(zeros);
        at += zeros.count;
        part.resize(std::min(end - at, step - at % step));
        if (auto done = device.copy_from_device(part, Address{at}); !done) return done.error();
        sum.add(part);
        // Where reading has made pages of what nothing had written, they go again: zeros stay zeros.
        if (std::all_of(part.begin(), part.end(), [](std::byte byte) { return byte == std::byte{0}; }))
            if (auto done = device.fill(Address{at}, std::byte{0}, Bytes{part.size()}); !done) return done.error();
    }
    return sum.value();
}

Result<void> PreparedKernel::run() {
    if (auto done = device_->launch(launch_); !done) return done;
    return device_->synchronize();
}

}  // namespace sassafras::study
