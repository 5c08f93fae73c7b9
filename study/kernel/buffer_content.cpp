#include "study/kernel/buffer_content.hpp"

#include <cstring>
#include <utility>

namespace sassafras::study {

namespace {

template <class Next>
void fill_with(std::span<std::byte> to, Next&& next) {
    std::uint32_t word = 0;
    for (; to.size() >= sizeof word; to = to.subspan(sizeof word)) {
        word = next();
        std::memcpy(to.data(), &word, sizeof word);
    }
    if (to.empty()) return;
    word = next();
    std::memcpy(to.data(), &word, to.size());
}

}  // namespace

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
    if (kind_ == BufferArgument::Content::iota)
        fill_with(to, [&] { return word_++; });
    else
        fill_with(to, [&] { return static_cast<std::uint32_t>(random_.next()); });
    return {};
}

}  // namespace sassafras::study
