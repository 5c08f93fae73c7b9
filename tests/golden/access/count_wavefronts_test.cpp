// Wavefronts of ATOMS.POPC.INC, 588 patterns of lanes and words, most of them drawn, against what an H200 counted.
// Origin: README.md beside this file.
#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>
#include <string>

#include "sim/access/access_analysis.hpp"
#include "tests/geometry.hpp"

using namespace sassafras;
using namespace sassafras::sim;

TEST_CASE("counts in shared memory take the wavefronts that an H200 counted", "[golden]") {
    std::ifstream file(std::string(SASSAFRAS_SOURCE_DIR) + "/tests/golden/access/count_wavefronts.csv");
    std::string line;
    std::getline(file, line);
    int rows = 0;
    int with_others = 0;  // whose lanes share words, so that ATOMS.ADD would take more
    while (std::getline(file, line)) {
        std::istringstream cells(line);
        std::string cell;
        AccessRecord access{};
        std::getline(cells, cell, ',');
        access.mask = static_cast<std::uint32_t>(std::stoul(cell, nullptr, 16));
        for (std::uint64_t& address : access.address) {
            std::getline(cells, cell, ',');
            address = std::stoul(cell);
        }
        std::getline(cells, cell, ',');
        const auto counted = static_cast<std::uint32_t>(std::stoul(cell));
        INFO(line);
        CHECK(shared_wavefronts(access, 4, SharedAccessKind::count, test::banks).actual == counted);
        if (shared_wavefronts(access, 4, SharedAccessKind::atomic, test::banks).actual != counted) ++with_others;
        ++rows;
    }
    CHECK(rows == 588);
    CHECK(with_others == 470);
}
