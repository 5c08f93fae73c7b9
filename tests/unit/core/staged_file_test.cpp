#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

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

}  // namespace

TEST_CASE("a staged file replaces a regular one when it is whole") {
    const Folder folder;
    const auto target = folder.path / "a";
    write(target, "old");
    sassafras::StagedFile staged(target.string());
    staged.open() << "new";
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
    sassafras::StagedFile staged(link.string());
    staged.open() << "new";
    CHECK(staged.commit());
    CHECK(files::is_symlink(files::symlink_status(link)));
    CHECK(text_of(target) == "new");

    sassafras::StagedFile device("/dev/null");
    CHECK(device.open().good());
    CHECK(device.place() == "/dev/null");
    CHECK(device.commit());
    CHECK_FALSE(files::is_regular_file("/dev/null"));
}

TEST_CASE("a discarded staged file leaves nothing") {
    const Folder folder;
    sassafras::StagedFile staged((folder.path / "b").string());
    staged.open() << "half";
    staged.discard();
    CHECK(files::is_empty(folder.path));
}

TEST_CASE("what would keep a file from being written is known before, and nothing is left of asking") {
    const Folder folder;
    const auto at = [&](const char* name) { return (folder.path / name).string(); };
    CHECK(sassafras::StagedFile(at("new")).obstacle().empty());
    CHECK(sassafras::StagedFile("/dev/null").obstacle().empty());
    CHECK(files::is_empty(folder.path));
    write(folder.path / "old", "old");
    CHECK(sassafras::StagedFile(at("old")).obstacle().empty());
    CHECK(text_of(folder.path / "old") == "old");
    CHECK(sassafras::StagedFile(folder.path.string()).obstacle() == "this is a folder");
    CHECK(sassafras::StagedFile(at("missing/a")).obstacle() == "its folder does not exist");
    CHECK_FALSE(sassafras::StagedFile("/proc/self/nothing/a").obstacle().empty());
    CHECK_FALSE(
        sassafras::StagedFile(at(std::string(300, 'n').c_str())).obstacle().empty());  // longer than names may be
    const auto refused = sassafras::check_output_file(at("missing/a"), "the JSON file", "--json");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message() == "cannot write the JSON file: its folder does not exist [" + at("missing/a") +
                                           "]; give --json a path that can be written");
}

TEST_CASE("a link that leads nowhere yet gets its file, and the permissions of a replaced file stay") {
    const Folder folder;
    files::create_symlink("there", folder.path / "link");
    REQUIRE(sassafras::write_output_file((folder.path / "link").string(), "new", "the file", "--output"));
    CHECK(files::is_symlink(files::symlink_status(folder.path / "link")));
    CHECK(text_of(folder.path / "there") == "new");
    files::permissions(folder.path / "there", files::perms::owner_read | files::perms::owner_write);
    REQUIRE(sassafras::write_output_file((folder.path / "there").string(), "newer", "the file", "--output"));
    CHECK(files::status(folder.path / "there").permissions() == (files::perms::owner_read | files::perms::owner_write));
    CHECK(text_of(folder.path / "there") == "newer");
}

TEST_CASE("a link that was planted at the staging name is not followed, and what was left there is not reused") {
    for (const bool planted : {true, false}) {
        const Folder folder;
        const auto target = folder.path / "a";
        const auto victim = folder.path / "victim";
        const files::path name = sassafras::StagedFile(target.string()).place();
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
        CHECK(sassafras::StagedFile(target.string()).obstacle().empty());
        untouched();
        REQUIRE(sassafras::write_output_file(target.string(), "new", "the file", "--output"));
        CHECK(text_of(target) == "new");
        CHECK_FALSE(files::is_symlink(files::symlink_status(target)));
        untouched();
        sassafras::StagedFile discarded(target.string());
        discarded.open() << "half";
        CHECK(discarded.place() != name);
        discarded.discard();
        sassafras::StagedFile(target.string()).discard();  // which has made nothing
        untouched();
        CHECK(std::distance(files::directory_iterator(folder.path), files::directory_iterator()) == 3);
    }
}

TEST_CASE("a link to nothing at the staging name makes no file, and two of one process do not meet") {
    const Folder folder;
    const auto target = folder.path / "a";
    files::create_symlink(folder.path / "made", sassafras::StagedFile(target.string()).place());
    CHECK(sassafras::StagedFile(target.string()).obstacle().empty());
    sassafras::StagedFile one(target.string());
    sassafras::StagedFile two(target.string());
    one.open() << "one";
    two.open() << "two";
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
    CHECK_FALSE(sassafras::StagedFile((folder.path / "a").string()).commit());
    sassafras::StagedFile nowhere((folder.path / "missing/a").string());
    CHECK_FALSE(nowhere.open());
    CHECK_FALSE(nowhere.commit());
    CHECK(text_of(folder.path / "a") == "old");
}
