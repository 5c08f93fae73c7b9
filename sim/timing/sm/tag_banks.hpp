// In which cycles the lines of an access are looked up in L1: a cycle looks up one in each bank of tags, and which bank
// has a line is a hash of its number (validate/records/h200/probes/l1_tags.cu, l1_gather.cu).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/platform/platform.hpp"

namespace sassafras::sim {

class TagBanks {
  public:
    explicit TagBanks(const LsuParameters& lsu) : banks_(lsu.tags_per_cycle) {
        const auto bits = static_cast<std::size_t>(std::bit_width(banks_ - 1));
        masks_.assign(bits, 0);
        for (std::size_t bit = 0; bit < std::min<std::size_t>(lsu.tag_hash.size(), 64); ++bit)
            for (std::size_t of = 0; of < bits; ++of)
                if ((lsu.tag_hash[bit] >> of & 1U) != 0) masks_[of] |= std::uint64_t{1} << bit;
    }

    /// The bank of a line, given its number (address / line size).
    [[nodiscard]] std::uint32_t bank_of(std::uint64_t line) const {
        std::uint32_t bank = 0;
        for (std::size_t of = 0; of < masks_.size(); ++of)
            bank |= static_cast<std::uint32_t>(std::popcount(line & masks_[of]) & 1) << of;
        return bank % banks_;
    }
    [[nodiscard]] std::uint32_t banks() const { return banks_; }

  private:
    std::uint32_t banks_;
    std::vector<std::uint64_t> masks_;  ///< of each bit of the bank's number, the bits of a line whose parity it is
};

/// The lookups of one access.
struct TagPasses {
    static constexpr std::size_t most_banks = 32;
    static constexpr std::size_t most_passes = 64;  ///< as an access has lines
    std::array<std::uint8_t, most_banks> lines_of_bank{};
    std::array<std::uint64_t, most_passes> at;  ///< the cycles of the first `count` passes
    std::uint32_t count = 0;
};

}  // namespace sassafras::sim
