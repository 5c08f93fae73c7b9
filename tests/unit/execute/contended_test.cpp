// Loops of compare and swap, executed in the order of a time: tests/fixtures/contended.cu.
#include <catch2/catch.hpp>

#include <numeric>

#include "tests/geometry.hpp"
#include "tests/unit/execute/features.hpp"

using namespace sassafras;
using test::Parameters;

namespace {

using State = sim::WarpTrace::State;

struct Contended {
    explicit Contended(bool in_time_order, unsigned threads = 64, int stride = 1)
        : module(std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/contended.cubin") {
        std::vector<float> in(threads);
        std::iota(in.begin(), in.end(), 1.0F);
        sums = module.upload(std::vector<float>(8));
        sim::LaunchRequest request;
        request.kernel = module.kernel("float_sums");
        request.shape = {{1, 1, 1}, {threads, 1, 1}, {}};
        request.parameters = Parameters().add(sums.value).add(module.upload(in).value).add(stride).bytes();
        request.banks = sim::test::banks;
        request.in_time_order = in_time_order;
        source = sim::make_executor(std::move(request), module.memory).value();
        block = source->start(0).value();
    }

    void advance() {
        const auto advanced = source->advance(*block, 4096);
        if (!advanced) FAIL(advanced.error().message());
    }
    /// What the warp has in its trace is issued, and the contended instruction at its end executed.
    void issue(std::size_t warp) {
        sim::WarpTrace& trace = block->warps[warp];
        while (trace.has_segment()) instructions += trace.pop_segment().count;
        if (trace.state == State::waiting_turn) trace.take_turn();
        advance();
    }
    [[nodiscard]] bool done() const {
        return std::all_of(block->warps.begin(), block->warps.end(), [](const sim::WarpTrace& trace) {
            return trace.state == State::exited && !trace.has_segment();
        });
    }
    void check_sums(unsigned threads = 64) {
        const auto got = module.download<float>(sums, 8);
        for (unsigned word = 0; word < 8; ++word) {
            float sum = 0;
            for (unsigned thread = word; thread < threads; thread += 8) sum += static_cast<float>(thread + 1);
            CHECK(got[word] == sum);
        }
    }

    test::Module module;
    Address sums;
    std::unique_ptr<sim::TraceSource> source;
    sim::BlockTrace* block = nullptr;
    std::uint64_t instructions = 0;
};

}  // namespace

TEST_CASE("a warp waits at a contended instruction, which is in its trace") {
    Contended run(true);
    run.advance();
    for (sim::WarpTrace& trace : run.block->warps) {
        CHECK(trace.state == State::waiting_turn);
        sim::Segment last{};
        while (trace.has_segment()) last = trace.pop_segment();
        CHECK(last.first + last.count == 0x160 / isa::instruction_bytes);  // behind the LDS
    }
    run.advance();
    CHECK_FALSE(run.block->warps[0].has_segment());
}

TEST_CASE("who stores between another's load and its swap makes it go round again") {
    Contended apart(true);
    Contended mixed(true);
    apart.advance();
    mixed.advance();
    for (std::size_t warp : {0U, 1U})
        for (int turn = 0; turn < 8; ++turn) apart.issue(warp);  // four rounds: four lanes a word
    while (!apart.done())
        for (std::size_t warp : {0U, 1U}) apart.issue(warp);
    while (!mixed.done())
        for (std::size_t warp : {0U, 1U}) mixed.issue(warp);
    apart.check_sums();
    mixed.check_sums();
    // In every round one of the two stores: 8 rounds of the first to be done, 12 of the other, against 4 and 4.
    CHECK(mixed.instructions > apart.instructions + 15);
}

TEST_CASE("a bank takes one lane's sum at a time, whosever word it is") {
    Contended same(false, 32, 1);
    Contended bank(false, 32, 32);
    for (Contended* run : {&same, &bank}) {
        while (!run->done()) {
            run->advance();
            for (std::size_t warp = 0; warp < run->block->warps.size(); ++warp) run->issue(warp);
        }
        run->check_sums(32);
    }
    // 32 rounds against four, of five instructions and BSYNC for each group that leaves.
    CHECK(bank.instructions == same.instructions + 28 * 6);
}

TEST_CASE("without a time nobody waits for a turn") {
    Contended run(false);
    while (!run.done()) {
        run.advance();
        for (sim::WarpTrace& trace : run.block->warps) REQUIRE(trace.state != State::waiting_turn);
        for (std::size_t warp : {0U, 1U}) run.issue(warp);
    }
    run.check_sums();
}
