// Atomics of global memory that many lanes aim at one word get words of their own: the lanes of an access lie side by
// side in one line, and accesses go through lines that stay in L2. It is what privatised counters, or sums made in
// registers or shared memory first, come near to. A word counts as contended once as many lanes as a warp has have
// updated it; what an access finds before that stays where it is, and so do atomics on words that few share.
#include <algorithm>
#include <bit>
#include <unordered_map>

#include "sim/what_if/effects.hpp"

namespace sassafras::sim {

namespace {

/// Between what programs can allocate and the windows of shared and local memory; apart from moved_memory.
constexpr std::uint64_t own_words = 0x5000'0000'0000;
constexpr std::uint64_t own_lines = 256;  ///< so few are in L2 soon, and in all of its slices
constexpr std::uint32_t contended = warp_size;

class OwnWords final : public AccessRewriter {
  public:
    explicit OwnWords(const Platform& platform) : line_bytes_(platform.lsu.l1_line_bytes) {}

    [[nodiscard]] bool concerns(const PayloadSite& site) const override {
        return site.kind == SharedAccessKind::atomic &&
               (site.space == MemorySpace::global || site.space == MemorySpace::generic);
    }

    void rewrite(const PayloadSite& site, std::uint64_t /*before*/, AccessRecord& access) override {
        const std::uint32_t lanes = lanes_by_space(site.space, access).global;
        if (lanes == 0 || lanes != access.mask) return;
        bool is_contended = false;
        for (std::size_t lane = 0; lane < warp_size; ++lane)
            if ((lanes >> lane & 1U) != 0) is_contended |= ++updates_[access.address[lane]] > contended;
        if (!is_contended) return;
        const std::uint64_t bytes = std::uint64_t{warp_size} * site.width;
        const std::uint64_t lines = (bytes + line_bytes_ - 1) / line_bytes_;
        const std::uint64_t base = own_words + next_ % own_lines * lines * line_bytes_;
        ++next_;
        std::uint64_t place = 0;
        for (std::size_t lane = 0; lane < warp_size; ++lane)
            if ((lanes >> lane & 1U) != 0) access.address[lane] = base + place++ * site.width;
    }

  private:
    std::uint64_t line_bytes_;
    std::uint64_t next_ = 0;
    std::unordered_map<std::uint64_t, std::uint32_t> updates_;  ///< lanes so far, by address
};

}  // namespace

std::unique_ptr<AccessRewriter> without_atomic_contention(const Platform& platform) {
    return std::make_unique<OwnWords>(platform);
}

}  // namespace sassafras::sim
