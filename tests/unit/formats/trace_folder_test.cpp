#include <unistd.h>

#include <filesystem>

#include <catch2/catch.hpp>

#include "sim/formats/trace_file/trace_folder.hpp"

namespace {

using sassafras::sim::TraceFolder;

TEST_CASE("an index says what was copied before each launch, and where it is dealt from") {
    const auto path = std::filesystem::temp_directory_path() / ("sassafras-copied-" + std::to_string(::getpid()));
    std::filesystem::create_directory(path);
    TraceFolder folder;
    folder.path = path;
    folder.workload = nlohmann::ordered_json::object();
    folder.launches.resize(2);
    for (auto& launch : folder.launches) launch.file = launch.kernel = "kernel";
    folder.launches[0].copied = {{.address = 0x7f00'0000'0200, .bytes = 4096},
                                 {.address = 0x7f00'0040'0000, .bytes = 3}};
    folder.launches[1].dealt_from = {.gpc = 5, .first_sms = false};
    REQUIRE(write_trace_folder(folder));
    const auto read = sassafras::sim::read_trace_folder(path);
    std::filesystem::remove_all(path);
    REQUIRE(read);
    REQUIRE(read->launches.size() == 2);
    REQUIRE(read->launches[0].copied.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(read->launches[0].copied[i].address == folder.launches[0].copied[i].address);
        CHECK(read->launches[0].copied[i].bytes == folder.launches[0].copied[i].bytes);
    }
    CHECK(read->launches[1].copied.empty());
    CHECK(read->launches[0].dealt_from == sassafras::sim::DealtFrom{});
    CHECK(read->launches[1].dealt_from == folder.launches[1].dealt_from);
}

}  // namespace
