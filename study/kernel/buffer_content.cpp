#include "study/kernel/buffer_content.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sassafras::study {

Result<BufferContent> BufferContent::open(const BufferArgument& buffer, Bytes size, std::uint64_t seed) {
    BufferContent content(seed);
    content.kind_ = buffer.content;
    if (buffer.content == BufferArgument::Content::file) {
        auto file = ArrayBytes::open(buffer.file, size.count);
        if (!file) return file.error();
        content.file_ = std::move(*file);
    } else if (buffer.content != BufferArgument::Content::zero) {
        content.left_ = size.count;
    }
    return content;
}

Result<void> BufferContent::read(std::span<std::byte> to) {
    if (file_) return file_->read(to);
    require_invariant(to.size() <= left_, "no more is made than the buffer holds");
    left_ -= to.size();
    for (std::size_t at = 0; at < to.size(); at += sizeof(std::uint32_t)) {
        const std::uint32_t word =
            kind_ == BufferArgument::Content::iota ? word_++ : static_cast<std::uint32_t>(random_.next());
        std::memcpy(to.data() + at, &word, std::min(sizeof word, to.size() - at));
    }
    return {};
}

}  // namespace sassafras::study
