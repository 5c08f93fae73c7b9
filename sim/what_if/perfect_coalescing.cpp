// Each access to global memory touches the least sectors that its bytes need. There has to be a layout of the data
// under which it does, or nobody could write such a program, and the same bytes would be counted for others: so data
// moves. What an access that needs more sectors finds where it always was is given a new place, beside what the other
// lanes of that access touch, for the rest of the run; arrays that are accessed in order stay where they are. What one
// instruction moves lies together, as a field does in a structure of arrays, and in it what all warps come to after as
// many accesses, as if each began where the one before it does: so do grids that stride through an array. Where two
// accesses want the same data in different orders, the later one touches the first of the sectors in which its data is.
#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>
#include <vector>

#include "sim/what_if/effects.hpp"

namespace sassafras::sim {

namespace {

/// Where data is that has moved: between what programs can allocate and the windows of shared and local memory.
constexpr std::uint64_t moved_memory = 0x4000'0000'0000;
constexpr std::uint64_t page_bytes = std::uint64_t{1} << 14U;
constexpr std::uint32_t largest_unit = 4;
/// An instruction gets places by so many bytes, a page of a GPU's memory; the rounds of a loop get parts of it.
constexpr std::uint64_t chunk_bytes = std::uint64_t{1} << 21U;
constexpr std::uint64_t part_bytes = std::uint64_t{1} << 14U;
constexpr std::uint64_t most_parts = 4096;  ///< of an instruction that are filled at a time

/// Room for data, bytes behind moved_memory.
struct Arena {
    std::uint64_t next = 0;
    std::uint64_t end = 0;
};

/// New places of the data of a page, by units as wide as the first access to it, 4 bytes at most.
struct Page {
    static constexpr std::uint32_t nowhere = 0;      ///< not touched yet
    static constexpr std::uint32_t as_it_was = ~0U;  ///< stays
    std::uint32_t unit_shift = 0;
    std::vector<std::uint32_t> places;  ///< nowhere, as_it_was, or in units behind moved_memory
};

class LeastSectors final : public AccessRewriter {
  public:
    explicit LeastSectors(const Platform& platform)
        : lines_{.line_bytes = platform.lsu.l1_line_bytes, .sector_bytes = platform.lsu.sector_bytes} {}

    [[nodiscard]] bool concerns(const PayloadSite& site) const override {
        return site.space == MemorySpace::global || site.space == MemorySpace::generic;
    }

    void rewrite(const PayloadSite& site, std::uint64_t before, AccessRecord& access) override;

  private:
    /// Calls visit(page, number of the unit) for each unit of `width` bytes at an address.
    template <class Visit>
    void for_each_unit(std::uint64_t address, std::uint32_t width, const Visit& visit);
    Page& page_of(std::uint64_t address, std::uint32_t width);
    void collect_addresses(const AccessRecord& access, std::uint32_t lanes);
    [[nodiscard]] std::uint64_t sectors_of_bytes(std::uint64_t bytes) const {
        return (bytes + lines_.sector_bytes - 1) / lines_.sector_bytes;
    }
    [[nodiscard]] bool is_in_order(std::uint32_t width);
    void settle(const PayloadSite& site, std::uint64_t before);
    [[nodiscard]] Arena& room_for(std::uint64_t bytes, const PayloadSite& site, std::uint64_t before);
    void collect_sectors(std::uint32_t width);

    LineGeometry lines_;
    std::unordered_map<std::uint64_t, Page> pages_;
    std::uint64_t last_number_ = ~std::uint64_t{0};
    Page* last_page_ = nullptr;
    std::unordered_map<std::uint32_t, Arena> chunks_;  ///< by instruction
    std::unordered_map<std::uint64_t, Arena> parts_;   ///< by instruction and round
    std::uint64_t given_ = chunk_bytes;                ///< to instructions; a place is never 0
    // Of the access at hand.
    std::vector<std::uint64_t> addresses_;                   ///< different ones, in order of the lanes
    std::array<std::uint8_t, warp_size> address_of_lane_{};  ///< index of each lane's
    std::vector<std::uint64_t> sectors_;                     ///< numbers of those in which its data is
};

Page& LeastSectors::page_of(std::uint64_t address, std::uint32_t width) {
    const std::uint64_t number = address / page_bytes;
    if (number == last_number_) return *last_page_;
    Page& page = pages_[number];  // nodes of the map stay where they are
    if (page.places.empty()) {
        page.unit_shift = static_cast<std::uint32_t>(std::countr_zero(std::min(width, largest_unit)));
        page.places.assign(page_bytes >> page.unit_shift, Page::nowhere);
    }
    last_number_ = number;
    last_page_ = &page;
    return page;
}

template <class Visit>
void LeastSectors::for_each_unit(std::uint64_t address, std::uint32_t width, const Visit& visit) {
    for (std::uint64_t at = address; at < address + width;) {
        Page& page = page_of(at, width);
        const std::uint64_t unit = (at % page_bytes) >> page.unit_shift;
        visit(page, page.places[unit], at >> page.unit_shift << page.unit_shift);
        at = ((at >> page.unit_shift) + 1) << page.unit_shift;
    }
}

void LeastSectors::collect_addresses(const AccessRecord& access, std::uint32_t lanes) {
    addresses_.clear();
    for (std::size_t lane = 0; lane < warp_size; ++lane) {
        if ((lanes >> lane & 1U) == 0) continue;
        const auto known = std::find(addresses_.begin(), addresses_.end(), access.address[lane]);
        address_of_lane_[lane] = static_cast<std::uint8_t>(known - addresses_.begin());
        if (known == addresses_.end()) addresses_.push_back(access.address[lane]);
    }
}

/// Where its data was at first it is in as few sectors as it needs, and none of it has moved.
bool LeastSectors::is_in_order(std::uint32_t width) {
    sectors_.clear();
    bool has_moved = false;
    for (const std::uint64_t address : addresses_) {
        for (std::uint64_t sector = address / lines_.sector_bytes;
             sector <= (address + width - 1) / lines_.sector_bytes; ++sector)
            if (std::find(sectors_.begin(), sectors_.end(), sector) == sectors_.end()) sectors_.push_back(sector);
        for_each_unit(address, width, [&](Page&, std::uint32_t place, std::uint64_t) {
            has_moved = has_moved || (place != Page::nowhere && place != Page::as_it_was);
        });
    }
    return !has_moved && sectors_.size() <= sectors_of_bytes(addresses_.size() * width);
}

/// Where the next `bytes` are in no more sectors and lines than they need.
Arena& LeastSectors::room_for(std::uint64_t bytes, const PayloadSite& site, std::uint64_t before) {
    Arena& part = parts_[site.instruction * most_parts + before % most_parts];
    for (const std::uint64_t of : {lines_.sector_bytes, lines_.line_bytes})
        if (part.next % of != 0 && (part.next % of + bytes + of - 1) / of > (bytes + of - 1) / of)
            part.next = (part.next + of - 1) / of * of;
    const std::uint64_t unaligned = part.next % largest_unit == 0 ? 0 : largest_unit;
    if (part.next + unaligned + bytes <= part.end) return part;
    Arena& chunk = chunks_[site.instruction];
    if (chunk.next == chunk.end) {
        chunk = {given_, given_ + chunk_bytes};
        given_ += chunk_bytes;
    }
    part = {chunk.next, chunk.next + part_bytes};
    chunk.next += part_bytes;
    return part;
}

/// Gives what is nowhere yet a place.
void LeastSectors::settle(const PayloadSite& site, std::uint64_t before) {
    std::uint64_t bytes = 0;
    for (const std::uint64_t address : addresses_)
        for_each_unit(address, site.width, [&](const Page& page, std::uint32_t place, std::uint64_t) {
            if (place == Page::nowhere) bytes += std::uint64_t{1} << page.unit_shift;
        });
    if (bytes == 0) return;
    Arena& arena = room_for(bytes, site, before);
    for (const std::uint64_t address : addresses_)
        for_each_unit(address, site.width, [&](const Page& page, std::uint32_t& place, std::uint64_t) {
            if (place != Page::nowhere) return;
            const std::uint64_t unit = std::uint64_t{1} << page.unit_shift;
            arena.next = (arena.next + unit - 1) & ~(unit - 1);
            place = static_cast<std::uint32_t>(arena.next >> page.unit_shift);
            arena.next += unit;
        });
}

void LeastSectors::collect_sectors(std::uint32_t width) {
    sectors_.clear();
    for (const std::uint64_t address : addresses_)
        for_each_unit(address, width, [&](const Page& page, std::uint32_t place, std::uint64_t at) {
            const std::uint64_t now =
                place == Page::as_it_was ? at : moved_memory + (std::uint64_t{place} << page.unit_shift);
            const std::uint64_t sector = now / lines_.sector_bytes;
            if (std::find(sectors_.begin(), sectors_.end(), sector) == sectors_.end()) sectors_.push_back(sector);
        });
}

void LeastSectors::rewrite(const PayloadSite& site, std::uint64_t before, AccessRecord& access) {
    const std::uint32_t lanes = lanes_by_space(site.space, access).global;
    if (lanes == 0) return;
    collect_addresses(access, lanes);
    if (is_in_order(site.width)) {
        for (const std::uint64_t address : addresses_)
            for_each_unit(address, site.width,
                          [&](Page&, std::uint32_t& place, std::uint64_t) { place = Page::as_it_was; });
        return;
    }
    settle(site, before);
    collect_sectors(site.width);
    // Lanes side by side: no address lies across two sectors, as accesses are aligned.
    for (std::size_t lane = 0; lane < warp_size; ++lane) {
        if ((lanes >> lane & 1U) == 0) continue;
        const std::uint64_t at = std::uint64_t{address_of_lane_[lane]} * site.width;
        access.address[lane] = sectors_[at / lines_.sector_bytes] * lines_.sector_bytes + at % lines_.sector_bytes;
    }
    access.affine = false;
}

}  // namespace

std::unique_ptr<AccessRewriter> in_least_sectors(const Platform& platform) {
    return std::make_unique<LeastSectors>(platform);
}

}  // namespace sassafras::sim
