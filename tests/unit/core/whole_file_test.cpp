#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <catch2/catch.hpp>

#include "core/input_file.hpp"
#include "core/whole_file.hpp"

using namespace sassafras;

namespace {

struct TemporaryFile {
    std::string path =
        (std::filesystem::temp_directory_path() / ("sassafras-whole-" + std::to_string(::getpid()))).string();
    explicit TemporaryFile(const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
    ~TemporaryFile() { std::filesystem::remove(path); }
};

}  // namespace

TEST_CASE("a file is read whole up to its limit, and not at all beyond") {
    for (const std::size_t size : {0UL, 1UL, 4096UL, (1UL << 20U) - 1, 1UL << 20U, 3'000'001UL}) {
        const std::string text(size, 'a');
        const TemporaryFile file(text);
        CAPTURE(size);
        const auto exactly = read_whole_text(file.path, size);
        REQUIRE(exactly);
        CHECK(*exactly == text);
        CHECK(read_whole_file(file.path, size)->size() == size);
        if (size == 0) continue;
        const auto refused = read_whole_text(file.path, size - 1);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().kind == ErrorKind::bad_input);
        CHECK(refused.error().where == file.path);
    }
}

TEST_CASE("a name means a file if it has a slash, ends in .json or is one's") {
    const TemporaryFile file("x");
    const std::filesystem::path path(file.path);
    CHECK(means_file(path.filename().string(), path.parent_path()));
    CHECK(means_file("nowhere/at/all"));
    CHECK(means_file("nowhere.json"));
    CHECK_FALSE(means_file(path.filename().string() + "x", path.parent_path()));
    CHECK_FALSE(means_file(path.parent_path().filename().string(), path.parent_path().parent_path()));  // a folder
    CHECK_FALSE(means_file("", path.parent_path()));
    CHECK_FALSE(means_file(std::string(300, 'n')));  // longer than names may be
}

TEST_CASE("what says no length is read, and what never ends is left") {
    REQUIRE(read_whole_text("/proc/self/status", most_json_bytes));
    CHECK(read_whole_text("/proc/self/status", most_json_bytes)->starts_with("Name:"));
    CHECK(read_whole_text("/dev/null", 0)->empty());
    const auto endless = read_whole_file("/dev/zero", 5'000'000);
    REQUIRE_FALSE(endless);
    CHECK(endless.error().what == "the file is longer than 5,000,000 bytes");
    CHECK_FALSE(read_whole_file("/", 10));
    CHECK_FALSE(read_whole_file("/nowhere/at/all", 10));
}

TEST_CASE("a pipe is read where somebody writes to it, and refused at once where nobody does") {
    const std::string pipe =
        (std::filesystem::temp_directory_path() / ("sassafras-pipe-" + std::to_string(::getpid()))).string();
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    const auto refused = read_whole_text(pipe, most_json_bytes);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().what == "this is a pipe that nobody writes to");
    CHECK(refused.error().where == pipe);
    const std::string text(300'000, 'x');             // more than a pipe holds
    const int holder = ::open(pipe.c_str(), O_RDWR);  // so that the writer does not wait for its reader
    std::thread writer([&] {
        std::ofstream(pipe, std::ios::binary) << text;
        ::close(holder);
    });
    const auto read = read_whole_text(pipe, most_json_bytes);
    writer.join();
    REQUIRE(read);
    CHECK(*read == text);
    REQUIRE(check_regular_file("/nowhere/at/all"));
    for (const char* path : {pipe.c_str(), "/dev/null", "/"}) CHECK_FALSE(check_regular_file(path));
    std::filesystem::remove(pipe);
}
