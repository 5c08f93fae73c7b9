// Basic blocks and the control-flow graph of real kernels. Addresses were read off the branch words by hand.
#include <algorithm>
#include <set>

#include "cubin_fixture.hpp"
#include "isa/program/program.hpp"
#include "isa/program/targets.hpp"

using namespace sassafras;
using namespace sassafras::isa;
using test::fixture;
using test::kernel_of;

namespace {

Program program_of(const std::string& file, const std::string& kernel) {
    const Cubin cubin = fixture(file);
    auto program = build_program(kernel_of(cubin, kernel));
    if (!program) FAIL(program.error().message());
    return std::move(program).value();
}

std::uint32_t block_at(const Program& program, std::uint64_t pc) {
    const std::uint32_t block = program.block_of.at(pc / 16);
    REQUIRE(program.blocks.at(block).first == pc / 16);
    return block;
}

/// Start addresses of the blocks that can follow the block that ends with the instruction at `pc`.
std::set<std::uint64_t> after(const Program& program, std::uint64_t pc) {
    const BasicBlock& block = program.blocks.at(program.block_of.at(pc / 16));
    REQUIRE(block.first + block.count - 1 == pc / 16);
    std::set<std::uint64_t> pcs;
    for (const std::uint32_t successor : block.successors)
        pcs.insert(std::uint64_t{program.blocks.at(successor).first} * 16);
    CHECK(pcs.size() == block.successors.size());
    return pcs;
}

using Pcs = std::set<std::uint64_t>;

}  // namespace

TEST_CASE("blocks tile the code, control changes only at their ends, and edges lead to their starts") {
    for (const char* file : {"basics.cubin", "control_flow.cubin", "linked.cubin"}) {
        const Cubin cubin = fixture(file);
        for (const Kernel& kernel : cubin.kernels) {
            INFO(file << " " << kernel.name);
            const auto program = build_program(kernel);
            if (!program) FAIL(program.error().message());
            REQUIRE(program->instructions.size() == kernel.code.size());
            std::uint32_t next = 0;
            for (std::uint32_t number = 0; number < program->blocks.size(); ++number) {
                const BasicBlock& block = program->blocks[number];
                REQUIRE(block.first == next);
                REQUIRE(block.count > 0);
                for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
                    REQUIRE(program->block_of[i] == number);
                    if (i + 1 < block.first + block.count) REQUIRE_FALSE(ends_block(program->instructions[i].opcode));
                }
                for (const std::uint32_t successor : block.successors) REQUIRE(successor < program->blocks.size());
                next = block.first + block.count;
            }
            REQUIRE(next == program->instructions.size());
        }
    }
}

TEST_CASE("branches, predicated exits and loops") {
    const Program program = program_of("control_flow.cubin", "loops");
    CHECK(after(program, 0x40) == Pcs{0x50});           // @P0 EXIT
    CHECK(after(program, 0x110) == Pcs{0x120, 0x160});  // @P1 BRA 0x160
    CHECK(after(program, 0x150) == Pcs{0x2c0});
    CHECK(after(program, 0x200) == Pcs{0x210});  // @P1 EXIT
    CHECK(after(program, 0x2b0) == Pcs{0x2c0});  // BSYNC
    CHECK(after(program, 0x330).empty());        // EXIT
    CHECK(after(program, 0x340) == Pcs{0x340});  // the branch to itself behind the code
    block_at(program, 0x320);                    // where BSSY B0 at 0xd0 reconverges
}

TEST_CASE("a jump table lists its targets") {
    const Program program = program_of("control_flow.cubin", "jump_table");
    CHECK(after(program, 0x130) == Pcs{0x140, 0x180, 0x1a0, 0x360});
    CHECK(after(program, 0x260) == Pcs{0x270, 0x2a0, 0x360});
    // All arms meet at the BSYNC at 0x370.
    const std::uint32_t join = block_at(program, 0x370);
    CHECK(program.blocks[program.block_of[0x130 / 16]].immediate_post_dominator == join);
    CHECK(program.blocks[program.block_of[0xe0 / 16]].immediate_post_dominator == join);
}

TEST_CASE("without the table the targets are unknown") {
    const Cubin cubin = fixture("control_flow.cubin");
    Kernel kernel = kernel_of(cubin, "jump_table");
    kernel.indirect_branches.clear();
    const auto program = build_program(kernel);
    REQUIRE(program);
    CHECK(after(*program, 0x130).empty());
}

TEST_CASE("a call enters the function and comes back") {
    const Program program = program_of("control_flow.cubin", "call");
    CHECK(after(program, 0x40) == Pcs{0x50, 0xb0});
    CHECK(after(program, 0x80) == Pcs{0x90, 0x120});
    CHECK(after(program, 0xe0) == Pcs{0xf0, 0x120});
    CHECK(after(program, 0x150) == Pcs{0x90, 0xf0});  // RET: behind either call
    // For post-dominance a call goes on behind it: both ways from 0x40 join at 0xb0.
    CHECK(program.blocks[program.block_of[0x40 / 16]].immediate_post_dominator == block_at(program, 0xb0));
    CHECK(program.blocks[program.block_of[0x80 / 16]].immediate_post_dominator == block_at(program, 0x90));
}

TEST_CASE("a call through a pointer can reach the program's functions") {
    const Program program = program_of("control_flow.cubin", "function_pointer");
    CHECK(after(program, 0x120) == Pcs{0x130, 0x150, 0x170});
    CHECK(after(program, 0x160) == Pcs{0x130});
    CHECK(after(program, 0x180) == Pcs{0x130});
}

TEST_CASE("what .nv.info says is checked against the code") {
    const Cubin cubin = fixture("control_flow.cubin");
    Kernel kernel = kernel_of(cubin, "loops");
    kernel.exit_offsets.push_back(0x50);
    const auto program = build_program(kernel);
    REQUIRE_FALSE(program);
    CHECK(program.error().kind == ErrorKind::bad_input);
    CHECK_THAT(program.error().where, Catch::Matchers::Contains("kernel loops, pc 0x50"));
}

TEST_CASE("a word that cannot be decoded stops with kernel, pc and word") {
    Kernel kernel;
    kernel.name = "k";
    kernel.code = {{0x000000000000794d, 0x000fea0003800000}, {0x0123456789abcdef, 0x0}};
    const auto program = build_program(kernel);
    REQUIRE_FALSE(program);
    CHECK(program.error().kind == ErrorKind::not_modelled);
    CHECK_THAT(program.error().where, Catch::Matchers::Contains("kernel k, pc 0x10"));
    CHECK_THAT(program.error().where, Catch::Matchers::Contains("0123456789abcdef"));
}

TEST_CASE("a branch out of the code is refused") {
    Kernel kernel;
    kernel.name = "k";
    kernel.code = {{0x00000000000c7947, 0x000fec0003800000}};  // BRA 0x40
    const auto program = build_program(kernel);
    REQUIRE_FALSE(program);
    CHECK(program.error().kind == ErrorKind::bad_input);
    CHECK_THAT(program.error().what, Catch::Matchers::Contains("0x40"));
}

TEST_CASE("a kernel that calls what the file lacks is refused") {
    Kernel kernel;
    kernel.name = "k";
    kernel.code = {{0x000000000000794d, 0x000fea0003800000}};
    kernel.unresolved_calls = {{"cudaGetParameterBuffer", 0}};
    const auto program = build_program(kernel);
    REQUIRE_FALSE(program);
    CHECK(program.error().kind == ErrorKind::not_modelled);
}
