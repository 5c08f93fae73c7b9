#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include <catch2/catch.hpp>

#include "core/staged_file.hpp"

namespace {

namespace files = std::filesystem;

struct Folder {
    files::path path = files::temp_directory_path() / ("sassafras-staged-" + std::to_string(::getpid()));
    Folder() { files::create_directories(path); }
    ~Folder() { files::remove_all(path); }
};

void write(const files::path& path, const std::string& text) { std::ofstream(path) << text; }
std::string text_of(const files::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

sassafras::StagedFile staged_at(const files::path& path) {
    return sassafras::StagedFile({path.string(), "the JSON file", "--json"});
}

/// What would keep it from being written.
std::string obstacle(const files::path& path) {
    const auto tried = staged_at(path).try_open();
    return tried ? "" : tried.error().what;
}

sassafras::Result<void> write_output(const files::path& path, std::string_view text) {
    return sassafras::write_output_file({path.string(), "the file", "--output"}, text);
}

}  // namespace

TEST_CASE("a staged file replaces a regular one when it is whole") {
    const Folder folder;
    const auto target = folder.path / "a";
    write(target, "old");
    auto staged = staged_at(target);
    REQUIRE(staged.open());
    REQUIRE(staged.write("new"));
    CHECK(text_of(target) == "old");
    CHECK(staged.commit());
    CHECK(text_of(target) == "new");
    CHECK_FALSE(files::exists(staged.place()));
}

TEST_CASE("a symbolic link is followed, a device is written to and stays") {
    const Folder folder;
    const auto target = folder.path / "target";
    const auto link = folder.path / "link";
    write(target, "old");
    files::create_symlink(target, link);
    REQUIRE(write_output(link, "new"));
    CHECK(files::is_symlink(files::symlink_status(link)));
    CHECK(text_of(target) == "new");

    auto device = staged_at("/dev/null");
    CHECK(device.open());
    CHECK(device.place() == "/dev/null");
    CHECK(device.commit());
    CHECK_FALSE(files::is_regular_file("/dev/null"));
}

TEST_CASE("links that lead to one another are refused and stay") {
    const Folder folder;
    files::create_symlink("a", folder.path / "b");
    files::create_symlink("b", folder.path / "a");
    for (const char* name : {"a", "b"}) {
        CHECK(obstacle(folder.path / name) == "cannot write the JSON file: Too many levels of symbolic links");
        CHECK_FALSE(write_output(folder.path / name, "new"));
        CHECK(files::is_symlink(files::symlink_status(folder.path / name)));
    }
    CHECK(std::distance(files::directory_iterator(folder.path), files::directory_iterator()) == 2);
}

TEST_CASE("a staged file that goes before it is whole leaves nothing") {
    const Folder folder;
    {
        auto staged = staged_at(folder.path / "b");
        REQUIRE(staged.open());
        REQUIRE(staged.write("half"));
        auto moved = std::move(staged);
        CHECK_FALSE(files::is_empty(folder.path));
    }
    CHECK(files::is_empty(folder.path));
}

TEST_CASE("what would keep a file from being written is known before, and nothing is left of asking") {
    const Folder folder;
    const auto at = [&](const std::string& name) { return folder.path / name; };
    CHECK(obstacle(at("new")).empty());
    CHECK(obstacle("/dev/null").empty());
    CHECK(files::is_empty(folder.path));
    write(folder.path / "old", "old");
    CHECK(obstacle(at("old")).empty());
    CHECK(text_of(folder.path / "old") == "old");
    CHECK(obstacle(folder.path) == "cannot write the JSON file: this is a folder");
    CHECK(obstacle(at("missing/a")) == "cannot write the JSON file: its folder does not exist");
    CHECK_FALSE(obstacle("/proc/self/nothing/a").empty());
    CHECK_FALSE(obstacle("/dev/fd/999").empty());
    CHECK_FALSE(obstacle(at(std::string(300, 'n'))).empty());  // longer than names may be
    CHECK_FALSE(obstacle("").empty());
    const auto refused = sassafras::reserve_output_file({at("missing/a"), "the JSON file", "--json"});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message() == "cannot write the JSON file: its folder does not exist [" +
                                           at("missing/a").string() + "]; give --json a path that can be written");
}

TEST_CASE("a pipe is refused without a reader, and not closed between asking and writing with one") {
    const Folder folder;
    const auto pipe = folder.path / "pipe";
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(obstacle(pipe) == "cannot write the JSON file: this is a pipe that nobody reads from");
    CHECK_FALSE(write_output(pipe, "new"));
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    REQUIRE(reader >= 0);
    std::array<char, 10> got{};
    {
        const auto reserved = sassafras::reserve_output_file({.path = pipe.string()});
        REQUIRE(reserved);
        CHECK((::read(reader, got.data(), got.size()) == -1 && errno == EAGAIN));  // 0 would be the end
        REQUIRE(write_output(pipe, "new"));
        CHECK(::read(reader, got.data(), got.size()) == 3);
        CHECK((::read(reader, got.data(), got.size()) == -1 && errno == EAGAIN));
    }
    CHECK(::read(reader, got.data(), got.size()) == 0);
    ::close(reader);
    CHECK(files::is_fifo(pipe));
}

TEST_CASE("what is open already gets what is written where it stands, among what others write") {
    const Folder folder;
    const auto target = folder.path / "a";
    const int open_file = ::open(target.c_str(), O_WRONLY | O_CREAT, 0600);
    REQUIRE(open_file >= 0);
    const std::string name = "/dev/fd/" + std::to_string(open_file);
    files::create_symlink(name, folder.path / "link");
    REQUIRE(::write(open_file, "1", 1) == 1);
    REQUIRE(write_output(name, "2"));
    REQUIRE(write_output(folder.path / "link", "3"));
    REQUIRE(::write(open_file, "4", 1) == 1);
    ::close(open_file);
    CHECK(text_of(target) == "1234");
    const int read_only = ::open(target.c_str(), O_RDONLY);
    CHECK_FALSE(obstacle("/dev/fd/" + std::to_string(read_only)).empty());
    ::close(read_only);
}

TEST_CASE("why nothing can be written is said, with what helps") {
    const auto full = write_output("/dev/full", "text");
    REQUIRE_FALSE(full);
    CHECK(full.error().message() ==
          "cannot write the file: No space left on device [/dev/full]; make room there, or "
          "give --output a path that can be written");
    sassafras::FileWriter closed;
    CHECK_FALSE(closed.write("text"));
    CHECK(closed.error_number() == EBADF);
    sassafras::FileWriter device(::open("/dev/full", O_WRONLY));
    CHECK(device.write("text"));  // it is in the buffer
    CHECK_FALSE(device.close());
    CHECK(device.error_number() == ENOSPC);
    CHECK_FALSE(device.is_open());
}

TEST_CASE("pieces of every size come out in order") {
    const Folder folder;
    std::string expected;
    {
        sassafras::FileWriter file(::open((folder.path / "a").c_str(), O_WRONLY | O_CREAT, 0600));
        for (const std::size_t size : {0UL, 1UL, 40'000UL, 30'000UL, 65'535UL, 65'536UL, 3UL, 200'000UL, 5UL}) {
            const std::string piece(size, static_cast<char>('a' + size % 26));
            CHECK(file.write(piece));
            expected += piece;
        }
        CHECK(file.close());
    }
    CHECK(text_of(folder.path / "a") == expected);
}

TEST_CASE("a link that leads nowhere yet gets its file, and the permissions of a replaced file stay") {
    const Folder folder;
    files::create_symlink("there", folder.path / "link");
    REQUIRE(write_output(folder.path / "link", "new"));
    CHECK(files::is_symlink(files::symlink_status(folder.path / "link")));
    CHECK(text_of(folder.path / "there") == "new");
    files::permissions(folder.path / "there", files::perms::owner_read | files::perms::owner_write);
    REQUIRE(write_output(folder.path / "there", "newer"));
    CHECK(files::status(folder.path / "there").permissions() == (files::perms::owner_read | files::perms::owner_write));
    CHECK(text_of(folder.path / "there") == "newer");
}

TEST_CASE("a link that was planted at the staging name is not followed, and what was left there is not reused") {
    for (const bool planted : {true, false}) {
        const Folder folder;
        const auto target = folder.path / "a";
        const auto victim = folder.path / "victim";
        const files::path name = staged_at(target).place();
        write(victim, "mine");
        if (planted)
            files::create_symlink(victim, name);
        else
            write(name, "stale, and longer than what comes");
        CAPTURE(planted);
        const auto untouched = [&] {
            CHECK(text_of(victim) == "mine");
            CHECK(files::is_symlink(files::symlink_status(name)) == planted);
            CHECK(text_of(name) == (planted ? "mine" : "stale, and longer than what comes"));
        };
        CHECK(obstacle(target).empty());
        untouched();
        REQUIRE(write_output(target, "new"));
        CHECK(text_of(target) == "new");
        CHECK_FALSE(files::is_symlink(files::symlink_status(target)));
        untouched();
        {
            auto discarded = staged_at(target);
            REQUIRE(discarded.open());
            CHECK(discarded.place() != name);
        }
        { const auto never_opened = staged_at(target); }
        untouched();
        CHECK(std::distance(files::directory_iterator(folder.path), files::directory_iterator()) == 3);
    }
}

TEST_CASE("a link to nothing at the staging name makes no file, and two of one process do not meet") {
    const Folder folder;
    const auto target = folder.path / "a";
    files::create_symlink(folder.path / "made", staged_at(target).place());
    CHECK(obstacle(target).empty());
    auto one = staged_at(target);
    auto two = staged_at(target);
    REQUIRE((one.open() && two.open()));
    REQUIRE((one.write("one") && two.write("two")));
    CHECK(one.place() != two.place());
    CHECK(two.commit());
    CHECK(text_of(target) == "two");
    CHECK(one.commit());
    CHECK(text_of(target) == "one");
    CHECK_FALSE(files::exists(folder.path / "made"));
}

TEST_CASE("what was never opened does not take its place") {
    const Folder folder;
    write(folder.path / "a", "old");
    auto closed = staged_at(folder.path / "a");
    CHECK_THROWS_AS(closed.commit(), sassafras::InvariantViolation);
    CHECK_FALSE(staged_at(folder.path / "missing/a").open());
    CHECK(text_of(folder.path / "a") == "old");
}
