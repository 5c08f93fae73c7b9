// What every scheduler of DRAM in the table keeps to.
#include <catch2/catch.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/random.hpp"
#include "sim/timing/memory/memory_system.hpp"
#include "sim/timing/policies/address_map.hpp"
#include "sim/timing/policies/dram_scheduler.hpp"
#include "sim/timing/policies/make_policy.hpp"
#include "tests/unit/timing/test_platform.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

Platform small_dram() {
    Platform platform = test_platform();
    platform.dram.channels = 2;
    platform.dram.banks = 4;
    platform.dram.bandwidth_gb_per_s = 2 * 32 * platform.clock.sm_mhz / 1e3;  // 32 bytes a cycle and channel
    platform.dram.refresh_interval_cycles = 0;
    return platform;
}

/// Calls `check.operator()<Scheduler>()` for every scheduler of the table.
template <class Check>
void for_each_dram_scheduler(Check&& check) {
    for_each_policy<DramSchedulers>([&]<class Scheduler>(DramSchedulers::Choice, std::string_view name) {
        CAPTURE(name);
        check.template operator()<Scheduler>();
    });
}

struct Drawn {
    std::vector<DramAccess> accesses;
    std::vector<bool> writes;
};

/// Accesses of both channels in order of time, `apart` cycles on average between two.
Drawn drawn(std::uint64_t seed, std::uint64_t apart, std::uint64_t most_bursts = 2) {
    Random random(seed);
    Drawn result;
    std::uint64_t time = 1000;
    for (int i = 0; i < 4000; ++i) {
        time += random.below(2 * apart + 1);
        result.accesses.push_back({.channel = static_cast<std::uint32_t>(random.below(2)),
                                   .line = random.below(4000),
                                   .time = time,
                                   .bytes = 64 * (1 + random.below(most_bursts))});
        result.writes.push_back(random.below(4) == 0);
    }
    return result;
}

template <class Scheduler>
std::vector<std::uint64_t> serve(const Platform& platform, const Drawn& drawn) {
    Scheduler scheduler(platform);
    const HashedMap map(platform);
    std::vector<std::uint64_t> done;
    for (std::size_t i = 0; i < drawn.accesses.size(); ++i) {
        scheduler.advance(drawn.accesses[i].time);
        done.push_back(drawn.writes[i] ? scheduler.write(map, drawn.accesses[i])
                                       : scheduler.read(map, drawn.accesses[i]));
    }
    return done;
}

}  // namespace

TEST_CASE("no channel moves more than its pins can, over any span of time") {
    const Platform platform = small_dram();
    constexpr std::uint64_t pins = 32;  // bytes a cycle
    for_each_dram_scheduler([&]<class Scheduler>() {
        for (const std::uint64_t apart : {0ULL, 1ULL, 20ULL}) {
            CAPTURE(apart);
            const Drawn work = drawn(1, apart, 1);
            const std::vector<std::uint64_t> done = serve<Scheduler>(platform, work);
            for (std::uint32_t channel = 0; channel < 2; ++channel) {
                std::vector<std::uint64_t> ends;
                for (std::size_t i = 0; i < done.size(); ++i)
                    if (work.accesses[i].channel == channel) ends.push_back(done[i]);
                std::sort(ends.begin(), ends.end());
                // Ends are whole cycles: up to one more may lie between two of them.
                for (std::size_t first = 0; first < ends.size(); first += 37)
                    for (std::size_t last = first + 1; last < ends.size(); ++last)
                        REQUIRE((last - first) * 64 <= (ends[last] - ends[first] + 1) * pins);
            }
        }
    });
}

TEST_CASE("a saturated channel is not far below its pins where rows do not change") {
    const Platform platform = small_dram();
    for_each_dram_scheduler([&]<class Scheduler>() {
        Scheduler scheduler(platform);
        const InterleavedMap map(platform);
        std::uint64_t last = 0;
        constexpr std::uint64_t accesses = 1000;
        scheduler.advance(1000);
        for (std::uint64_t i = 0; i < accesses; ++i)
            last = std::max(last, scheduler.read(map, {.channel = 0, .line = i / 2, .time = 1000, .bytes = 64}));
        const double bytes_a_cycle = 64.0 * accesses / static_cast<double>(last - 1000 - platform.dram.latency_cycles);
        CHECK(bytes_a_cycle <= 32.1);
        CHECK(bytes_a_cycle >= 0.9 * 32);
    });
}

TEST_CASE("nothing is answered before it can be: a column command, the data and the way") {
    const Platform platform = small_dram();
    for_each_dram_scheduler([&]<class Scheduler>() {
        const Drawn work = drawn(2, 3);
        const std::vector<std::uint64_t> done = serve<Scheduler>(platform, work);
        REQUIRE(done.size() == work.accesses.size());
        const auto activate = static_cast<std::uint64_t>(platform.dram.t_rcd_ns * platform.clock.sm_mhz / 1e3) + 1;
        for (std::size_t i = 0; i < done.size(); ++i)
            REQUIRE(done[i] + activate >= work.accesses[i].time + platform.dram.latency_cycles);
    });
}

TEST_CASE("an access alone takes the platform's latency, and what its bytes take on the pins") {
    const Platform platform = small_dram();
    for_each_dram_scheduler([&]<class Scheduler>() {
        Scheduler scheduler(platform);
        const HashedMap map(platform);
        const std::uint64_t took = scheduler.read(map, {.channel = 1, .line = 5, .time = 10'000, .bytes = 64}) - 10'000;
        CHECK(took >= platform.dram.latency_cycles + 2);
        CHECK(took <= platform.dram.latency_cycles + 5);
    });
}

TEST_CASE("a bank that is refreshed answers nothing until it is done") {
    Platform platform = small_dram();
    platform.dram.refresh_interval_cycles = 4000;
    platform.dram.refresh_cycles = 500;
    const std::uint64_t alone = platform.dram.latency_cycles + 5;
    const auto activate = static_cast<std::uint64_t>(platform.dram.t_rcd_ns * platform.clock.sm_mhz / 1e3) + 1;
    for_each_dram_scheduler([&]<class Scheduler>() {
        const HashedMap map(platform);
        for (const std::uint64_t line : {0ULL, 777ULL, 100'000ULL}) {
            CAPTURE(line);
            std::uint64_t late = 0;
            std::uint64_t most = 0;
            for (std::uint64_t phase = 0; phase < 4000; ++phase) {
                Scheduler scheduler(platform);
                const std::uint64_t time = 1'000'000 + phase;
                const std::uint64_t took =
                    scheduler.read(map, {.channel = 0, .line = line, .time = time, .bytes = 64}) - time;
                REQUIRE(took >= platform.dram.latency_cycles);
                if (took > alone) ++late;
                most = std::max(most, took);
            }
            // As long as the refresh lasts, and the time before it that is too short to open a row.
            CHECK(late >= 500 - 10);
            CHECK(late <= 500 + activate);
            CHECK(most >= alone + 500 - 10);
            CHECK(most <= alone + 500 + activate);
        }
    });
}

TEST_CASE("the same accesses are served alike, and a launch begins with nothing under way") {
    Platform platform = small_dram();
    platform.dram.refresh_interval_cycles = 4000;
    for_each_dram_scheduler([&]<class Scheduler>() {
        const Drawn work = drawn(3, 2);
        CHECK(serve<Scheduler>(platform, work) == serve<Scheduler>(platform, work));
        Scheduler scheduler(platform);
        const HashedMap map(platform);
        const DramAccess access{.channel = 0, .line = 9, .time = 5000, .bytes = 64};
        scheduler.advance(5000);
        const std::uint64_t first = scheduler.read(map, access);
        for (int i = 0; i < 100; ++i) scheduler.read(map, access);
        scheduler.clear();
        CHECK(scheduler.read(map, access) == first);
    });
}

TEST_CASE("every request is answered once under every map and scheduler") {
    for_each_policy<AddressMaps>([]<class Map>(AddressMaps::Choice map, std::string_view map_name) {
        for_each_policy<DramSchedulers>([&]<class Scheduler>(DramSchedulers::Choice scheduler, std::string_view name) {
            CAPTURE(map_name, name);
            Platform platform = test_platform();
            platform.l2.address_map = map;
            platform.dram.scheduler = scheduler;
            platform.l2.bytes = 94 * 16 * 128;  // small, so that lines are written back
            MemorySystem memory(platform);
            memory.begin_launch(true);
            std::vector<std::vector<MemoryResponse>> responses(platform.gpu.sm_count);
            Random random(4);
            std::uint64_t time = 0;
            std::uint32_t token = 0;
            std::vector<int> answers;
            std::size_t stores = 0;
            std::size_t stores_done = 0;
            for (int batch = 0; batch < 30; ++batch) {
                std::vector<MemoryRequest> requests;
                for (int i = 0; i < 200; ++i) {
                    time += random.below(3);
                    const auto kind = static_cast<RequestKind>(random.below(4));
                    const bool is_store = kind == RequestKind::store || kind == RequestKind::reduction;
                    requests.push_back({.time = time,
                                        .line = random.below(40'000),
                                        .sectors = static_cast<std::uint32_t>(1 + random.below(15)),
                                        .token = token++,
                                        .sm = static_cast<std::uint16_t>(random.below(platform.gpu.sm_count)),
                                        .kind = kind});
                    answers.push_back(is_store ? 1 : 0);
                    stores += is_store ? 1 : 0;
                }
                for (auto& list : responses) list.clear();
                memory.process(requests, responses);
                for (const auto& list : responses)
                    for (const MemoryResponse& response : list) ++answers.at(response.token);
                for (std::uint32_t sm = 0; sm < platform.gpu.sm_count; ++sm)
                    stores_done += memory.stores_done(sm).size();
            }
            CHECK(std::count(answers.begin(), answers.end(), 1) == static_cast<std::ptrdiff_t>(answers.size()));
            CHECK(stores == stores_done);
            CHECK(memory.counters()["dram__bytes_write.sum"_metric] > 0);
        });
    });
}
