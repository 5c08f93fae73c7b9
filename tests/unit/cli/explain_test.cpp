// Drawings of requests that are made by hand.
#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

#include "cli/reports/explain.hpp"
#include "tests/geometry.hpp"
#include "tests/sass_text.hpp"

using namespace sassafras;
using namespace sassafras::cli;

namespace {

/// Lane l accesses `width` bytes at address(l).
template <class Address>
ExplainedRequest request(std::uint32_t width, std::uint32_t mask, sim::SharedAccessKind kind, const Address& address) {
    ExplainedRequest explained;
    explained.kernel = "k";
    explained.grid = {3, 2, 1};
    explained.geometry = sim::test::banks;
    explained.decoded = source_rows::shared_load();
    explained.phase = "k: loads";
    explained.request.instruction = 0x20;
    explained.request.block = 4;
    explained.request.warp = 7;
    explained.request.number = 11;
    explained.request.width = width;
    explained.request.kind = kind;
    explained.request.access.mask = mask;
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) explained.request.access.address[lane] = address(lane);
    explained.request.wavefronts = sim::shared_wavefronts(explained.request.access, width, kind, explained.geometry);
    return explained;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

bool has(const std::vector<std::string>& reasons, const std::string& wanted) {
    return std::find(reasons.begin(), reasons.end(), wanted) != reasons.end();
}

constexpr auto load = sim::SharedAccessKind::load;

}  // namespace

TEST_CASE("the title says which request it is") {
    const auto explained = request(4, ~0U, load, [](std::uint32_t lane) { return 4 * lane; });
    CHECK(request_title(explained) == "k (launch 0), LDS R28, [R20] at 0x200, request 11: block (1, 1, 0), warp 7");
    CHECK(request_cost(explained) ==
          "loads of 4 bytes by 32 lanes: 1 wavefront, 1 without conflicts; 32 banks of 4 bytes");
    CHECK(request_reasons(explained).empty());
}

TEST_CASE("inactive lanes are neither counted nor drawn") {
    const auto explained = request(4, 0x0000ffff, load, [](std::uint32_t lane) { return 128 * lane; });
    const auto reasons = request_reasons(explained);
    CHECK(has(reasons, "Bank 0 has 16 different words, of lanes 0-15: one a pass."));
    CHECK(has(reasons, "16 lanes are inactive."));
    CHECK(occurrences(explain_svg(explained), "<path") == 16);
    CHECK(occurrences(explain_text(explained), "| 15") == 1);
    CHECK(occurrences(explain_text(explained), "| 16") == 0);
}

TEST_CASE("shared words are served once, and named while they are few") {
    const auto one = request(4, ~0U, load, [](std::uint32_t lane) { return lane < 8 ? 0 : 4 * lane; });
    CHECK(has(request_reasons(one), "Lanes 0-7 share a word, which is served once (+)."));
    CHECK(explain_text(one).find("| 0+") != std::string::npos);
    const auto many = request(4, ~0U, load, [](std::uint32_t lane) { return 4 * (lane / 2); });
    CHECK(has(request_reasons(many), "16 words are shared by several lanes and served once each (+)."));
}

TEST_CASE("half-warps are drawn apart, and together where neighbours share") {
    const auto apart = request(8, ~0U, load, [](std::uint32_t lane) { return 8 * lane; });
    const std::string text = explain_text(apart);
    CHECK(text.find("lanes 0-15\n") != std::string::npos);
    CHECK(text.find("lanes 16-31\n") != std::string::npos);
    CHECK(text.find("|  0 --  1 --  2 --") != std::string::npos);
    const auto together = request(8, ~0U, load, [](std::uint32_t lane) { return 8 * (lane / 2); });
    CHECK(together.request.wavefronts.actual == 1);
    CHECK(has(request_reasons(together),
              "Neighbouring groups that read the same words without a conflict are served together."));
}

TEST_CASE("text from a source line cannot leave its place in the SVG") {
    auto explained = request(4, ~0U, load, [](std::uint32_t lane) { return 4 * lane; });
    explained.line = study::SourceLine{{"a.cu", 3, {}}, "if (a < b && c > d) x = \"<script>\";"};
    const std::string svg = explain_svg(explained);
    CHECK(svg.find("a &lt; b &amp;&amp; c &gt; d") != std::string::npos);
    CHECK(svg.find("<script>") == std::string::npos);
}
