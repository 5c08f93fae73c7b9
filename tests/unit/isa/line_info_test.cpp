// Lines of tests/fixtures/conflicts.cu, as nvcc -lineinfo writes them. The expected numbers are the source's own.
#include "cubin_fixture.hpp"

#include "core/random.hpp"
#include "isa/cubin/line_info.hpp"
#include "isa/program/program.hpp"

using namespace sassafras;
using namespace sassafras::isa;
using test::fixture;
using test::fixture_bytes;
using test::kernel_of;

namespace {

std::map<std::string, LineTable> lines() {
    auto tables = read_line_info(fixture_bytes("conflicts.cubin"), "conflicts.cubin");
    if (!tables) FAIL(tables.error().message());
    return std::move(tables).value();
}

/// Locations of the kernel's instructions of one operation, in program order.
std::vector<SourceLocation> locations_of(const std::string& kernel_name, Opcode operation) {
    const Cubin cubin = fixture("conflicts.cubin");
    const Kernel& kernel = kernel_of(cubin, kernel_name);
    const auto tables = lines();
    std::vector<SourceLocation> found;
    for (std::size_t i = 0; i < kernel.code.size(); ++i) {
        const auto instruction = decode(kernel.code[i]);
        if (!instruction || instruction->opcode != operation) continue;
        const SourceLocation* location = tables.at(kernel_name).find(i * instruction_bytes);
        REQUIRE(location != nullptr);
        found.push_back(*location);
    }
    return found;
}

}  // namespace

TEST_CASE("an instruction has the line that it was written in, and the calls that it was inlined by") {
    const auto stores = locations_of("strided", Opcode::STS);
    REQUIRE(stores.size() == 1);
    CHECK(stores[0] == SourceLocation{"conflicts.cu", 6, {{"fill", "conflicts.cu", 20}}});
    const auto loads = locations_of("strided", Opcode::LDS);
    REQUIRE(loads.size() == 2);
    const SourceLocation expected{
        "conflicts.cu", 11, {{"pick", "conflicts.cu", 15}, {"pick_twice", "conflicts.cu", 21}}};
    CHECK(loads[0] == expected);
    CHECK(loads[1] == expected);
    const auto written = locations_of("strided", Opcode::STG);
    REQUIRE(written.size() == 1);
    CHECK(written[0] == SourceLocation{"conflicts.cu", 21, {}});
}

TEST_CASE("what is inlined out of a header names the header, and who called it") {
    const auto atomics = locations_of("add", Opcode::ATOMS);
    REQUIRE(atomics.size() == 1);
    CHECK(atomics[0].file == "device_atomic_functions.hpp");
    REQUIRE(atomics[0].inlined.size() == 1);
    CHECK(atomics[0].inlined[0] == InlinedCall{"atomicAdd", "conflicts.cu", 42});
}

TEST_CASE("every kernel has its lines; a cubin without -lineinfo has none") {
    const auto tables = lines();
    CHECK(tables.size() == 4);
    for (const char* kernel : {"strided", "gather", "wide", "add"}) CHECK(tables.count(kernel) == 1);
    const auto none = read_line_info(fixture_bytes("basics.cubin"), "basics.cubin");
    REQUIRE(none.ok());
    CHECK((*none).empty());
}

TEST_CASE("a line knows the file that was compiled: its folder and its length") {
    std::ifstream file(std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/conflicts.cu", std::ios::ate);
    const auto stores = locations_of("strided", Opcode::STS);
    REQUIRE(stores[0].source != nullptr);
    CHECK(stores[0].source->path == "/tmp/sassafras/conflicts.cu");  // tests/fixtures/make
    CHECK(stores[0].source->bytes == static_cast<std::uint64_t>(file.tellg()));
    CHECK(stores[0].source->modified > 1'600'000'000);  // not before 2020
}

TEST_CASE("functions that were linked behind a kernel have their own lines, or none") {
    const auto at = [](const char* file, std::uint32_t line) { return SourceLocation{file, line, {}}; };
    std::map<std::string, LineTable> tables;
    tables["kernel"].add(0x10, at("kernel.cu", 1));
    tables["kernel"].add(0x40, at("kernel.cu", 2));
    tables["known"].add(0x0, at("known.cu", 7));
    tables["known"].add(0x20, at("known.cu", 8));
    tables["other"].add(0x0, at("other.cu", 9));
    Kernel kernel;
    kernel.name = "kernel";
    kernel.functions = {{"$kernel$inside", 0x50, 0x30}, {"unknown", 0x80, 0x80}, {"known", 0x100, 0x80}};
    const LineTable lines = lines_of_code(kernel, tables);
    CHECK(lines.find(0x0) == nullptr);
    for (const auto& [pc, file, line] : {std::tuple(0x10, "kernel.cu", 1U),
                                         {0x40, "kernel.cu", 2U},
                                         {0x60, "kernel.cu", 2U},
                                         {0x100, "known.cu", 7U},
                                         {0x110, "known.cu", 7U},
                                         {0x120, "known.cu", 8U},
                                         {0x170, "known.cu", 8U}}) {
        CAPTURE(pc);
        const SourceLocation* const found = lines.find(static_cast<std::uint64_t>(pc));
        REQUIRE(found != nullptr);
        CHECK(*found == at(file, line));
    }
    CHECK(lines.find(0x80) == nullptr);
    CHECK(lines.find(0xf0) == nullptr);
}

TEST_CASE("names of functions are readable") {
    CHECK(readable_function("_ZN11SerialMerge4takeI6Keys32Li15ELi128EEEvPKNT_7ElementEjjjjRAT0__S2_") ==
          "SerialMerge::take");
    CHECK(readable_function("_Z7tile_ofjjjjj") == "tile_of");
    CHECK(readable_function("_ZN43_INTERNAL_4351b225_12_sort_mgpu_cu_0f7d8d2a3minEjj") == "min");
    CHECK(readable_function("_ZZ8multiplyILi32ELi16ELi256EEvPKfS1_PfiiiENKUliE_clEi") == "multiply::{lambda#1}");
    CHECK(readable_function("strided") == "strided");
    CHECK(readable_function("") == "");
}

TEST_CASE("damaged tables are errors or other lines, never a crash", "[property]") {
    const auto good = fixture_bytes("conflicts.cubin");
    // Where .debug_line lies: the name of the source file is in its header.
    const std::string name = "conflicts.cu";
    const auto* begin = reinterpret_cast<const char*>(good.data());
    const auto at = static_cast<std::size_t>(std::search(begin, begin + good.size(), name.begin(), name.end()) - begin);
    REQUIRE(at < good.size());
    Random random(5);
    std::size_t refused = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        auto bytes = good;
        const std::size_t changes = 1 + random.below(4);
        for (std::size_t i = 0; i < changes; ++i) {
            const std::size_t place = (at < 64 ? 0 : at - 64) + random.below(900);
            if (place < bytes.size()) bytes[place] = static_cast<std::byte>(random.below(256));
        }
        CAPTURE(trial);
        const auto tables = read_line_info(bytes, "damaged.cubin");
        if (tables) continue;
        ++refused;
        REQUIRE(tables.error().kind == ErrorKind::bad_input);
        REQUIRE(!tables.error().where.empty());
    }
    CHECK(refused > 100);
}
