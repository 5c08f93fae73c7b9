// --set: numbers of a platform that the command line changes.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/platform/platform_settings.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using Catch::Contains;

namespace {

Result<ResolvedPlatform> h200_with(const std::vector<std::string>& settings) { return load_platform("h200", settings); }

std::string fault(const std::vector<std::string>& settings) {
    const auto resolved = h200_with(settings);
    return resolved ? "" : resolved.error().message();
}

}  // namespace

TEST_CASE("settings change their parameters, and nothing else") {
    auto expected = load_platform("h200");
    REQUIRE(expected.ok());
    expected->platform.gpu.sm_count = 66;
    expected->platform.l2.bytes = 25U << 20U;
    const auto changed = h200_with({"gpu.sm_count=66", "l2.bytes=25M"});
    REQUIRE(changed.ok());
    CHECK(changed->hash == platform_hash(expected->platform));
    CHECK(changed->platform.name == "h200 with gpu.sm_count=66, l2.bytes=25M");
    const auto as_it_is = h200_with({});
    REQUIRE(as_it_is.ok());
    CHECK(as_it_is->platform.name == "h200");
}

TEST_CASE("a setting that is the platform's own changes its name only") {
    const auto own = h200_with({"gpu.sm_count=132"});
    REQUIRE(own.ok());
    CHECK(own->hash == load_platform("h200")->hash);
}

TEST_CASE("values may have units, be powers, real numbers and names") {
    CHECK(*normal_setting("l2.bytes=25M") == "/l2/bytes=26214400");
    CHECK(*normal_setting("l2.bytes=2^20") == "/l2/bytes=1048576");
    CHECK(*normal_setting("l2.bytes=1G") == "/l2/bytes=1073741824");
    CHECK(*normal_setting("gpu.sm_mhz=1980.5") == "/gpu/sm_mhz=1980.5");
    CHECK(*normal_setting("a.b.c=[1,2]") == "/a/b/c=[1,2]");
    CHECK(*normal_setting("sm.scheduler=oldest") == "/sm/scheduler=\"oldest\"");
    CHECK(*normal_setting("sm.scheduler=true") == "/sm/scheduler=\"true\"");
}

TEST_CASE("what sets no parameter is refused, with what was written") {
    for (const char* text : {"", "=", "l2", "l2=5", "l2.bytes", "l2.bytes=", ".bytes=5", "l2.=5", "l2..bytes=5"}) {
        CAPTURE(text);
        CHECK_THAT(fault({text}), Contains("--set " + std::string(text)) && Contains("GROUP.PARAMETER=VALUE"));
    }
    CHECK_THAT(fault({"l2.bites=5"}), Contains("/l2/bites") && Contains("bytes"));
    CHECK_THAT(fault({"gpu.sm_count=0"}), Contains("/gpu/sm_count"));
    CHECK_THAT(fault({"gpu.sm_count=many"}), Contains("/gpu/sm_count"));
    CHECK_THAT(fault({"gpu.sm_count=1", "gpu.sm_count=2"}), Contains("set twice"));
    CHECK_THAT(fault({"gpu.sm_count=1", "gpu.sm_count.more=2"}), Contains("--set gpu.sm_count.more=2"));
    CHECK_THAT(fault({"gpu.sm_count.more=2", "gpu.sm_count=1"}), Contains("set twice"));
    CHECK_THAT(fault({"name.is=5"}), Contains("--set name.is=5"));
    CHECK_THAT(fault({"base.is=5"}), Contains("--set base.is=5"));
}

TEST_CASE("faults of a file that is changed are its own") {
    const std::vector<std::string> settings{"l2.bytes=25M"};
    const auto missing = load_platform("no-such-platform", settings);
    REQUIRE_FALSE(missing.ok());
    CHECK_THAT(missing.error().message(), Contains("no-such-platform"));
}
