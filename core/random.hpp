// Seeded random numbers that are the same on every machine and standard library: xoshiro256** (Blackman and Vigna),
// seeded by SplitMix64.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace sassafras {

/// SplitMix64; every seed, zero included, yields a good sequence.
class SplitMix64 {
  public:
    explicit constexpr SplitMix64(std::uint64_t seed) : state_(seed) {}
    constexpr std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t mixed = state_;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
        return mixed ^ (mixed >> 31);
    }

  private:
    std::uint64_t state_;
};

class Random {
  public:
    explicit constexpr Random(std::uint64_t seed) {
        SplitMix64 words(seed);
        for (std::uint64_t& word : state_) word = words.next();
    }

    /// Continues from a state, which must not be all zeros.
    explicit constexpr Random(const std::array<std::uint64_t, 4>& state) : state_(state) {}

    /// To continue from later.
    [[nodiscard]] constexpr const std::array<std::uint64_t, 4>& state() const { return state_; }

    constexpr std::uint64_t next_u64() {
        const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
        const std::uint64_t shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    constexpr std::uint32_t next_u32() { return static_cast<std::uint32_t>(next_u64() >> 32); }

    /// Uniform in [0, bound), without bias; 0 if bound is 0.
    constexpr std::uint64_t below(std::uint64_t bound) {
        if (bound == 0) return 0;
        const std::uint64_t rejected = (0 - bound) % bound;  // 2^64 mod bound: the surplus of the lowest values
        std::uint64_t value = next_u64();
        while (value < rejected) value = next_u64();
        return value % bound;
    }

    /// Uniform in [-1, 1), a multiple of 2^-23: exact in float.
    constexpr float signed_unit() {
        return static_cast<float>(static_cast<std::int32_t>(next_u64() >> 40) - (1 << 23)) * 0x1p-23F;
    }

  private:
    std::array<std::uint64_t, 4> state_{};
};

}  // namespace sassafras
