// Wavefronts of LDSM and STSM, 128 patterns, against what an H200 counted. Origin: README.md beside this file.
#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>
#include <string>

#include "sim/access/access_analysis.hpp"
#include "tests/geometry.hpp"

using namespace sassafras;
using namespace sassafras::sim;

TEST_CASE("matrices of rows of 16 bytes take the wavefronts that an H200 counted", "[golden]") {
    std::ifstream file(std::string(SASSAFRAS_SOURCE_DIR) + "/tests/golden/access/matrix_wavefronts.csv");
    std::string line;
    std::getline(file, line);
    int rows = 0;
    while (std::getline(file, line)) {
        std::istringstream cells(line);
        std::string operation, matrices, actual, ideal;
        std::getline(cells, operation, ',');
        std::getline(cells, matrices, ',');
        std::getline(cells, actual, ',');
        std::getline(cells, ideal, ',');
        AccessRecord access{};
        for (std::uint64_t& address : access.address) cells >> address;
        const int lanes = 8 * std::stoi(matrices);
        access.mask = lanes == 32 ? ~0U : (1U << lanes) - 1U;
        const auto kind = operation == "ldsm" ? SharedAccessKind::matrix_load : SharedAccessKind::store;
        const Wavefronts counted = shared_wavefronts(access, 16, kind, test::banks);
        INFO(line);
        CHECK(counted.actual == static_cast<std::uint32_t>(std::stoi(actual)));
        CHECK(counted.ideal == static_cast<std::uint32_t>(std::stoi(ideal)));
        ++rows;
    }
    CHECK(rows == 128);
}
