#include "sim/access/line_updates.hpp"

#include <algorithm>
#include <bit>

namespace sassafras::sim {

namespace {

/// By how many lanes before it each lane's address is updated.
std::array<std::uint8_t, warp_size> ranks_of(const AccessRecord& access) {
    std::array<std::uint8_t, warp_size> ranks{};
    for (std::uint32_t rest = access.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
        for (std::size_t other = 0; other < lane; ++other)
            if ((access.mask >> other & 1U) != 0 && access.address[other] == access.address[lane]) ++ranks[lane];
    }
    return ranks;
}

/// The first active lane of each line, and for each lane the next of its line; warp_size where there is none.
struct LanesOfLines {
    std::array<std::uint8_t, 64> first{};
    std::array<std::uint8_t, warp_size> next{};
};

LanesOfLines lanes_of_lines(const AccessRecord& access, std::uint32_t line_bytes, const GlobalAccess& lines) {
    LanesOfLines result;
    result.first.fill(warp_size);
    const int shift = std::countr_zero(line_bytes);
    std::uint32_t index = 0;
    for (int lane = warp_size - 1; lane >= 0; --lane) {
        if ((access.mask >> lane & 1U) == 0) continue;
        const std::uint64_t line = access.address[static_cast<std::size_t>(lane)] >> shift;
        if (lines.lines[index].line != line)
            for (index = 0; lines.lines[index].line != line;) ++index;
        result.next[static_cast<std::size_t>(lane)] = result.first[index];
        result.first[index] = static_cast<std::uint8_t>(lane);
    }
    return result;
}

}  // namespace

void line_updates(const AccessRecord& access, std::uint32_t width, std::uint8_t operands, LineGeometry geometry,
                  const GlobalAccess& lines, std::array<LineUpdates, 64>& out) {
    const std::array<std::uint8_t, warp_size> ranks = ranks_of(access);
    const LanesOfLines lanes = lanes_of_lines(access, geometry.line_bytes, lines);
    const int sector_shift = std::countr_zero(geometry.sector_bytes);
    const std::uint32_t sectors_a_line = geometry.line_bytes / geometry.sector_bytes;
    for (std::uint32_t i = 0; i < lines.line_count; ++i) {
        LineUpdates updates{.requests = 0, .operands = operands};
        std::uint32_t most = 0;
        for (std::uint32_t lane = lanes.first[i]; lane < warp_size; lane = lanes.next[lane])
            most = std::max<std::uint32_t>(most, ranks[lane] + 1U);
        for (std::uint32_t rank = 0; rank < most; ++rank) {
            std::array<std::uint32_t, 32> bytes{};
            for (std::uint32_t lane = lanes.first[i]; lane < warp_size; lane = lanes.next[lane])
                if (ranks[lane] == rank) bytes[(access.address[lane] >> sector_shift) & (sectors_a_line - 1)] += width;
            for (std::uint32_t sector = 0; sector < sectors_a_line; ++sector) {
                if (bytes[sector] >= geometry.sector_bytes)
                    ++updates.whole_sectors;
                else if (bytes[sector] != 0)
                    ++updates.partial_sectors;
            }
        }
        updates.requests = static_cast<std::uint8_t>(most);
        out[i] = updates;
    }
}

}  // namespace sassafras::sim
