// What control groups leave to runs, in folders as the kernel shows them.
#include <catch2/catch.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "study/sweep/machine_memory.hpp"

using namespace sassafras::study::sweep;

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

struct Groups {
    fs::path root = "machine_memory_test.groups";

    Groups() { fs::remove_all(root); }
    Groups(const Groups&) = delete;
    Groups& operator=(const Groups&) = delete;
    ~Groups() { fs::remove_all(root); }
    void put(const std::string& group, const char* limit_file, const char* limit, const char* usage_file,
             const char* usage) const {
        fs::create_directories(root / group);
        std::ofstream(root / group / limit_file) << limit << "\n";
        std::ofstream(root / group / usage_file) << usage << "\n";
    }
    void put_2(const std::string& group, const char* limit, const char* usage) const {
        put(group, "memory.max", limit, "memory.current", usage);
    }
    void put_1(const std::string& group, const char* limit, const char* usage) const {
        put("memory/" + group, "memory.limit_in_bytes", limit, "memory.usage_in_bytes", usage);
    }
};

}  // namespace

TEST_CASE("the least that any group above has left is left") {
    const Groups groups;
    CHECK(left_in_groups(groups.root, "0::/a/b/c\n") == no_limit);
    groups.put_2("a", "1000", "400");
    groups.put_2("a/b", "max", "300");
    groups.put_2("a/b/c", "900", "200");
    groups.put_2("other", "10", "5");
    CHECK(left_in_groups(groups.root, "0::/a/b/c\n") == 600);
    groups.put_2("a/b/c", "700", "200");
    CHECK(left_in_groups(groups.root, "0::/a/b/c\n") == 500);
    CHECK(left_in_groups(groups.root, "0::/a/b\n") == 600);
    CHECK(left_in_groups(groups.root, "0::/\n") == no_limit);
    groups.put_2("a/b", "200", "300");
    CHECK(left_in_groups(groups.root, "0::/a/b/c\n") == 0);
}

TEST_CASE("in a container the root is its own group, and the path outside is not to be seen") {
    const Groups groups;
    groups.put_2("", "5000", "1000");
    CHECK(left_in_groups(groups.root, "0::/\n") == 4000);
    CHECK(left_in_groups(groups.root, "0::/docker/1234\n") == 4000);
}

TEST_CASE("groups of version 1 limit as well") {
    const Groups groups;
    const std::string own = "12:cpu,cpuacct:/x\n5:memory:/slice/job\n1:name=systemd:/x\n0::/y\n";
    groups.put_1("", "9223372036854771712", "1000");
    groups.put_1("slice", "8000", "1000");
    groups.put_1("slice/job", "9000", "500");
    groups.put_1("x", "10", "5");
    CHECK(left_in_groups(groups.root, own) == 7000);
    groups.put_2("unified/y", "600", "100");
    CHECK(left_in_groups(groups.root, own) == 500);
}
