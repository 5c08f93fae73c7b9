// Partition and slice as an H200 finds them: parities of address bits form a number, to which the bits above some place
// are added as digits of more weight; modulo the number of slices it is the slice. Another parity is the partition.
//
// Source: validate/records/h200/probes/slice_map.cu. Latencies of hits, seen from 24 SMs, tell slices apart; of 524,288
// lines side by side and of 262,144 in 8,192 pages, every one lies where this rule has it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "sim/platform/platform.hpp"
#include "sim/timing/memory/hashed_rows.hpp"
#include "sim/timing/memory/mix.hpp"

namespace sassafras::sim {

class XorModuloMap {
  public:
    explicit XorModuloMap(const Platform& platform)
        : line_bytes_(platform.lsu.l1_line_bytes),
          granule_bytes_(platform.l2.partition_granule_bytes),
          quotient_bit_(platform.l2.slice_quotient_bit),
          partitions_(platform.l2.partitions),
          partition_slices_(platform.l2.slices / platform.l2.partitions),
          rows_(platform) {
        const auto& slice_hash = platform.l2.slice_hash;
        const auto& partition_hash = platform.l2.partition_hash;
        for (const std::uint32_t flipped : slice_hash)
            hash_bits_ = std::max(hash_bits_, static_cast<unsigned>(std::bit_width(flipped)));
        for (std::size_t bit = 0; bit < most_hashed_bits; ++bit) {
            const std::uint32_t flipped = (bit < slice_hash.size() ? slice_hash[bit] : 0U) |
                                          (bit < partition_hash.size() ? partition_hash[bit] << partition_bit : 0U);
            for (std::uint32_t byte = 0; byte < 256; ++byte)
                if ((byte >> (bit % 8) & 1U) != 0) flips_[bit / 8][byte] ^= flipped;
        }
    }

    /// Of more partitions than two a hash says which, for want of a GPU to ask.
    [[nodiscard]] std::uint32_t partition(std::uint64_t line) const {
        if (partitions_ == 1) return 0;
        if (partitions_ == 2) return parities(line) >> partition_bit;
        return static_cast<std::uint32_t>(mix(line * line_bytes_ / granule_bytes_) % partitions_);
    }
    [[nodiscard]] std::uint32_t slice_of_partition(std::uint64_t line) const {
        const std::uint64_t number = parities(line) & ((1U << partition_bit) - 1U);
        const std::uint64_t quotient = line * line_bytes_ >> quotient_bit_;
        return static_cast<std::uint32_t>(((quotient << hash_bits_) + number) % partition_slices_);
    }
    [[nodiscard]] std::uint32_t channel(std::uint32_t slice) const { return rows_.channel(slice); }
    [[nodiscard]] DramRow row(std::uint64_t line) const { return rows_.row(line); }

  private:
    static constexpr unsigned partition_bit = 31;

    /// Bit 31: the partition; below it the slice's number.
    [[nodiscard]] std::uint32_t parities(std::uint64_t line) const {
        return flips_[0][line & 255U] ^ flips_[1][line >> 8U & 255U] ^ flips_[2][line >> 16U & 255U] ^
               flips_[3][line >> 24U & 255U];
    }

    /// What the bits of a byte of a line's number flip, byte by byte.
    std::array<std::array<std::uint32_t, 256>, most_hashed_bits / 8> flips_{};
    std::uint64_t line_bytes_;
    std::uint64_t granule_bytes_;
    std::uint32_t quotient_bit_;
    unsigned hash_bits_ = 0;
    std::uint32_t partitions_;
    std::uint64_t partition_slices_;
    HashedRows rows_;
};

}  // namespace sassafras::sim
