// What the access before of the same instruction came to, for one that is like it. In a loop most are: lanes at the
// same distances from one another, as far into the row of banks or the line as before.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "sim/access/access_analysis.hpp"
#include "sim/trace/warp_trace.hpp"

namespace sassafras::sim {

/// An access in the form in which a trace holds it (WarpTrace::pop_access_words), and what it came to.
struct KnownAccess {
    static constexpr std::size_t most_words = 2 + warp_size / 2;  // those with all addresses in full are not kept

    std::array<std::uint64_t, most_words> words{};
    std::size_t count = 0;
    Wavefronts shared;
    std::uint32_t sectors = 0;
    std::uint32_t lines = 0;

    /// `period`: a power of two; what an access comes to stays the same if all of its addresses move by a multiple.
    [[nodiscard]] bool is_like(std::span<const std::uint64_t> access, std::uint64_t period) const {
        return access.size() == count && access[0] == words[0] && ((access[1] ^ words[1]) & (period - 1)) == 0 &&
               std::memcmp(&access[2], &words[2], (count - 2) * sizeof words[0]) == 0;
    }
    void keep(std::span<const std::uint64_t> access) {
        count = access.size() > most_words ? 0 : access.size();
        std::copy_n(access.begin(), count, words.begin());
    }
};

/// The wavefronts of shared accesses of an instruction, where the addresses are at hand.
class KnownWavefronts {
  public:
    explicit KnownWavefronts(BankGeometry banks)
        : banks_(banks), period_(std::uint64_t{banks.banks} * banks.bank_bytes) {
        if (!std::has_single_bit(period_)) period_ = 0;  // then nothing is like anything that has moved
    }

    Wavefronts of(const AccessRecord& access, std::uint32_t width, SharedAccessKind kind) {
        const std::uint64_t moved = access.address[0] - address_[0];
        std::uint64_t differs = (moved & (period_ - 1)) | (access.mask ^ mask_) | (kind == kind_ ? 0U : 1U);
        for (std::size_t lane = 0; lane < warp_size; ++lane) differs |= (access.address[lane] - address_[lane]) ^ moved;
        // Lanes outside the mask have any address: then it is counted again.
        if (differs == 0 && known_) return wavefronts_;
        known_ = true;
        mask_ = access.mask;
        kind_ = kind;
        address_ = access.address;
        return wavefronts_ = shared_wavefronts(access, width, kind, banks_);
    }

  private:
    BankGeometry banks_;
    std::uint64_t period_;
    bool known_ = false;
    std::uint32_t mask_ = 0;
    SharedAccessKind kind_ = SharedAccessKind::load;
    Wavefronts wavefronts_;
    std::array<std::uint64_t, warp_size> address_{};
};

}  // namespace sassafras::sim
