#include "sim/check/global_shadow.hpp"

#include <algorithm>
#include <bit>

#include "sim/check/shared_shadow.hpp"

namespace sassafras::sim {

namespace {

constexpr std::uint32_t who_strong_bit = 1;
constexpr std::uint32_t who_there_bit = 2;
constexpr std::uint32_t who_thread_shift = 2;
constexpr std::uint32_t who_instruction_shift = 12;
constexpr std::uint32_t who_thread_bits = 0x3ffU << who_thread_shift;
/// Entries of the second level of the table: a part covers 64 MiB.
constexpr std::uint64_t part_entries = 1U << 14U;

std::uint32_t thread_of(std::uint32_t who) { return (who & who_thread_bits) >> who_thread_shift; }

}  // namespace

struct GlobalShadow::Context {
    const WarpAccess& access;
    const BlockClock& block;
    const GridClock& grid;
    HazardSink& sink;
    const GridTime& horizon;

    [[nodiscard]] bool ordered(const Mark& earlier, const Mark& later, bool earlier_reads) const {
        if (earlier.block != later.block) return grid.is_ordered(earlier.block, earlier.stamp, earlier_reads, horizon);
        return block.is_ordered(earlier.stamp, thread_of(earlier.who), thread_of(later.who));
    }
    [[nodiscard]] bool race(const Mark& earlier, const Mark& later, bool earlier_reads = false) const {
        return (earlier.who & who_there_bit) != 0 && (earlier.who & later.who & who_strong_bit) == 0 &&
               !ordered(earlier, later, earlier_reads);
    }
    void report(HazardKind kind, const Mark& earlier, const Mark& later, std::uint64_t address,
                std::uint32_t bytes) const {
        const auto side = [](const Mark& mark) {
            return HazardSide{mark.who >> who_instruction_shift, thread_of(mark.who), mark.block,
                              (mark.who & who_strong_bit) != 0};
        };
        sink.hazard({kind, false, false, address, bytes, side(earlier), side(later)});
    }
};

void GlobalShadow::start(std::uint32_t piece) {
    const auto shift = static_cast<std::uint32_t>(std::countr_zero(piece));
    clear_table();
    if (shift != piece_shift_) pages_.clear();
    piece_shift_ = shift;
    used_ = oldest_ = 0;
    forgotten_ = false;
    last_number_ = ~std::uint64_t{0};
    last_cells_ = nullptr;
}

void GlobalShadow::clear_table() {
    for (std::size_t i = 0; i < used_; ++i) entry(pages_[i].number) = 0;
}

std::uint32_t& GlobalShadow::entry(std::uint64_t number) {
    const std::uint64_t part = number / part_entries;
    if (part != last_part_) {
        auto& entries = table_[part];
        if (!entries) entries = std::make_unique<std::uint32_t[]>(part_entries);
        last_part_ = part;
        last_entries_ = entries.get();
    }
    return last_entries_[number % part_entries];
}

GlobalShadow::Cell* GlobalShadow::page(std::uint64_t number) {
    std::uint32_t& index = entry(number);
    if (index == 0) {
        const bool gives_way = (used_ + 1) * page_bytes() > limit_ && used_ != 0;
        const std::size_t at = gives_way ? oldest_ : used_;
        if (gives_way) {
            forgotten_ = true;
            entry(pages_[at].number) = 0;
            oldest_ = (oldest_ + 1) % used_;
        } else {
            ++used_;
        }
        if (at == pages_.size())
            pages_.push_back({number, std::make_unique<Cell[]>(cells_of_page())});
        else
            std::fill_n(pages_[at].cells.get(), cells_of_page(), Cell{});
        pages_[at].number = number;
        index = static_cast<std::uint32_t>(at + 1);
    }
    last_number_ = number;
    last_cells_ = pages_[index - 1].cells.get();
    return last_cells_;
}

inline void GlobalShadow::read_cell(const Context& context, Cell& cell, Mark mine, std::uint64_t address) const {
    if (context.race(cell.writer, mine))
        context.report(HazardKind::read_after_write, cell.writer, mine, address, 1U << piece_shift_);
    const Mark& reader = cell.reader;
    const bool takes_place = (reader.who & who_there_bit) == 0 ||
                             (reader.block == mine.block && (((reader.who ^ mine.who) & who_thread_bits) == 0 ||
                                                             reader.stamp < context.block.all_before()));
    if (takes_place)
        cell.reader = mine;
    else if ((cell.other_reader.who & who_there_bit) == 0 || cell.other_reader.block == reader.block ||
             mine.block != reader.block)
        cell.other_reader = mine;
}

inline void GlobalShadow::write_cell(const Context& context, Cell& cell, Mark mine, std::uint64_t address,
                                     bool value_known) const {
    const std::uint32_t bytes = 1U << piece_shift_;
    if (context.race(cell.writer, mine))
        if (const std::uint32_t differing = value_known ? differing_bytes(cell.writer.value, mine.value) : bytes;
            differing != 0)
            context.report(HazardKind::write_after_write, cell.writer, mine, address, differing);
    if (context.race(cell.reader, mine, true))
        context.report(HazardKind::write_after_read, cell.reader, mine, address, bytes);
    else if (context.race(cell.other_reader, mine, true))
        context.report(HazardKind::write_after_read, cell.other_reader, mine, address, bytes);
    cell.writer = mine;
    cell.reader.who = cell.other_reader.who = 0;
}

void GlobalShadow::access(const WarpAccess& access, const BlockClock& block, const GridClock& grid, HazardSink& sink) {
    const std::uint32_t piece = 1U << piece_shift_;
    const std::uint32_t pieces = std::max(access.width >> piece_shift_, 1U);
    const Context context{access, block, grid, sink, block.horizon(access.warp)};
    const std::uint32_t instruction = std::min(access.instruction, most_shadowed_instructions - 1);
    Mark mine;
    mine.stamp = block.now();
    mine.block = access.block;
    const std::uint32_t common =
        instruction << who_instruction_shift | who_there_bit | (access.strong ? who_strong_bit : 0U);
    for (std::uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint64_t address = access.address[lane];
        const std::uint64_t number = address >> page_shift;
        Cell* cell = (number == last_number_ ? last_cells_ : page(number)) +
                     ((address & ((1U << page_shift) - 1)) >> piece_shift_);
        mine.who = common | (access.warp * 32 + lane) << who_thread_shift;
        for (std::uint32_t k = 0; k < pieces; ++k, ++cell) {
            const std::uint64_t at = address + std::uint64_t{k} * piece;
            if (access.kind == WarpAccess::Kind::read) {
                read_cell(context, *cell, mine, at);
                continue;
            }
            if (access.kind == WarpAccess::Kind::atomic && context.race(cell->writer, mine)) {
                context.report(HazardKind::read_after_write, cell->writer, mine, at, piece);
                cell->writer.who = 0;  // told; not again as a write
            }
            const bool known = access.stored != nullptr;
            mine.value = known ? stored_value(access.stored, lane, k * piece, piece) : 0;
            write_cell(context, *cell, mine, at, known);
        }
    }
}

}  // namespace sassafras::sim
