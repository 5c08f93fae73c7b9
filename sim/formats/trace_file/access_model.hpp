// What writer and reader of a trace both know of an instruction's accesses: where its next base lies if it goes on as
// before, in this warp or from warp to warp.
#pragma once

#include <cstdint>
#include <vector>

namespace sassafras::sim {

class AccessModel {
  public:
    /// Of one instruction. `mask` and `stride` are those of its last access.
    struct Site {
        std::uint32_t mask = 0;
        std::uint32_t warp = 0;  ///< the last that came here; 0 is none
        std::uint32_t high = 0;  ///< upper half of the last addresses of scattered lanes
        std::uint64_t stride = 0;
        std::uint64_t base = 0;
        std::uint64_t step = 0;          ///< between the last two bases of a warp
        std::uint64_t first = 0;         ///< the last warp's first base
        std::uint64_t first_step = 0;    ///< between the first bases of the last two warps
        std::uint64_t from_sibling = 0;  ///< base minus the base of the access before it
    };

    explicit AccessModel(std::size_t sites) : sites_(sites) {}

    void reset() {
        sites_.assign(sites_.size(), Site{});
        warp_ = 0;
        sibling_ = 0;
    }
    void begin_warp() {
        ++warp_;
        sibling_ = 0;
    }

    [[nodiscard]] Site& operator[](std::uint32_t site) { return sites_[site]; }
    [[nodiscard]] std::uint64_t predicted(const Site& site) const {
        return site.warp == warp_ ? site.base + site.step : site.first + site.first_step;
    }
    [[nodiscard]] std::uint64_t predicted_by_sibling(const Site& site) const { return sibling_ + site.from_sibling; }

    void update(Site& site, std::uint64_t base) {
        if (site.warp == warp_) {
            site.step = base - site.base;
        } else {
            site.first_step = base - site.first;
            site.first = base;
            site.warp = warp_;
        }
        site.base = base;
        site.from_sibling = base - sibling_;
        sibling_ = base;
    }

  private:
    std::vector<Site> sites_;
    std::uint32_t warp_ = 0;
    std::uint64_t sibling_ = 0;  ///< base of the warp's access before
};

}  // namespace sassafras::sim
