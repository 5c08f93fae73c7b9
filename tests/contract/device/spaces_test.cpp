// Generic accesses whose lanes reach several spaces: every device that counts, counts what each lane reaches.
#include <catch2/catch.hpp>

#include <array>
#include <cstring>

#include "devices.hpp"
#include "tests/sass_text.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

constexpr int shared = 0;
constexpr int global = 1;
constexpr int local = 2;
constexpr std::size_t lanes = 32;
using Spaces = std::array<int, lanes>;

struct Outcome {
    std::vector<SourceRow> source;
    MetricSet metrics;
    std::array<int, lanes> read{};
};

Outcome run_spaces(Device& device, const Spaces& spaces, bool with_atomics) {
    const auto module = device.load_module(fixture("../spaces.cubin"), "spaces.cubin");
    INFO((module.ok() ? "" : module.error().message()));
    REQUIRE(module.ok());
    const auto chosen = device.allocate(Bytes{sizeof(spaces)});
    const auto memory = device.allocate(Bytes{4096});
    const auto out = device.allocate(Bytes{sizeof(spaces)});
    REQUIRE((chosen.ok() && memory.ok() && out.ok()));
    REQUIRE(device.copy_to_device(*chosen, std::as_bytes(std::span(spaces))).ok());
    Launch launch;
    launch.module = *module;
    launch.kernel = "spaces";
    launch.grid = {1, 1, 1};
    launch.block = {lanes, 1, 1};
    launch.arguments =
        Arguments().add(chosen->value).add(memory->value).add(out->value).add(with_atomics ? 1 : 0).add(0);
    REQUIRE(device.launch(launch).ok());
    const auto done = device.synchronize();
    INFO((done.ok() ? "" : done.error().message()));
    REQUIRE(done.ok());
    REQUIRE(device.results().size() == 1);
    Outcome outcome{device.results()[0].source, device.results()[0].metrics, {}};
    REQUIRE(device.copy_from_device(std::as_writable_bytes(std::span(outcome.read)), *out).ok());
    return outcome;
}

/// The only row of this operation.
const SourceRow& row(const Outcome& outcome, const std::string& operation) {
    const SourceRow* found = nullptr;
    for (const SourceRow& candidate : outcome.source) {
        if (!sassafras::source_rows::sass(candidate).starts_with(operation + " ")) continue;
        REQUIRE(found == nullptr);
        found = &candidate;
    }
    REQUIRE(found != nullptr);
    return *found;
}

double metric(const Outcome& outcome, MetricId id) {
    const auto value = outcome.metrics.find(id);
    INFO("metric " << std::string(name_of(id)));
    REQUIRE(value);
    return *value;
}

Spaces spread(int first, int second, int third) {
    Spaces spaces{};
    for (std::size_t lane = 0; lane < lanes; ++lane) spaces[lane] = std::array{first, second, third}[lane % 3];
    return spaces;
}

}  // namespace

TEST_CASE("a generic access is counted as what its lanes reach") {
    struct Case {
        const char* name;
        Spaces spaces;
        bool atomics;
        std::uint64_t in_shared;  ///< lanes, all in one bank: a wavefront each
        std::uint64_t in_global;  ///< lanes, each in a line of its own: a sector each
    };
    // Lanes 0, 3, ... 30 are eleven, lanes 1, 4, ... 31 eleven, lanes 2, 5, ... 29 ten.
    const std::vector<Case> cases{
        {"shared", spread(shared, shared, shared), true, 32, 0},
        {"global", spread(global, global, global), true, 0, 32},
        {"local", spread(local, local, local), false, 0, 0},
        {"shared and global", spread(shared, global, global), true, 11, 21},
        {"all three", spread(shared, global, local), false, 11, 11},
        {"global and local", spread(global, local, local), false, 0, 11},
    };
    for (const Case& expected : cases) {
        for (const auto& implementation : implementations()) {
            if (implementation.name == "cuda") continue;  // has no counts of instructions
            INFO("device " << implementation.name << ", lanes in " << expected.name);
            const auto device = implementation.make();
            const Outcome outcome = run_spaces(*device, expected.spaces, expected.atomics);
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const int stored = 100 + static_cast<int>(lane);
                CHECK(outcome.read[lane] == (expected.atomics ? 2 * stored : stored));
            }
            std::vector<std::string> operations{"ST.E", "LD.E"};
            if (expected.atomics) operations.emplace_back("ATOM.E.ADD.STRONG.GPU");
            for (const std::string& operation : operations) {
                INFO("operation " << operation);
                const SourceRow& counted = row(outcome, operation);
                CHECK(counted.shared_wavefronts == expected.in_shared);
                CHECK(counted.global_sectors == expected.in_global);
            }
            const double shared_operations = expected.atomics ? 3 : 2;
            CHECK(metric(outcome, "memory_l1_wavefronts_shared"_metric) ==
                  shared_operations * static_cast<double>(expected.in_shared));
            // The counter has the begin of the one warp beside them, on every device.
            CHECK(metric(outcome, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"_metric) ==
                  shared_operations * static_cast<double>(expected.in_shared) + 1);
        }
    }
}

TEST_CASE("devices agree on every instruction of kernels that mix spaces") {
    std::uint64_t state = 7;
    for (int round = 0; round < 20; ++round) {
        Spaces spaces{};
        for (int& space : spaces) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            space = static_cast<int>((state >> 33U) % 3);
        }
        std::vector<Outcome> outcomes;
        for (const auto& implementation : implementations())
            if (implementation.name != "cuda") outcomes.push_back(run_spaces(*implementation.make(), spaces, false));
        REQUIRE(outcomes.size() == 2);
        REQUIRE(outcomes[0].source.size() == outcomes[1].source.size());
        CHECK(outcomes[0].read == outcomes[1].read);
        for (std::size_t i = 0; i < outcomes[0].source.size(); ++i) {
            const SourceRow& functional = outcomes[0].source[i];
            const SourceRow& simulated = outcomes[1].source[i];
            INFO("round " << round << ": " << sassafras::source_rows::sass(functional));
            CHECK(functional.inst_executed == simulated.inst_executed);
            CHECK(functional.shared_wavefronts == simulated.shared_wavefronts);
            CHECK(functional.shared_wavefronts_ideal == simulated.shared_wavefronts_ideal);
            CHECK(functional.global_sectors == simulated.global_sectors);
        }
    }
}
