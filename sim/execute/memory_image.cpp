#include "sim/execute/memory_image.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include <fmt/format.h>

#include "sim/execute/affordable_space.hpp"
#include "sim/execute/touched_pages.hpp"

namespace sassafras::sim {

namespace {
constexpr std::uint64_t host_page = 4096;

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }

void clear_range(std::byte* arena, std::uint64_t begin, std::uint64_t size) {
    const std::uint64_t end = begin + size;
    const std::uint64_t first_page = round_up(begin, host_page);
    const std::uint64_t last_page = end / host_page * host_page;
    if (first_page >= last_page || madvise(arena + first_page, last_page - first_page, MADV_DONTNEED) != 0) {
        std::memset(arena + begin, 0, size);
        return;
    }
    std::memset(arena + begin, 0, first_page - begin);
    std::memset(arena + last_page, 0, end - last_page);
}

Error outside(const char* what, std::uint64_t address, std::uint64_t size) {
    return {ErrorKind::bad_input,
            fmt::format("{} of {} bytes at device address {:#x} leaves every live allocation", what, size, address), "",
            "check the address and the size against the allocation"};
}
}  // namespace

MemoryImage::MemoryImage(Bytes capacity, std::uint64_t first_address, Mapping mapping)
    : wanted_capacity_(round_up(capacity.count, alignment)),
      capacity_(wanted_capacity_),
      page_(mapping.page.count),
      below_(mapping.below.count),
      first_address_(first_address) {
    require_invariant(page_ == 0 || (first_address % page_ == 0 && below_ % page_ == 0), "memory begins with a page");
    if (const std::uint64_t space = affordable_space(reserved()); space < reserved()) {
        const std::uint64_t unit = std::max(page_, alignment);
        below_ = std::min(below_, space / 4 / unit * unit);  // the driver's part is the smaller one then
        capacity_ = (space - below_) / unit * unit;
    }
    // Address space only: a page takes memory when it is first touched.
    void* arena = capacity_ == 0 ? MAP_FAILED
                                 : mmap(nullptr, reserved(), PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (arena == MAP_FAILED)
        capacity_ = 0;
    else
        arena_ = static_cast<std::byte*>(arena) + below_;
}

MemoryImage::~MemoryImage() {
    if (arena_ != nullptr) munmap(arena_ - below_, reserved());
}

/// Bytes of host address space: the last page is whole, as the others are.
std::uint64_t MemoryImage::reserved() const { return below_ + (page_ == 0 ? capacity_ : round_up(capacity_, page_)); }

Result<Address> MemoryImage::allocate(Bytes size) {
    const std::uint64_t wanted = size.count == 0 ? alignment : size.count;
    // An unused stretch behind every allocation makes a small overrun fault, as compute-sanitizer's padding does.
    const std::uint64_t needed = wanted > capacity_ ? wanted : round_up(wanted, alignment) + alignment;
    if (const auto hole = holes_.take(needed)) {
        live_[*hole] = wanted;
        return Address{first_address_ + *hole};
    }
    if (needed > capacity_ - next_ && !freed_order_.empty()) {
        release_oldest_freed();
        return allocate(size);
    }
    if (needed > capacity_ - next_) {
        const std::uint64_t used = capacity_ - available().count;
        has_fallen_short_ = has_fallen_short_ || (capacity_ < wanted_capacity_ && needed <= wanted_capacity_ - used);
        return out_of_device_memory(wanted, capacity_ - next_, capacity_);
    }
    const std::uint64_t offset = next_;
    next_ += needed;
    live_[offset] = wanted;
    return Address{first_address_ + offset};
}

Result<void> MemoryImage::free(Address address) {
    const auto found = address.value < first_address_ ? live_.end() : live_.find(address.value - first_address_);
    if (found == live_.end())
        return Error{ErrorKind::bad_input,
                     fmt::format("free of {:#x}, which no live allocation starts at", address.value), "",
                     "free what allocate returned, once"};
    const std::uint64_t offset = found->first;
    if (lent_.contains(offset)) return take_back(address);
    const std::uint64_t size = round_up(found->second, alignment) + alignment;
    // Memory given back reads as zero when it is allocated again, so a run does not depend on what was freed before.
    clear_range(arena_, offset, size);
    if (has_exact_bounds()) {
        if (divided_.erase(offset) != 0)
            parts_.erase(parts_.lower_bound(offset), parts_.lower_bound(offset + found->second));
        freed_[offset] = found->second;
        freed_order_.push_back(offset);
        freed_bytes_ += size;
        live_.erase(found);
        while (freed_bytes_ > capacity_ / 2) release_oldest_freed();
        return {};
    }
    live_.erase(found);
    holes_.add(offset, size);
    if (const auto last = holes_.take_ending_at(next_)) next_ = *last;
    return {};
}

void MemoryImage::release_oldest_freed() {
    const auto oldest = freed_.find(freed_order_.front());
    const std::uint64_t size = round_up(oldest->second, alignment) + alignment;
    holes_.add(oldest->first, size);
    freed_bytes_ -= size;
    freed_.erase(oldest);
    freed_order_.pop_front();
    if (const auto last = holes_.take_ending_at(next_)) next_ = *last;
}

MemoryImage::Extent MemoryImage::find(std::uint64_t address) const {
    if (address - first_address_ < capacity_) {
        const std::uint64_t offset = address - first_address_;
        auto after = live_.upper_bound(offset);
        if (after == live_.begin()) return {};
        --after;
        if (offset - after->first >= after->second) return {};
        return {first_address_ + after->first, first_address_ + after->first + after->second, host_of(after->first)};
    }
    auto after = attached_.upper_bound(address);
    if (after == attached_.begin()) return {};
    --after;
    if (address - after->first >= after->second) return {};
    return {after->first, after->first + after->second, reinterpret_cast<std::byte*>(after->first)};
}

std::vector<MemoryImage::Extent> MemoryImage::allocations() const {
    std::vector<Extent> all;
    for (const auto& [offset, size] : live_)
        if (!lent_.contains(offset))
            all.push_back({first_address_ + offset, first_address_ + offset + size, arena_ + offset});
    return all;
}

MemoryImage::Extent MemoryImage::reachable(std::uint64_t address) const {
    if (page_ != 0) {
        const bool is_device = address - (first_address_ - below_) < reserved();
        return is_device ? mapped_pages(address) : attached_around(address);
    }
    const Extent whole = find(address);
    if (divided_.empty() || whole.host == nullptr || !divided_.contains(whole.begin - first_address_)) return whole;
    const std::uint64_t offset = address - first_address_;
    auto part = parts_.upper_bound(offset);
    if (part == parts_.begin()) return {};
    --part;
    if (offset - part->first >= part->second) return {};
    return {first_address_ + part->first, first_address_ + part->first + part->second, arena_ + part->first};
}

/// Pages are mapped from the one in which the first allocation of the address' page begins to the one in which the last
/// ends, and those of allocations whose pages adjoin. Arrays that a program allocates together are so one range, which
/// saves looking them up lane by lane; beyond `most_neighbours` more may be mapped.
MemoryImage::Extent MemoryImage::mapped_pages(std::uint64_t address) const {
    const bool is_below = address < first_address_;
    const std::uint64_t page = is_below ? 0 : (address - first_address_) / page_ * page_;
    auto first = live_.upper_bound(page);
    if (first != live_.begin()) {
        const auto before = std::prev(first);
        if (before->first + before->second > page) first = before;
    }
    const auto behind = live_.lower_bound(page + page_);
    if (first == behind || first->first >= page + page_)
        return is_below ? Extent{first_address_ - below_, first_address_, arena_ - below_} : Extent{};
    constexpr int most_neighbours = 16;
    auto last = std::prev(behind);
    std::uint64_t begin = first->first / page_ * page_;
    std::uint64_t end = round_up(last->first + last->second, page_);
    for (int i = 0; i < most_neighbours && first != live_.begin(); ++i) {
        const auto before = std::prev(first);
        if (round_up(before->first + before->second, page_) < begin) break;
        first = before;
        begin = first->first / page_ * page_;
    }
    for (int i = 0; i < most_neighbours && std::next(last) != live_.end(); ++i) {
        const auto after = std::next(last);
        if (after->first / page_ * page_ > end) break;
        last = after;
        end = round_up(last->first + last->second, page_);
    }
    if (has_lent_within(begin, end)) return find(address);
    const std::uint64_t below = begin == 0 ? below_ : 0;
    return {first_address_ + begin - below, first_address_ + end, arena_ + begin - below};
}

/// The host maps its memory in its own pages.
MemoryImage::Extent MemoryImage::attached_around(std::uint64_t address) const {
    const std::uint64_t page = address / host_page * host_page;
    auto after = attached_.lower_bound(page + host_page);
    if (after == attached_.begin()) return {};
    --after;
    if (after->first + after->second <= page) return {};
    const std::uint64_t begin = after->first / host_page * host_page;
    return {begin, round_up(after->first + after->second, host_page), reinterpret_cast<std::byte*>(begin)};
}

void MemoryImage::divide(Address allocation) {
    if (has_exact_bounds()) divided_.insert(allocation.value - first_address_);
}

void MemoryImage::add_part(Address begin, Bytes size) {
    if (has_exact_bounds()) parts_[begin.value - first_address_] = size.count;
}

void MemoryImage::remove_part(Address begin) { parts_.erase(begin.value - first_address_); }

MemoryImage::Extent MemoryImage::freed(std::uint64_t address) const {
    if (const auto former = former_.find(address)) return {former->first, former->first + former->second, nullptr};
    if (address < first_address_) return {};
    auto after = freed_.upper_bound(address - first_address_);
    if (after == freed_.begin()) return {};
    --after;
    if (address - first_address_ - after->first >= after->second) return {};
    return {first_address_ + after->first, first_address_ + after->first + after->second, nullptr};
}

void MemoryImage::remember_freed(Address begin, Bytes size) {
    if (has_exact_bounds()) former_.add(begin.value, size.count);
}

std::map<std::uint64_t, std::uint64_t> MemoryImage::given_out() const {
    std::map<std::uint64_t, std::uint64_t> all = former_.all();
    for (const Ranges* ranges : {&live_, &freed_})
        for (const auto& [offset, size] : *ranges) all[first_address_ + offset] = size;
    return all;
}

MemoryImage::Extent MemoryImage::nearest(std::uint64_t address) const {
    Extent nearest;
    std::uint64_t least = ~std::uint64_t{0};
    const auto consider = [&](const Ranges& allocations, auto after, std::uint64_t first) {
        const auto look = [&](auto allocation) {
            if (&allocations == &live_ && divided_.contains(allocation->first)) return;
            const std::uint64_t begin = first + allocation->first;
            const std::uint64_t end = begin + allocation->second;
            const std::uint64_t distance = address < begin ? begin - address : address < end ? 0 : address - end + 1;
            if (distance >= least) return;
            least = distance;
            nearest = {begin, end, nullptr};
        };
        if (after != allocations.end()) look(after);
        if (after != allocations.begin()) look(std::prev(after));
    };
    const std::uint64_t offset = address < first_address_ ? 0 : address - first_address_;
    consider(live_, live_.upper_bound(offset), first_address_);
    consider(parts_, parts_.upper_bound(offset), first_address_);
    consider(attached_, attached_.upper_bound(address), 0);
    return nearest;
}

std::byte* MemoryImage::translate(std::uint64_t address, std::uint64_t size) const {
    const Extent extent = find(address);
    if (extent.host == nullptr || size > extent.end - address) return nullptr;
    return extent.host + (address - extent.begin);
}

std::byte* MemoryImage::access(std::uint64_t address, std::uint64_t size) const {
    const Extent extent = reachable(address);
    if (extent.host == nullptr || size > extent.end - address) return nullptr;
    return extent.host + (address - extent.begin);
}

Result<void> MemoryImage::write(Address to, std::span<const std::byte> data) {
    if (data.empty()) return {};
    std::byte* host = translate(to.value, data.size());
    if (host == nullptr) return outside("write", to.value, data.size());
    get_pages(host, data.size());
    std::memcpy(host, data.data(), data.size());
    return {};
}

Result<void> MemoryImage::read(std::span<std::byte> to, Address from) const {
    if (to.empty()) return {};
    const std::byte* host = translate(from.value, to.size());
    if (host == nullptr) return outside("read", from.value, to.size());
    std::memcpy(to.data(), host, to.size());
    return {};
}

Result<void> MemoryImage::fill(Address to, std::byte value, Bytes size) {
    if (size.count == 0) return {};
    std::byte* host = translate(to.value, size.count);
    if (host == nullptr) return outside("fill", to.value, size.count);
    // A buffer that nobody touches must take no memory when it is cleared.
    if (value == std::byte{0} && is_in_arena(host)) {
        clear_range(arena_, static_cast<std::uint64_t>(host - arena_), size.count);
        return {};
    }
    get_pages(host, size.count);
    std::memset(host, static_cast<int>(value), size.count);
    return {};
}

Bytes MemoryImage::untouched(Address from, Bytes size) const {
    if (from.value - first_address_ >= capacity_) return Bytes{0};
    const std::byte* host = translate(from.value, size.count);
    return Bytes{host == nullptr || !is_in_arena(host) ? 0 : untouched_bytes(host, size.count)};
}

Result<void> MemoryImage::attach(std::byte* host, Bytes size) {
    const auto address = reinterpret_cast<std::uint64_t>(host);
    const auto refuse = [&](const char* what) {
        return Error{ErrorKind::bad_input,
                     fmt::format("{} bytes of host memory at {:#x} {}", size.count, address, what), "",
                     "attach each range once, with its size"};
    };
    if (size.count == 0 || address > UINT64_MAX - size.count) return refuse("are no range");
    if (address - first_address_ < capacity_ || (address < first_address_ && first_address_ - address < size.count))
        return refuse("lie where the GPU's own memory is");
    const auto next = attached_.lower_bound(address);
    if (next != attached_.end() && next->first - address < size.count) return refuse("overlap others");
    if (next != attached_.begin()) {
        const auto before = std::prev(next);
        if (address - before->first < before->second) return refuse("overlap others");
    }
    attached_[address] = size.count;
    former_.forget(address, size.count);
    return {};
}

Result<void> MemoryImage::detach(const std::byte* host) {
    if (attached_.erase(reinterpret_cast<std::uint64_t>(host)) == 0)
        return Error{ErrorKind::bad_input, fmt::format("no host memory is attached at {}", fmt::ptr(host)), "",
                     "detach what was attached, once"};
    return {};
}

Bytes MemoryImage::available() const { return Bytes{capacity_ - next_ + holes_.total() + freed_bytes_}; }

}  // namespace sassafras::sim
