// Lanes of an access with conflicts get addresses side by side, which are served in as few wavefronts as Nsight
// Compute's "ideal" has. An access without conflicts keeps its own.
#include <algorithm>
#include <bit>

#include "sim/trace/address_windows.hpp"
#include "sim/what_if/effects.hpp"

namespace sassafras::sim {

namespace {

class SideBySide final : public AccessRewriter {
  public:
    explicit SideBySide(const Platform& platform)
        : banks_{.banks = platform.sm.shared_banks, .bank_bytes = platform.sm.shared_bank_bytes} {}

    [[nodiscard]] bool concerns(const PayloadSite& site) const override {
        return site.space == MemorySpace::shared || site.space == MemorySpace::generic;
    }

    void rewrite(const PayloadSite& site, std::uint64_t /*before*/, AccessRecord& access) override {
        // Of a generic access, all lanes or none: those that it moves would come among those of other spaces.
        if (lanes_by_space(site.space, access).shared != access.mask) return;
        const Wavefronts wavefronts = shared_wavefronts(access, site.width, site.kind, banks_);
        if (wavefronts.actual == wavefronts.ideal) return;
        const auto lanes = static_cast<std::uint32_t>(std::popcount(access.mask));
        access.mask = lanes == warp_size ? ~0U : (1U << lanes) - 1U;
        const std::uint64_t base = site.space == MemorySpace::generic ? shared_window : 0;
        // Atomics do not share what a bank serves at a time.
        const bool is_atomic = !shares_words(site.kind);
        const std::uint64_t step = is_atomic ? std::max(site.width, banks_.bank_bytes) : site.width;
        for (std::size_t lane = 0; lane < warp_size; ++lane) access.address[lane] = base + lane * step;
    }

  private:
    BankGeometry banks_;
};

}  // namespace

std::unique_ptr<AccessRewriter> without_bank_conflicts(const Platform& platform) {
    return std::make_unique<SideBySide>(platform);
}

}  // namespace sassafras::sim
