// Every form of instruction (mnemonic, modifiers, kinds of operands) that nvcc made of the corpus, the fixtures and the
// workloads, and whether it executes.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "isa/program/program.hpp"
#include "sim/execute/coverage.hpp"

namespace {

using namespace sassafras;
namespace files = std::filesystem;

const files::path source_root = SASSAFRAS_SOURCE_DIR;

/// Text with registers, predicates and numbers replaced by what they are.
std::string form_of(const std::string& text) {
    std::string form;
    for (std::size_t at = 0; at < text.size();) {
        const bool starts = at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0;
        if (!starts || std::isalnum(static_cast<unsigned char>(text[at])) == 0) {
            form += text[at++];
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0)) ++end;
        std::string token = text.substr(at, end - at);
        at = end;
        const std::size_t digits = token.find_first_of("0123456789");
        const std::string name = token.substr(0, digits);
        const bool numbered = digits != std::string::npos &&
                              token.find_first_not_of("0123456789", digits) == std::string::npos && digits != 0;
        if (token == "RZ" || (numbered && name == "R")) token = "R";
        if (token == "URZ" || (numbered && name == "UR")) token = "UR";
        if (token == "PT" || (numbered && name == "P")) token = "P";
        if (token == "UPT" || (numbered && name == "UP")) token = "UP";
        if (numbered && name == "B") token = "B";
        if (digits == 0) token = "0";
        form += token;
    }
    if (form.front() == '@') form.erase(0, form.find(' ') + 1);
    for (const char* word : {".reuse", "-", "!", "~", "|"})
        for (std::size_t found = form.find(word); found != std::string::npos; found = form.find(word))
            form.erase(found, std::string(word).size());
    return form;
}

struct Forms {
    std::map<std::string, std::string> refused;  ///< form -> an example
    std::set<std::string> executed;

    void note(const isa::Program& program, const std::vector<bool>& wanted) {
        const std::vector<bool> modelled = sim::modelled_instructions(program);
        for (std::size_t index = 0; index < program.instructions.size(); ++index) {
            if (!wanted[index]) continue;
            const std::string text = isa::print(program.instructions[index], index * isa::instruction_bytes);
            if (modelled[index])
                executed.insert(form_of(text));
            else
                refused.emplace(form_of(text), text);
        }
    }
};

/// Forms that are refused, by operation: products of sparse matrices; bulk copies (TMA) but for the plain one to shared
/// memory; barriers of clusters; arriving at a barrier on sm_80 (ATOMS.ARRIVE); S2UR of performance counters and of
/// SR_VIRTCFG, whose values are the driver's. The counts are exact: what comes to execute leaves the list.
const std::map<std::string, std::size_t> allowed{
    {"HMMA", 1},         {"UBLKCP", 1},       {"UBLKPF", 1}, {"UBLKRED", 1},  {"UTMACCTL", 1},
    {"UTMACMDFLUSH", 1}, {"UTMALDG", 1},      {"UTMAPF", 1}, {"UTMAREDG", 1}, {"UTMASTG", 1},
    {"UCGABAR_ARV", 1},  {"UCGABAR_WAIT", 1}, {"S2UR", 3},   {"ATOMS", 1}};

void note_cubin(Forms& forms, const files::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<std::byte> bytes;
    for (std::istreambuf_iterator<char> at(file), end; at != end; ++at) bytes.push_back(static_cast<std::byte>(*at));
    const auto cubin = isa::read_cubin(bytes, path.string());
    if (!cubin) return;  // fixtures of faults
    for (const isa::Kernel& kernel : cubin->kernels) {
        const auto program = isa::build_program(kernel);
        if (program) forms.note(*program, std::vector<bool>(program->instructions.size(), true));
    }
}

/// Lines of nvdisasm: instructions at their pcs, as many programs as some pc occurs times.
void note_lines(Forms& forms, const files::path& path) {
    std::vector<isa::Program> programs;
    std::vector<std::vector<bool>> given;
    std::map<std::uint64_t, std::size_t> seen;
    std::ifstream file(path);
    std::string row;
    while (std::getline(file, row)) {
        std::istringstream columns(row);
        std::string pc, low, high;
        columns >> pc >> low >> high;
        const auto instruction = isa::decode({std::stoull(low, nullptr, 16), std::stoull(high, nullptr, 16)});
        REQUIRE(instruction.ok());
        const std::size_t index = std::stoull(pc, nullptr, 16) / isa::instruction_bytes;
        const std::size_t number = seen[index]++;
        if (number == programs.size()) {
            programs.emplace_back();
            given.emplace_back();
        }
        if (programs[number].instructions.size() <= index) {
            const auto nop = isa::decode({0x0000000000007918, 0x000fc00000000000});
            programs[number].instructions.resize(index + 1, *nop);
            given[number].resize(index + 1, false);
        }
        programs[number].instructions[index] = *instruction;
        given[number][index] = true;
    }
    for (std::size_t number = 0; number < programs.size(); ++number) {
        const auto nop = isa::decode({0x0000000000007918, 0x000fc00000000000});
        programs[number].instructions.resize(std::size_t{1} << 14U, *nop);  // branches need places to go to
        given[number].resize(std::size_t{1} << 14U, false);
        forms.note(programs[number], given[number]);
    }
}

}  // namespace

TEST_CASE("what nvcc emits executes, but for sparse products, bulk copies, clusters, textures and surfaces",
          "[golden]") {
    Forms forms;
    for (const char* folder : {"tests/fixtures", "workloads"})
        for (const auto& entry : files::recursive_directory_iterator(source_root / folder))
            if (entry.path().extension() == ".cubin") note_cubin(forms, entry.path());
    for (const auto& entry : files::directory_iterator(source_root / "tests/golden/isa"))
        if (entry.path().extension() == ".tsv") note_lines(forms, entry.path());
    std::map<std::string, std::vector<std::string>> by_operation;
    for (const auto& [form, example] : forms.refused) {
        if (forms.executed.count(form) != 0) continue;  // refused in some places only
        by_operation[form.substr(0, form.find_first_of(". "))].push_back(example);
    }
    std::size_t refused = 0;
    std::map<std::string, std::size_t> counts;
    for (const auto& [operation, examples] : by_operation) {
        refused += examples.size();
        counts[operation] = examples.size();
    }
    std::cout << forms.executed.size() << " of " << forms.executed.size() + refused
              << " distinct forms execute; refused:";
    for (const auto& [operation, examples] : by_operation)
        std::cout << ' ' << operation << " (" << examples.size() << ')';
    std::cout << '\n';
    for (const auto& [operation, examples] : by_operation)
        for (const std::string& example : examples) UNSCOPED_INFO(example);
    CHECK(counts == allowed);
}
