// Who was first to change a line of global memory while parts of a launch execute at the same time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sassafras::sim {

/// A word for each line, 8 bytes of address space for 128; a page of them takes memory when one of its lines is
/// changed. Epochs number the times at which parts execute together: what a word says of another epoch is nothing.
class LineOwners {
  public:
    static constexpr unsigned line_shift = 7;
    static constexpr std::uint64_t line_bytes = std::uint64_t{1} << line_shift;
    static constexpr std::uint32_t most_parts = 1U << 30U;

    struct Owner {
        bool changed = false;    ///< by somebody, in this epoch
        bool shared = false;     ///< by several
        std::uint32_t part = 0;  ///< who was first
    };

    /// `memory`: what kernels can reach, as the host sees it.
    explicit LineOwners(std::span<std::byte> memory);
    LineOwners(const LineOwners&) = delete;
    LineOwners& operator=(const LineOwners&) = delete;
    ~LineOwners();

    /// False where the process may not have so much address space: then nothing else may be called.
    [[nodiscard]] bool usable() const { return words_ != nullptr; }
    [[nodiscard]] bool covers(std::uintptr_t host) const { return host - begin_ < bytes_; }
    [[nodiscard]] std::uintptr_t begin() const { return begin_; }
    [[nodiscard]] std::byte* host(std::uint64_t line) const {
        return reinterpret_cast<std::byte*>(begin_ + (line << line_shift));
    }

    /// A part is about to change a line for the first time in an epoch. `save()` is called for the first of them,
    /// before any of them goes on.
    template <class Save>
    void claim(std::uint64_t line, std::uint32_t epoch, std::uint32_t part, Save&& save) {
        Word& word = words_[line];
        std::uint64_t seen = word.load(std::memory_order_acquire);
        for (;;) {
            if (static_cast<std::uint32_t>(seen >> 32U) != epoch) {
                const std::uint64_t mine = std::uint64_t{epoch} << 32U | part;
                if (!word.compare_exchange_weak(seen, mine | saving, std::memory_order_acquire)) continue;
                save();
                word.store(mine, std::memory_order_release);
                return;
            }
            if ((seen & saving) == 0) {
                word.fetch_or(shared, std::memory_order_acq_rel);
                return;
            }
            seen = word.load(std::memory_order_acquire);  // for as long as 128 bytes take to copy
        }
    }

    /// When nobody claims any more.
    [[nodiscard]] Owner owner(std::uint64_t line, std::uint32_t epoch) const {
        const std::uint64_t word = words_[line].load(std::memory_order_relaxed);
        if (static_cast<std::uint32_t>(word >> 32U) != epoch) return {};
        return {.changed = true,
                .shared = (word & shared) != 0,
                .part = static_cast<std::uint32_t>(word & (most_parts - 1))};
    }

  private:
    using Word = std::atomic<std::uint64_t>;  ///< epoch << 32 | saving | shared | part
    static constexpr std::uint64_t saving = 1U << 31U;
    static constexpr std::uint64_t shared = 1U << 30U;

    std::uintptr_t begin_ = 0;
    std::uint64_t bytes_ = 0;
    Word* words_ = nullptr;
};

}  // namespace sassafras::sim
