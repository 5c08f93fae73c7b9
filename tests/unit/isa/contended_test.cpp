// Which instructions wait for their turn: kernels of tests/fixtures/contended.cu, addresses read off their code by
// hand.
#include <set>

#include "cubin_fixture.hpp"
#include "isa/program/contended.hpp"

using namespace sassafras;
using namespace sassafras::isa;

namespace {

std::set<std::uint64_t> contended_in(const std::string& kernel) {
    const Cubin cubin = test::fixture("contended.cubin");
    const auto program = build_program(test::kernel_of(cubin, kernel));
    if (!program) FAIL(program.error().message());
    std::set<std::uint64_t> pcs;
    const std::vector<bool> contended = contended_instructions(*program);
    for (std::size_t i = 0; i < contended.size(); ++i)
        if (contended[i]) pcs.insert(i * instruction_bytes);
    return pcs;
}

}  // namespace

TEST_CASE("the load of what is compared, and what compares, are contended") {
    // Neither the load of the addend nor that of the sums behind the barrier.
    CHECK(contended_in("float_sums") == std::set<std::uint64_t>{0x150, 0x170});
}

TEST_CASE("what is compared is followed through MOV") {
    // 0x80 loads what is compared first; 0xe0 returns what MOV makes the next.
    CHECK(contended_in("greatest") == std::set<std::uint64_t>{0x80, 0xe0});
}

TEST_CASE("a program that compares nothing has no contended instructions") { CHECK(contended_in("counts").empty()); }

TEST_CASE("the load of a compiler's loop of compare and swap is a part of it") {
    const Cubin cubin = test::fixture("contended.cubin");
    const auto loads_in = [&](const std::string& kernel) {
        const auto program = build_program(test::kernel_of(cubin, kernel));
        if (!program) FAIL(program.error().message());
        return loads_of_tried_swaps(*program);
    };
    const std::vector<bool> loads = loads_in("float_sums");
    for (std::size_t i = 0; i < loads.size(); ++i) CHECK(loads[i] == (i * instruction_bytes == 0x150));
    CHECK(loads_in("greatest").empty());  // written by hand: what it loads may be a race
}
