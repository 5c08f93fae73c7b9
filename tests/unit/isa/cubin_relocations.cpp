#include <algorithm>
#include <cstring>

#include "cubin_fixture.hpp"
#include "isa/program/targets.hpp"

using namespace sassafras;
using namespace sassafras::isa;
using test::fixture;
using test::kernel_of;

namespace {

bool has(const Cubin& cubin, Relocation::Kind kind, const std::string& section, std::uint64_t offset,
         const std::string& symbol) {
    return std::count_if(cubin.relocations.begin(), cubin.relocations.end(), [&](const Relocation& relocation) {
               return relocation.kind == kind && relocation.section == section && relocation.offset == offset &&
                      relocation.symbol == symbol && relocation.addend == 0;
           }) == 1;
}

std::uint64_t immediate(const Kernel& kernel, std::uint64_t pc) { return kernel.code.at(pc / 16).bits(32, 32); }

std::uint64_t call_goes_to(const Kernel& kernel, std::uint64_t pc) {
    const auto instruction = decode(kernel.code.at(pc / 16));
    REQUIRE(instruction);
    const auto target = branch_target(*instruction, pc);
    REQUIRE(target);
    return *target;
}

}  // namespace

TEST_CASE("addresses of variables are left to the loader") {
    const Cubin cubin = fixture("basics.cubin");
    using Kind = Relocation::Kind;
    CHECK(cubin.relocations.size() == 4);
    CHECK(has(cubin, Kind::address64, ".nv.constant4", 0, "counter"));
    CHECK(has(cubin, Kind::address64, ".nv.constant4", 8, "zeroed"));
    CHECK(has(cubin, Kind::address64, ".nv.constant4", 16, "pointer"));
    CHECK(has(cubin, Kind::address64, ".nv.global.init", 0, "counter"));  // __device__ int* pointer = &counter
}

TEST_CASE("a function that the file lacks is named") {
    const Cubin cubin = fixture("control_flow.cubin");
    CHECK(std::count_if(cubin.relocations.begin(), cubin.relocations.end(), [](const Relocation& relocation) {
              return relocation.kind == Relocation::Kind::function_address64 && relocation.symbol == "vprintf" &&
                     relocation.section == ".nv.constant4";
          }) == 1);
}

TEST_CASE("device functions of other sections are linked behind the kernel") {
    const Cubin cubin = fixture("linked.cubin");
    REQUIRE(cubin.kernels.size() == 2);
    const Kernel& kernel = kernel_of(cubin, "calls_outside");
    std::map<std::string, std::uint64_t> at;
    for (const LocalFunction& function : kernel.functions) at[function.name] = function.offset;
    REQUIRE(at.size() == 3);
    CHECK(at.at("_Z6deeperi") >= 0x300);
    const std::uint64_t outside = at.at("_Z7outsideiPi");
    const std::uint64_t deeper = at.at("_Z6deeperi");

    SECTION("calls reach them, also from one to another") {
        CHECK(call_goes_to(kernel, 0x90) == outside);
        CHECK(call_goes_to(kernel, outside + 0x1f0) == deeper);
        CHECK(call_goes_to(kernel_of(cubin, "long_kernel"), 0x80) == at.at("_Z7outsideiPi$1"));
    }
    SECTION("return addresses are offsets into the code") {
        CHECK(immediate(kernel, 0x70) == 0xa0);
        CHECK(immediate(kernel, 0x80) == 0);
        CHECK(immediate(kernel, outside + 0x1b0) == outside + 0x200);
    }
    SECTION("a function pointer in global memory holds its place, which is the same in every kernel") {
        std::uint64_t pointer = 0;
        std::memcpy(&pointer, cubin.global_initialised.data(), sizeof pointer);
        CHECK(pointer == outside);
        for (const Kernel& each : cubin.kernels)
            CHECK(std::any_of(each.functions.begin(), each.functions.end(), [&](const LocalFunction& function) {
                return function.name == "_Z7outsideiPi" && function.offset == outside;
            }));
    }
    SECTION("addresses of variables in instructions are left to the loader") {
        using Kind = Relocation::Kind;
        CHECK(cubin.relocations.size() == 4);
        CHECK(has(cubin, Kind::address_high32, ".text.calls_outside", 0xa4, "variable"));
        CHECK(has(cubin, Kind::address_low32, ".text.calls_outside", 0xb4, "variable"));
        CHECK(has(cubin, Kind::address_low32, ".text.calls_outside", 0x184, "table"));
        CHECK(has(cubin, Kind::address_high32, ".text.calls_outside", 0x194, "table"));
    }
}
