// The functional device against what an H200 computed. Origin: README.md beside this file.
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

#include <catch2/catch.hpp>

#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_reader.hpp"
#include "tests/golden/execute/results.hpp"

namespace {

using namespace sassafras;
namespace files = std::filesystem;

const files::path golden = files::path(SASSAFRAS_SOURCE_DIR) / "tests/golden/execute";
const files::path fixtures = files::path(SASSAFRAS_SOURCE_DIR) / "tests/fixtures/hardware";

using ColumnDigests = std::map<std::string, std::string>;  ///< "family/kernel/column" -> digest

ColumnDigests recorded_digests(const files::path& path) {
    ColumnDigests digests;
    std::ifstream file(path);
    std::string row;
    while (std::getline(file, row)) {
        std::istringstream fields(row);
        std::string family, kernel, column, digest;
        fields >> family >> kernel >> column >> digest;
        digests[family + '/' + kernel + '/' + column] = digest;
    }
    return digests;
}

ColumnDigests computed_digests(const files::path& folder) {
    const auto platform = sim::load_platform("h200");
    REQUIRE(platform.ok());
    const auto names = test::list_kernels(folder.string());
    REQUIRE(names.ok());
    ColumnDigests digests;
    for (const test::KernelName& name : *names) {
        const auto device = sim::make_functional_device(platform->platform, {});
        const auto columns = test::run_kernel(*device, folder.string(), name);
        INFO(name.family << '/' << name.kernel);
        INFO((columns.ok() ? std::string() : columns.error().message()));
        REQUIRE(columns.ok());
        for (const test::Column& column : *columns) {
            char digest[17];
            std::snprintf(digest, sizeof digest, "%016" PRIx64, column.digest);
            digests[name.family + '/' + name.kernel + '/' + std::to_string(column.number)] = digest;
        }
    }
    return digests;
}

/// Columns that differ, by kernel. A column that only one side has counts too.
std::map<std::string, std::size_t> differences(const ColumnDigests& hardware, const ColumnDigests& ours) {
    std::map<std::string, std::size_t> by_kernel;
    const auto note = [&](const std::string& key) {
        ++by_kernel[key.substr(0, key.rfind('/'))];
        UNSCOPED_INFO(key);
    };
    for (const auto& [key, digest] : hardware) {
        const auto found = ours.find(key);
        if (found == ours.end() || found->second != digest) note(key);
    }
    for (const auto& [key, digest] : ours)
        if (hardware.count(key) == 0) note(key);
    return by_kernel;
}

}  // namespace

TEST_CASE("kernels give what an H200 gave", "[golden]") {
    const ColumnDigests hardware = recorded_digests(golden / "h200.tsv");
    REQUIRE(hardware.size() == 2684);
    const auto differing = differences(hardware, computed_digests(fixtures));
    std::size_t count = 0;
    for (const auto& [kernel, columns] : differing) count += columns;
    std::cout << hardware.size() - count << " of " << hardware.size() << " result columns equal an H200's\n";
    CHECK(differing.empty());
}

TEST_CASE("unoptimised kernels give what an H200 gave", "[golden]") {
    const ColumnDigests hardware = recorded_digests(golden / "h200_unoptimised.tsv");
    REQUIRE(hardware.size() == 583);
    CHECK(differences(hardware, computed_digests(fixtures / "unoptimised")).empty());
}
