// What accesses leave in L2 where nobody asks how long they take: those of blocks that are executed and not timed.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/timing/memory/dram_time.hpp"
#include "sim/timing/memory/memory_request.hpp"

namespace sassafras::sim {

/// A line that an instruction of a warp accesses. 16 bytes.
struct UntimedAccess {
    std::uint64_t line = 0;     ///< address / L1 line bytes
    std::uint32_t sectors = 0;  ///< none: L1 had them all
    std::uint16_t written = 0;  ///< as of MemoryRequest
    RequestKind kind = RequestKind::load;
    bool partial = false;      ///< as of MemoryRequest
    bool bypasses_l1 = false;  ///< a load

    [[nodiscard]] MemoryRequest request(std::uint16_t sm, std::uint64_t time) const {
        MemoryRequest request{.time = time, .line = line, .sectors = sectors, .sm = sm, .written = written};
        request.kind = kind;
        request.partial = partial;
        return request;
    }
};

/// What a block accesses, or a part of that: one warp after the other, each in order.
struct UntimedTurn {
    std::uint16_t sm = 0;  ///< that has the block
    std::vector<UntimedAccess> accesses;
    std::vector<std::uint32_t> ends;  ///< by warp: of its accesses
};

/// A scheduler of DRAM that answers at once.
struct UntimedDram {
    template <class Map>
    std::uint64_t read(const Map& /*map*/, const DramAccess& access) const {
        return access.time;
    }
    template <class Map>
    std::uint64_t write(const Map& /*map*/, const DramAccess& access) const {
        return access.time;
    }
};

}  // namespace sassafras::sim
