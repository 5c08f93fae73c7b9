#include "study/kernel/buffer_output.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/array_file/array_file.hpp"
#include "core/array_file/npy_header.hpp"

namespace sassafras::study {

namespace {

/// What is asked for; else what the buffer's own file says that it holds.
Result<ElementType> output_type(const BufferArgument& wanted) {
    if (wanted.type) return *wanted.type;
    if (wanted.content != BufferArgument::Content::file) return ElementType::u32;
    const auto layout = read_array_layout(wanted.file);
    if (!layout) return layout.error();
    return layout->type.value_or(ElementType::u32);
}

Result<std::vector<std::byte>> output_header(const PlacedBuffer& buffer) {
    if (!buffer.wanted.output.ends_with(".npy")) return std::vector<std::byte>();
    const auto type = output_type(buffer.wanted);
    if (!type) return type.error();
    const std::uint64_t each = bytes_of(*type);
    if (buffer.size.count % each != 0)
        return Error{ErrorKind::bad_input,
                     fmt::format("the buffer has {} bytes, no numbers of {}", buffer.size.count, each),
                     buffer.wanted.output, "give it another size or type, or another suffix: then it is written raw"};
    return make_npy_header(*type, buffer.size.count / each);
}

}  // namespace

Result<BufferOutputs> BufferOutputs::open(const std::vector<PlacedBuffer>& buffers) {
    BufferOutputs outputs;
    std::set<std::string> names;
    for (const PlacedBuffer& buffer : buffers) {
        const std::string& path = buffer.wanted.output;
        if (path.empty()) continue;
        if (!names.insert(path).second)
            return Error{ErrorKind::bad_input, "two buffers go to one file", path, "give each its own"};
        auto header = output_header(buffer);
        if (!header) return header.error();
        StagedFile file({path, "the buffer", "--arg ...:out"});
        if (auto opened = file.open(); !opened) return opened.error();
        outputs.outputs_.push_back({std::move(file), buffer, std::move(*header)});
    }
    return outputs;
}

Result<void> BufferOutputs::write(sim::Device& device) {
    constexpr std::uint64_t step = std::uint64_t{1} << 20U;
    std::vector<std::byte> part;
    for (Output& output : outputs_) {
        if (auto done = output.file.write(output.header); !done) return done;
        const std::uint64_t end = output.buffer.address.value + output.buffer.size.count;
        for (std::uint64_t at = output.buffer.address.value; at < end; at += part.size()) {
            part.resize(std::min(end - at, step));
            if (auto done = device.copy_from_device(part, Address{at}); !done) return done;
            if (auto done = output.file.write(part); !done) return done;
        }
        if (auto done = output.file.commit(); !done) return done;
    }
    return {};
}

}  // namespace sassafras::study
