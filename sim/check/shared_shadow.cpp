#include "sim/check/shared_shadow.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace sassafras::sim {

namespace {

constexpr std::uint64_t strong_bit = 1;
constexpr std::uint64_t copy_bit = 2;
/// Of what is there when a block starts: somebody wrote it, before everything that is done now.
constexpr std::uint64_t written_before = 1;
constexpr std::uint32_t thread_shift = 2;
constexpr std::uint32_t instruction_shift = 12;
constexpr std::uint64_t thread_bits = std::uint64_t{0x3ff} << thread_shift;
/// Of a copy under way: later than all time, so that no barrier orders it.
constexpr std::uint64_t never = std::uint64_t{0xffffffffU} << 32U;

std::uint32_t stamp_of(std::uint64_t mark) { return static_cast<std::uint32_t>(mark >> 32U); }
std::uint32_t thread_of(std::uint64_t mark) { return static_cast<std::uint32_t>((mark & thread_bits) >> thread_shift); }

HazardSide side(std::uint64_t mark, std::uint32_t block) {
    return {static_cast<std::uint32_t>(mark >> instruction_shift & (most_shadowed_instructions - 1)), thread_of(mark),
            block, (mark & strong_bit) != 0};
}

}  // namespace

struct SharedShadow::Context {
    const WarpAccess& access;
    const BlockClock& clock;
    const std::byte* memory;
    HazardSink& sink;
    Mark limit;  ///< marks below it are ordered before everything

    /// Whether `earlier` and `later` race, for marks that are not below the limit.
    [[nodiscard]] bool race(Mark earlier, Mark later) const {
        if ((earlier & copy_bit) != 0) return true;
        if (((earlier ^ later) & thread_bits) == 0 || (earlier & later & strong_bit) != 0) return false;
        return !clock.is_ordered(stamp_of(earlier), thread_of(earlier), thread_of(later));
    }
    void report(HazardKind kind, Mark earlier, Mark later, std::uint32_t address, std::uint32_t bytes) const {
        sink.hazard({kind, true, (earlier & copy_bit) != 0, address, bytes, side(earlier, access.block),
                     side(later, access.block)});
    }
};

void SharedShadow::start(std::uint32_t warps, const SharedExtent& shared, std::uint32_t piece) {
    piece_shift_ = static_cast<std::uint32_t>(std::countr_zero(piece));
    cells_.assign((shared.end >> piece_shift_) + 1, Cell{});
    for (std::uint32_t cell = shared.reserved_begin >> piece_shift_; cell < shared.reserved_end >> piece_shift_; ++cell)
        cells_[cell].writer = written_before;
    copies_.resize(warps);
    for (Copies& copies : copies_) copies = {};
    arrived_.clear();
}

inline void SharedShadow::read_cell(const Context& context, Cell& cell, Mark mine, std::uint32_t address) {
    if (cell.writer >= context.limit && context.race(cell.writer, mine))
        context.report(HazardKind::read_after_write, cell.writer, mine, address, 1U << piece_shift_);
    if (cell.reader < context.limit || ((cell.reader ^ mine) & thread_bits) == 0)
        cell.reader = mine;
    else
        cell.other_reader = mine;
}

inline void SharedShadow::write_cell(const Context& context, Cell& cell, Mark mine, std::uint32_t address,
                                     std::uint32_t value, bool value_known) {
    const std::uint32_t bytes = 1U << piece_shift_;
    if (cell.writer >= context.limit && context.race(cell.writer, mine))
        if (const std::uint32_t differing = value_known ? differing_bytes(cell.value, value) : bytes; differing != 0)
            context.report(HazardKind::write_after_write, cell.writer, mine, address, differing);
    if (cell.reader >= context.limit && context.race(cell.reader, mine))
        context.report(HazardKind::write_after_read, cell.reader, mine, address, bytes);
    else if (cell.other_reader >= context.limit && context.race(cell.other_reader, mine))
        context.report(HazardKind::write_after_read, cell.other_reader, mine, address, bytes);
    cell.writer = mine;
    cell.reader = cell.other_reader = 0;
    cell.value = value;
}

template <WarpAccess::Kind kind>
void SharedShadow::access_lanes(const Context& context) {
    using Kind = WarpAccess::Kind;
    const WarpAccess& access = context.access;
    const std::uint32_t piece = 1U << piece_shift_;
    const std::uint32_t pieces = std::max(access.width >> piece_shift_, 1U);
    const std::uint32_t instruction = std::min(access.instruction, most_shadowed_instructions - 1);
    const Mark stamp = kind == Kind::copy ? never : static_cast<Mark>(context.clock.now()) << 32U;
    const Mark common = stamp | static_cast<Mark>(instruction) << instruction_shift | (access.strong ? strong_bit : 0) |
                        (kind == Kind::copy ? copy_bit : 0);
    const std::uint32_t words = (1U << ((access.width + 3) / 4)) - 1U;
    std::uint64_t before = ~std::uint64_t{0};
    for (std::uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint64_t address = access.address[lane];
        if constexpr (kind == Kind::read) {
            // Of neighbours that read the same, the first and the last count.
            const bool goes_on =
                rest != (rest & (0U - rest)) &&
                access.address[static_cast<std::uint32_t>(std::countr_zero(rest & (rest - 1)))] == address;
            if (address == before && goes_on) continue;
            before = address;
        }
        const Mark mine = common | static_cast<Mark>(access.warp * 32 + lane) << thread_shift;
        Cell* cell = cells_.data() + (address >> piece_shift_);
        // A word of which some bytes are written counts as written: the others may be a structure's padding.
        std::uint32_t written = 0;
        for (std::uint32_t k = 0; k < pieces; ++k, ++cell) {
            const auto at = static_cast<std::uint32_t>(address) + k * piece;
            if constexpr (kind == Kind::read) {
                written |= static_cast<std::uint32_t>(cell->writer != 0) << (k * piece / 4);
                read_cell(context, *cell, mine, at);
            } else if constexpr (kind == Kind::write) {
                const bool known = access.stored != nullptr;
                write_cell(context, *cell, mine, at, known ? stored_value(access.stored, lane, k * piece, piece) : 0,
                           known);
            } else {
                if constexpr (kind == Kind::atomic) {
                    written |= static_cast<std::uint32_t>(cell->writer != 0) << (k * piece / 4);
                    if (cell->writer >= context.limit && context.race(cell->writer, mine))
                        context.report(HazardKind::read_after_write, cell->writer, mine, at, piece);
                    cell->writer = std::min(cell->writer, context.limit - 1);  // told; not again as a write
                }
                std::uint32_t value = 0;
                std::memcpy(&value, context.memory + at, piece);
                write_cell(context, *cell, mine, at, value, false);
                if constexpr (kind == Kind::copy)
                    copies_[access.warp].open.push_back({static_cast<std::uint32_t>(cell - cells_.data()), mine});
            }
        }
        constexpr bool reads = kind == Kind::read || kind == Kind::atomic;
        if (reads && written != words)
            context.sink.uninitialised({instruction, access.warp * 32 + lane, access.block,
                                        static_cast<std::uint32_t>(address), access.width, words & ~written,
                                        written != 0});
    }
}

void SharedShadow::access(const WarpAccess& access, const BlockClock& clock, const std::byte* memory,
                          HazardSink& sink) {
    const Context context{access, clock, memory, sink, static_cast<Mark>(clock.all_before()) << 32U};
    switch (access.kind) {
        case WarpAccess::Kind::read: access_lanes<WarpAccess::Kind::read>(context); return;
        case WarpAccess::Kind::write: access_lanes<WarpAccess::Kind::write>(context); return;
        case WarpAccess::Kind::atomic: access_lanes<WarpAccess::Kind::atomic>(context); return;
        case WarpAccess::Kind::copy: access_lanes<WarpAccess::Kind::copy>(context); return;
    }
}

void SharedShadow::close_copies(std::uint32_t warp) {
    Copies& copies = copies_[warp];
    copies.groups.push_back(std::move(copies.open));
    copies.open.clear();
}

void SharedShadow::wait_for_copies(std::uint32_t warp, std::uint32_t left, std::uint32_t now) {
    Copies& copies = copies_[warp];
    while (copies.groups.size() > left) {
        for (const CopiedCell& copied : copies.groups.front()) finish(copied, now);
        copies.groups.pop_front();
    }
}

void SharedShadow::finish(const CopiedCell& copied, std::uint32_t stamp) {
    Cell& cell = cells_[copied.cell];
    if (cell.writer != copied.mark) return;
    cell.writer = (static_cast<Mark>(stamp) << 32U) | (copied.mark & 0xffffffffU & ~copy_bit);
}

void SharedShadow::arrive_with_copies(std::uint32_t warp, std::uint32_t lanes, std::uint64_t barrier,
                                      std::uint32_t now) {
    // They stay among the warp's copies: its thread may wait for them by DEPBAR as well.
    std::vector<ArrivedCopy>& arrived = arrived_[barrier];
    const auto take = [&](const std::vector<CopiedCell>& copies) {
        for (const CopiedCell& copied : copies)
            if ((lanes >> (thread_of(copied.mark) % 32) & 1U) != 0 && cells_[copied.cell].writer == copied.mark)
                arrived.push_back({copied, now});
    };
    take(copies_[warp].open);
    for (const auto& group : copies_[warp].groups) take(group);
}

void SharedShadow::finish_copies(std::uint64_t barrier) {
    const auto found = arrived_.find(barrier);
    if (found == arrived_.end()) return;
    for (const ArrivedCopy& arrived : found->second) finish(arrived.copied, arrived.stamp);
    arrived_.erase(found);
    forget_finished();
}

void SharedShadow::forget_finished() {
    const auto is_finished = [&](const CopiedCell& copied) { return cells_[copied.cell].writer != copied.mark; };
    for (Copies& copies : copies_) std::erase_if(copies.open, is_finished);
}

}  // namespace sassafras::sim
