// Phases and source lines of the workloads' kernels, against the checked-in cubins and sources.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/access/memory_site.hpp"
#include "study/conflicts/phases.hpp"
#include "study/conflicts/source_lines.hpp"
#include "workloads/workload.hpp"

using namespace sassafras;
using namespace sassafras::study;
using namespace sassafras::workloads;

namespace {

const std::string folder = std::string(SASSAFRAS_SOURCE_DIR) + "/workloads/";

std::vector<std::byte> read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    REQUIRE(file.good());
    const std::vector<char> text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    return {bytes, bytes + text.size()};
}

std::vector<isa::Kernel> kernels_of(const std::string& workload) {
    std::vector<isa::Kernel> kernels;
    for (const auto& entry : std::filesystem::directory_iterator(folder + workload)) {
        if (entry.path().extension() != ".cubin") continue;
        auto cubin = isa::read_cubin(read(entry.path().string()), entry.path().string());
        if (!cubin) FAIL(cubin.error().message());
        for (isa::Kernel& kernel : (*cubin).kernels) kernels.push_back(std::move(kernel));
    }
    return kernels;
}

LinesByKernel all_lines() {
    auto lines = embedded_lines();
    if (!lines) FAIL(lines.error().message());
    return std::move(lines).value();
}

std::string trimmed(const std::string& line) {
    const std::size_t first = line.find_first_not_of(" \t");
    return first == std::string::npos ? "" : line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace

TEST_CASE("a star stands for any text") {
    CHECK(fits("*_merge_*", "mgpu_merge_u32_E15_b128"));
    CHECK(fits("search_pbs", "search_pbs"));
    CHECK_FALSE(fits("search_pbs", "search_pbs_cf"));
    CHECK(fits("*", ""));
    CHECK(fits("a*b*c", "abbc"));
    CHECK_FALSE(fits("a*b*c", "acb"));
    CHECK_FALSE(fits("", "a"));
}

TEST_CASE("every shared-memory instruction of a workload has a phase, and every rule has instructions") {
    const LinesByKernel lines = all_lines();
    for (const WorkloadInfo& workload : list()) {
        const auto rules = phases_of(workload.name);
        std::set<const PhaseRule*> used;
        std::size_t instructions = 0;
        for (const isa::Kernel& kernel : kernels_of(workload.name)) {
            CAPTURE(workload.name, kernel.name);
            const auto found = lines.find(kernel.name);
            for (std::size_t i = 0; i < kernel.code.size(); ++i) {
                if (!may_access_shared(kernel, i)) continue;
                const auto pc = i * isa::instruction_bytes;
                CAPTURE(pc);
                REQUIRE(found != lines.end());
                const SourceLine* line = found->second.find(pc);
                REQUIRE(line != nullptr);
                const auto kind = sim::memory_site(*isa::decode(kernel.code[i])).kind;
                const PhaseRule* rule = phase_of(rules, {kernel.name, line, kind}, &found->second);
                CAPTURE(line->text, line->location.line);
                REQUIRE(rule != nullptr);
                used.insert(rule);
                ++instructions;
            }
        }
        for (const PhaseRule& rule : rules) {
            CAPTURE(workload.name, rule.kernel, rule.function, rule.text, rule.part, rule.phase);
            CHECK(used.count(&rule) == 1);
        }
        CHECK((instructions > 0) == !rules.empty());  // a workload need not use shared memory
    }
}

TEST_CASE("tables of lines are of the checked-in code, and their texts are the sources'") {
    const LinesByKernel lines = all_lines();
    std::size_t compared = 0;
    for (const WorkloadInfo& workload : list())
        for (const isa::Kernel& kernel : kernels_of(workload.name)) {
            CAPTURE(kernel.name);
            const auto found = lines.find(kernel.name);
            REQUIRE(found != lines.end());
            CHECK(found->second.code_hash == hash_of_code(kernel));
            for (const auto& [pc, line] : found->second.at) {
                std::ifstream file(folder + workload.name + "/" + line.location.file);
                if (!file) continue;  // CUDA's own
                std::string text;
                for (std::uint32_t i = 0; i < line.location.line; ++i) std::getline(file, text);
                CAPTURE(line.location.file, line.location.line);
                REQUIRE(line.text == trimmed(text));
                ++compared;
            }
        }
    CHECK(compared > 1000);
}

TEST_CASE("a table of lines survives being written and read") {
    const LinesByKernel lines = all_lines();
    const auto again = parse_lines(format_lines(lines), "again");
    REQUIRE(again.ok());
    CHECK(format_lines(*again) == format_lines(lines));
    CHECK((*again).size() == lines.size());
}

TEST_CASE("a damaged table of lines is refused, with the line") {
    for (const char* text : {"L\ta.cu\tx\ttext\n", "L\ta.cu\t1\n", "K\tkernel\n", "I\t10\t0\n", "K\tk\t0\nI\t10\t0\n",
                             "L\ta.cu\t1\ttext\tcall\ta.cu\n", "what\n"}) {
        CAPTURE(text);
        const auto lines = parse_lines(text, "damaged.lines");
        REQUIRE_FALSE(lines.ok());
        CHECK(lines.error().kind == ErrorKind::bad_input);
        CHECK(lines.error().where.find("damaged.lines, line ") == 0);
    }
}
