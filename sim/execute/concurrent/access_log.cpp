#include "sim/execute/concurrent/access_log.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace sassafras::sim {

namespace {

constexpr unsigned first_table_bits = 10;
constexpr std::uint64_t spread = 0x9e37'79b9'7f4a'7c15;  // 2^64 over the golden ratio
constexpr std::uint64_t offset_mask = LineOwners::line_bytes - 1;

/// The words that `size` bytes at an offset of the line touch; they are aligned.
constexpr std::uint32_t words_at(std::uint64_t offset, std::uint32_t size) {
    const std::uint32_t count = (size + 3) / 4;
    return ((1U << count) - 1U) << (offset / 4);
}

/// Lane i's address is lane 0's + i * size.
bool is_contiguous(const LaneAddresses& address, std::uint32_t size) {
    const auto* vectors = reinterpret_cast<const U64x4*>(address.lane.data());
    const std::uint64_t step = size;
    U64x4 expected = U64x4{0, step, 2 * step, 3 * step} + address.lane[0];
    U64x4 differs{};
    for (int i = 0; i < warp_size / 4; ++i) {
        differs |= vectors[i] ^ expected;
        expected += 4 * step;
    }
    return (differs[0] | differs[1] | differs[2] | differs[3]) == 0;
}

}  // namespace

void AccessLog::begin(LineOwners& owners, Regions& regions, std::uint32_t epoch, std::uint32_t part,
                      std::size_t instructions) {
    owners_ = &owners;
    regions_ = &regions;
    base_ = regions.base();
    epoch_ = epoch;
    part_ = part;
    if (table_.empty()) {
        table_.resize(std::size_t{1} << first_table_bits);
        shift_ = 64 - first_table_bits;
    }
    if (places_.size() < instructions) places_.resize(instructions);
    used_.clear();
    trusted_.clear();
    images_.clear();
    reductions_.clear();
    fault = {};
    failed = false;
}

bool AccessLog::extend(Place& place, std::uint64_t address, AccessKind kind) {
    Region* region = place.count == Place::most_ranges ? nullptr : regions_->find(address);
    if (region == nullptr) return false;
    place.ranges[place.count++] = {region->extent.begin, region->extent.end};
    if (kind != AccessKind::read) {
        std::uint32_t never = 0;
        region->first_changed.compare_exchange_strong(never, epoch_, std::memory_order_relaxed);
    } else if (region->first_changed.load(std::memory_order_relaxed) == 0) {
        trusted_.push_back(regions_->index_of(*region));
        return true;
    }
    place.recorded = true;
    return true;
}

AccessLog::Line& AccessLog::line(std::uint64_t number) {
    const std::size_t mask = table_.size() - 1;
    for (std::size_t at = number * spread >> shift_;; at = (at + 1) & mask) {
        Line& line = table_[at];
        if (line.epoch == epoch_) {
            if (line.number == number) return line;
            continue;
        }
        if (2 * used_.size() >= table_.size()) {
            grow();
            return this->line(number);
        }
        line = {.number = number, .epoch = epoch_};
        used_.push_back(static_cast<std::uint32_t>(at));
        return line;
    }
}

void AccessLog::grow() {
    std::vector<Line> lines;
    lines.reserve(used_.size());
    for_each_line([&](const Line& line) { lines.push_back(line); });
    table_.assign(2 * table_.size(), Line{});
    --shift_;
    used_.clear();
    for (const Line& known : lines) line(known.number) = known;
}

const AccessLog::Line* AccessLog::find(std::uint64_t number) const {
    const std::size_t mask = table_.size() - 1;
    for (std::size_t at = number * spread >> shift_;; at = (at + 1) & mask) {
        const Line& line = table_[at];
        if (line.epoch != epoch_) return nullptr;
        if (line.number == number) return &line;
    }
}

template <AccessKind kind>
void AccessLog::note_words(std::uint64_t number, std::uint32_t words) {
    Line& line = this->line(number);
    if constexpr (kind == AccessKind::read) {
        line.read |= words;
        return;
    }
    if (line.changed() == 0)
        owners_->claim(number, epoch_, part_, [&] {
            Image& image = images_.emplace_back();
            image.line = number;
            std::memcpy(image.bytes.data(), owners_->host(number), image.bytes.size());
        });
    (kind == AccessKind::write ? line.written : line.reduced) |= words;
}

template <AccessKind kind>
bool AccessLog::note_lanes(std::uintptr_t base, const LaneAddresses& address, std::uint32_t mask, std::uint32_t size) {
    const std::uintptr_t to_offset = base - owners_->begin();
    if (mask == full_mask && size >= 4 && is_contiguous(address, size)) {
        const std::uint64_t first = address.lane[0] + to_offset;
        const std::uint64_t last = first + std::uint64_t{warp_size} * size - 1;
        if (!owners_->covers(owners_->begin() + first) || !owners_->covers(owners_->begin() + last)) return false;
        for (std::uint64_t number = first >> LineOwners::line_shift; number <= last >> LineOwners::line_shift;
             ++number) {
            std::uint32_t words = ~std::uint32_t{0};
            if (number == first >> LineOwners::line_shift) words &= ~std::uint32_t{0} << (first & offset_mask) / 4;
            if (number == last >> LineOwners::line_shift) words &= ~std::uint32_t{0} >> (31 - (last & offset_mask) / 4);
            note_words<kind>(number, words);
        }
        return true;
    }
    std::uint64_t current = ~std::uint64_t{0};
    std::uint32_t words = 0;
    bool covered = true;
    for_each_lane(mask, [&](int lane) {
        const std::uint64_t offset = address.lane[static_cast<std::size_t>(lane)] + to_offset;
        const std::uint64_t number = offset >> LineOwners::line_shift;
        if (number != current) {
            if (words != 0) note_words<kind>(current, words);
            words = 0;
            current = number;
            covered = covered && owners_->covers(owners_->begin() + offset);
            if (!covered) return;
        }
        if (covered) words |= words_at(offset & offset_mask, size);
    });
    if (covered && words != 0) note_words<kind>(current, words);
    return covered;
}

bool AccessLog::note(AccessKind kind, std::uintptr_t base, const LaneAddresses& address, std::uint32_t mask,
                     std::uint32_t size) {
    switch (kind) {
        case AccessKind::read: return note_lanes<AccessKind::read>(base, address, mask, size);
        case AccessKind::write: return note_lanes<AccessKind::write>(base, address, mask, size);
        case AccessKind::atomic: return note_lanes<AccessKind::atomic>(base, address, mask, size);
    }
    return false;
}

bool AccessLog::note(AccessKind kind, const std::byte* host, std::uint32_t size) {
    const auto at = reinterpret_cast<std::uintptr_t>(host);
    if (!owners_->covers(at)) return false;
    const std::uint64_t offset = at - owners_->begin();
    const std::uint64_t number = offset >> LineOwners::line_shift;
    const std::uint32_t words = words_at(offset & offset_mask, size);
    switch (kind) {
        case AccessKind::read: note_words<AccessKind::read>(number, words); break;
        case AccessKind::write: note_words<AccessKind::write>(number, words); break;
        case AccessKind::atomic: note_words<AccessKind::atomic>(number, words); break;
    }
    return true;
}

void AccessLog::undo() const {
    for (const Image& image : images_) std::memcpy(owners_->host(image.line), image.bytes.data(), image.bytes.size());
}

}  // namespace sassafras::sim
