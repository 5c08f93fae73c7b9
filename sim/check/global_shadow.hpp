// Who has last written and read each piece of global memory in a launch.
//
// As SharedShadow, but sparse: cells appear, a page at a time, where memory is touched. Above a limit the page that is
// there longest gives way, and what it knew is forgotten: hazards may be missed, none is invented.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sim/check/block_clock.hpp"
#include "sim/check/grid_clock.hpp"
#include "sim/check/hazard.hpp"

namespace sassafras::sim {

class GlobalShadow {
  public:
    /// Bytes of cells at most.
    static constexpr std::size_t default_limit = std::size_t{1536} << 20U;

    explicit GlobalShadow(std::size_t limit = default_limit) : limit_(limit) {}

    /// A launch begins: nothing has been touched. `piece`: bytes, 1, 2 or 4.
    void start(std::uint32_t piece);

    /// `block` is the clock of the access' block. Addresses are global.
    void access(const WarpAccess& access, const BlockClock& block, const GridClock& grid, HazardSink& sink);

    [[nodiscard]] std::size_t bytes() const { return used_ * page_bytes(); }
    /// Whether pages have given way since start().
    [[nodiscard]] bool has_forgotten() const { return forgotten_; }

  private:
    struct Mark {
        std::uint32_t stamp = 0;
        std::uint32_t block = 0;
        std::uint32_t who = 0;  ///< instruction << 12 | thread << 2 | there << 1 | strong
        std::uint32_t value = 0;
    };
    struct Cell {
        Mark writer;
        Mark reader;
        Mark other_reader;
    };
    static constexpr std::uint32_t page_shift = 12;
    struct Page {
        std::uint64_t number = 0;  ///< address >> page_shift
        std::unique_ptr<Cell[]> cells;
    };
    struct Context;

    [[nodiscard]] std::size_t cells_of_page() const { return (std::size_t{1} << page_shift) >> piece_shift_; }
    [[nodiscard]] std::size_t page_bytes() const { return cells_of_page() * sizeof(Cell); }
    Cell* page(std::uint64_t number);
    void clear_table();
    [[nodiscard]] std::uint32_t& entry(std::uint64_t number);

    void read_cell(const Context& context, Cell& cell, Mark mine, std::uint64_t address) const;
    void write_cell(const Context& context, Cell& cell, Mark mine, std::uint64_t address, bool value_known) const;

    std::size_t limit_;
    std::uint32_t piece_shift_ = 2;
    std::vector<Page> pages_;  ///< in the order in which they appeared; the first used_ are in use
    std::size_t used_ = 0;
    std::size_t oldest_ = 0;
    bool forgotten_ = false;
    /// By page number, in parts: index into pages_ + 1, or 0.
    std::unordered_map<std::uint64_t, std::unique_ptr<std::uint32_t[]>> table_;
    std::uint64_t last_part_ = ~std::uint64_t{0};
    std::uint32_t* last_entries_ = nullptr;
    std::uint64_t last_number_ = ~std::uint64_t{0};
    Cell* last_cells_ = nullptr;
};

}  // namespace sassafras::sim
