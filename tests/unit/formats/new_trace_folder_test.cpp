#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include <catch2/catch.hpp>

#include "sim/formats/trace_file/new_trace_folder.hpp"

using namespace sassafras::sim;
namespace files = std::filesystem;

TEST_CASE("who looks whether a capture is running does not make one fail") {
    const files::path path = files::temp_directory_path() / ("sassafras-looked-at-" + std::to_string(::getpid()));
    files::create_directory(path);
    const int looking = open(path.c_str(), O_RDONLY | O_DIRECTORY);
    REQUIRE(flock(looking, LOCK_SH) == 0);
    std::thread ends([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(8));
        close(looking);
    });
    CHECK(NewTraceFolder::make(path.string()));
    ends.join();
    files::remove_all(path);
}

TEST_CASE("of a capture that ended within a launch only whole files stay") {
    const files::path path = files::temp_directory_path() / ("sassafras-new-trace-" + std::to_string(::getpid()));
    CHECK(unfinished_trace(path.string()) == UnfinishedTrace::none);
    {
        auto folder = NewTraceFolder::make(path.string());
        REQUIRE(folder);
        CHECK(unfinished_trace(path.string()) == UnfinishedTrace::none);  // nothing is in it yet
        for (const char* name : {"0000-a.sft", "0001-b.sft"}) std::ofstream(path / name) << "content";
        CHECK(unfinished_trace(path.string()) == UnfinishedTrace::running);
        folder->keep({"0000-a.sft"});
    }
    CHECK(files::exists(path / "0000-a.sft"));
    CHECK_FALSE(files::exists(path / "0001-b.sft"));
    CHECK(unfinished_trace(path.string()) == UnfinishedTrace::broken_off);
    std::ofstream(path / "index.json") << "{}";
    CHECK(unfinished_trace(path.string()) == UnfinishedTrace::none);
    files::remove_all(path);
}
