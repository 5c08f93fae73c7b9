// Memory that is zero and costs nothing until it is touched: local memory of all resident threads is large, and kernels
// mostly use little of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>

namespace sassafras::sim {

class ZeroedWords {
  public:
    /// `count` words of 0 in place of what was there. Throws std::bad_alloc.
    void reset(std::size_t count) {
        words_.reset();
        count_ = count;
        if (count == 0) return;
        // calloc, as pages that nothing touches are never there. NOLINTNEXTLINE(cppcoreguidelines-no-malloc)
        words_.reset(static_cast<std::uint32_t*>(std::calloc(count, sizeof(std::uint32_t))));
        if (!words_) throw std::bad_alloc();
    }
    [[nodiscard]] std::uint32_t* data() { return words_.get(); }
    [[nodiscard]] std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(words_.get(), count_)); }

  private:
    struct Free {
        void operator()(std::uint32_t* words) const { std::free(words); }  // NOLINT(cppcoreguidelines-no-malloc)
    };
    std::unique_ptr<std::uint32_t, Free> words_;
    std::size_t count_ = 0;
};

}  // namespace sassafras::sim
