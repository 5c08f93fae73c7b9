// Counts of a launch as the models take them, and what they make of them.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include "tests/sass_text.hpp"
#include "validate/models/profile/kernel_profile.hpp"
#include "validate/models/rivals/compare.hpp"
#include "validate/models/spt/measured_counts.hpp"
#include "validate/models/spt/oversubscription.hpp"

using namespace sassafras;
using namespace sassafras::validate;

namespace {

using isa::Opcode;

sim::SourceRow row(Opcode opcode, std::uint64_t executed, std::uint64_t sectors = 0, std::uint64_t wavefronts = 0) {
    sim::SourceRow made = source_rows::row_of(opcode);
    made.inst_executed = executed;
    made.thread_inst_executed = executed;  // one lane: classes count warps
    made.global_sectors = sectors;
    made.shared_wavefronts = wavefronts;
    made.shared_wavefronts_ideal = std::min<std::uint64_t>(wavefronts, executed);
    return made;
}

sim::KernelResult launch() {
    sim::KernelResult result;
    result.name = "kernel";
    result.grid = {8, 2, 1};
    result.block = {64, 1, 1};
    result.registers_per_thread = 32;
    result.static_shared = {1024};
    result.source = {row(Opcode::LDG, 32, 128), row(Opcode::STG, 16, 64), row(Opcode::LDS, 32, 0, 96),
                     row(Opcode::BAR, 32),      row(Opcode::FFMA, 320),   row(Opcode::IMAD, 32),
                     row(Opcode::STL, 32),      row(Opcode::BRA, 32),     row(Opcode::EXIT, 32)};
    return result;
}

spt::Instance machine() {
    spt::Instance instance = spt::built_in_instances()[0];
    instance.cores = 256;
    instance.multiprocessors = 2;
    instance.register_words = 65536;
    instance.shared_words = 16384;
    instance.threads_per_core = 16;
    return instance;
}

KernelProfile profile() {
    auto made = profile_of(launch());
    REQUIRE(made.ok());
    return std::move(made).value();
}

}  // namespace

TEST_CASE("instructions are told apart by their operation") {
    CHECK(classify(Opcode::LDG) == InstructionClass::global);
    CHECK(classify(Opcode::ATOMG) == InstructionClass::global);
    CHECK(classify(Opcode::RED) == InstructionClass::global);
    CHECK(classify(Opcode::LDS) == InstructionClass::shared);
    CHECK(classify(Opcode::LDSM) == InstructionClass::shared);
    CHECK(classify(Opcode::BAR) == InstructionClass::barrier);
    CHECK(classify(Opcode::WARPSYNC) == InstructionClass::control);
    CHECK(classify(Opcode::EXIT) == InstructionClass::control);
    CHECK(classify(Opcode::LDC) == InstructionClass::arithmetic);
    CHECK(classify(Opcode::LDL) == InstructionClass::local);
    CHECK(classify(Opcode::HFMA2_MMA) == InstructionClass::arithmetic);
}

TEST_CASE("a profile adds up a launch") {
    const KernelProfile made = profile();
    CHECK(made.blocks == 16);
    CHECK(made.threads_per_block == 64);
    CHECK(made.warps(32) == 32);
    CHECK(made.global == 48);
    CHECK(made.shared == 32);
    CHECK(made.local == 32);
    CHECK(made.barriers == 32);
    CHECK(made.arithmetic == 352);
    CHECK(made.control == 64);
    CHECK(made.instructions() == 560);
    CHECK(made.global_sectors == 192);
    CHECK(made.shared_wavefronts == 96);
    CHECK(made.shared_words_per_block == 256);
    sim::KernelResult bare = launch();
    bare.source.clear();
    CHECK_FALSE(profile_of(bare).ok());
}

TEST_CASE("oversubscription is what the scarcest resource allows") {
    KernelProfile made = profile();
    made.blocks = 1e6;
    CHECK(oversubscription(made, machine()) == 8);  // 65536 / (32 * 256)
    made.registers_per_thread = 16;
    CHECK(oversubscription(made, machine()) == 16);  // 16384 * 64 / (256 * 256) = 16 too, and so the hardware
    made.shared_words_per_block = 1024;
    CHECK(oversubscription(made, machine()) == 4);
    made.blocks = 2;
    CHECK(oversubscription(made, machine()) == 0.5);  // 128 threads on 256 cores
}

TEST_CASE("measured counts are a core's, a kernel a kind of launch") {
    const std::vector<KernelProfile> launches{profile(), profile()};
    const spt::Algorithm algorithm = spt::measured_counts(launches, machine(), nullptr);
    REQUIRE(algorithm.kernels.size() == 1);
    const spt::Kernel& kernel = algorithm.kernels[0];
    CHECK(kernel.launches == 2);
    CHECK(kernel.operations[0].count == 2 * 8 * 192 / 256.0);
    CHECK(kernel.operations[1].count == 2 * 32 * (96 + 32) / 256.0);
    CHECK(kernel.operations[2].count == 2 * 32 * 352 / 256.0);
    CHECK(kernel.operations[3].count == 2 * 32 * 32 / 256.0);
    CHECK(kernel.operations[0].ilp == 1);
    spt::Algorithm formula;
    formula.kernels = {{"any", 1, 1, {{"s", "", 1, 7}}}};
    CHECK(spt::measured_counts(launches, machine(), &formula).kernels[0].operations[1].ilp == 7);
    CHECK(spt::measured_counts(launches, machine(), &formula).kernels[0].operations[0].ilp == 1);
}

TEST_CASE("every rival answers for the same launches") {
    const std::vector<KernelProfile> launches{profile()};
    const auto estimates = rivals::compare(launches, machine());
    REQUIRE(estimates.ok());
    const auto value = [&](const std::string& model) {
        const auto found = std::find_if(estimates->begin(), estimates->end(),
                                        [&](const rivals::RivalEstimate& one) { return one.model == model; });
        REQUIRE(found != estimates->end());
        return found->value;
    };
    CHECK(value("pem") == 48 / 8.0);  // 192 sectors are 48 blocks of w words; P / w = 8 processors
    CHECK(value("roofline") == Approx(192 * 32 / (0.0301 * 4 * 256)));  // bytes take longer than 560 * 32 / 256 steps
    CHECK(value("bsp") == Approx(70 + 192 * 8 / 256.0 / 0.0301 + 7800));
    CHECK(value("agpu-time") == Approx(96 * 32 / 256.0));
    CHECK(value("agpu-io") == 48);
    CHECK(value("pram") == Approx(560 * 32 / 256.0 + 560 / 32.0));
    // 16 warps an SM, all resident: a warp has 1 shared and 1.5 global requests, an SM 48 wavefronts, the GPU 48 blocks
    CHECK(value("dmm") == Approx(48 + 1 * (85.84 - 1)));
    CHECK(value("umm") == Approx(48 + 1.5 * (269.5 - 1)));
    CHECK(value("hmm") == Approx(value("dmm") + value("umm")));
    CHECK(value("sitchinava-weichert") == Approx(560 / 32.0 + 269.5 * 48 / 32 + 7800));
    // 1,024 threads on 256 cores: M_o = 4
    CHECK(value("kothapalli-spt") == Approx(48 * 32 / 256.0 * 269.5 / 4 + 96 * 32 / 256.0 * 85.84 / 4 + 7800));
    // 32 warps, 8 blocks of 2 warps an SM; a warp: 13 cycles' worth of 6 and 1.5 requests of 269.5 and 3 wavefronts
    // of 85.84
    CHECK(value("kothapalli-sum") == Approx(8 * 2 * 32 / (128 * 6.0) * (13 * 6 + 1.5 * 269.5 + 3 * 85.84)));
    // 16 warps an SM, each 269.5 cycles a request and 512 / 48 other instructions of 6: latency bounds 24 requests an
    // SM.
    CHECK(value("volkov") == Approx(24 * (269.5 + 512.0 / 48 * 6) / 16));
    for (const rivals::RivalEstimate& one : *estimates) {
        CHECK(std::isfinite(one.value));
        CHECK(one.value > 0);
        CHECK_FALSE(one.source.empty());
    }
    // volkov: 10.67 others an access, latency 333.5, at 0.0301 * 4 * 256 / 2 / 128 accesses a cycle and SM
    CHECK(value("volkov-warps") == Approx((269.5 + 512.0 / 48 * 6) * 0.0301 * 4 * 256 / 2 / 128));
    CHECK(value("volkov-cusp") == Approx(4 / (0.0301 * 4 * 256 / 2 / 128)));  // 128 cores issue 4 a cycle
    // twice the launches, twice the value; warps that are needed stay what they are
    const std::vector<KernelProfile> twice{profile(), profile()};
    const auto doubled = rivals::compare(twice, machine());
    REQUIRE(doubled.ok());
    for (std::size_t i = 0; i < estimates->size(); ++i) {
        CAPTURE((*doubled)[i].model);
        CHECK((*doubled)[i].value ==
              Approx(((*doubled)[i].model.starts_with("volkov-") ? 1 : 2) * (*estimates)[i].value));
    }
    spt::Instance lacking = machine();
    lacking.operations.erase(lacking.operations.begin());
    CHECK_FALSE(rivals::compare(launches, lacking).ok());
}

TEST_CASE("models of an SM do not count SMs that have no block") {
    // One block for two SMs, or for the one SM that there is, with all of the memory's bandwidth.
    KernelProfile few = profile();
    few.blocks = 1;
    const std::vector<KernelProfile> launches{few};
    spt::Instance one = machine();
    one.cores /= 2;
    one.multiprocessors = 1;
    one.register_words /= 2;
    one.shared_words /= 2;
    for (spt::Operation& operation : one.operations)
        if (operation.symbol == "g") operation.bandwidth *= 2;
    const auto of_two = rivals::compare(launches, machine());
    const auto of_one = rivals::compare(launches, one);
    REQUIRE(of_two.ok());
    REQUIRE(of_one.ok());
    std::size_t compared = 0;
    for (std::size_t i = 0; i < of_two->size(); ++i) {
        const std::string& model = (*of_two)[i].model;
        if (model != "hong-kim" && model != "sim" && model != "volkov" && model != "interval" &&
            model != "kothapalli-sum" && model != "kothapalli-max")
            continue;
        CAPTURE(model);
        CHECK((*of_two)[i].value == Approx((*of_one)[i].value));
        ++compared;
    }
    CHECK(compared == 6);
}
