// The ports of the register file, as register_ports.py of validate/records/h200/probes shows them: FFMAs that read and
// write a bank, issued so many cycles after something that reads or writes it from a queue.
#include <catch2/catch.hpp>

#include <algorithm>
#include <initializer_list>

#include "sim/timing/sm/register_ports.hpp"

using namespace sassafras::sim;

namespace {

SmParameters registers_of_two_banks() {
    SmParameters sm{};
    sm.register_banks = 2;
    sm.read_window_cycles = 3;
    sm.issue_interval_cycles = 1;
    sm.queued_read_interval_cycles = 2;
    return sm;
}

/// Reads a register of one bank, and writes one of another.
TimingOp ffma(std::size_t from, std::size_t to) {
    TimingOp op;
    op.unit = Unit::fma;
    op.half = FmaHalf::either;
    op.read_cycles[from] = 1;
    op.write_banks = static_cast<std::uint8_t>(1U << to);
    return op;
}

constexpr std::uint64_t start = 1000;

/// How many cycles are lost by instructions that issue so long after `start`, as soon as they can.
std::uint64_t lost(RegisterPorts ports, const TimingOp& op, std::initializer_list<std::uint64_t> after) {
    const SmParameters sm = registers_of_two_banks();
    std::uint64_t free = 0;
    std::uint64_t late = 0;
    for (const std::uint64_t at : after) {
        const std::uint64_t now = std::max(start + at + late, free);
        late = now - start - at;
        free = ports.issue(op, op.read_cycles, sm, now);
        late += free - now - 1;
    }
    return late;
}

/// Reads the even bank one or two cycles later, then the odd one.
RegisterPorts after_queued_reads(std::initializer_list<std::uint8_t> banks) {
    TimingOp op;
    op.unit = Unit::xu;
    for (const std::uint8_t bank : banks) op.queued_reads[op.queued_read_count++] = bank;
    RegisterPorts ports;
    ports.read_later(op, registers_of_two_banks(), start, start);
    return ports;
}

RegisterPorts after_late_write(std::uint8_t banks) {
    TimingOp op;
    op.unit = Unit::xu;
    op.write_banks = banks;
    RegisterPorts ports;
    ports.write_later(op, start, start + 10);
    return ports;
}

}  // namespace

TEST_CASE("a pipe that takes an instruction every second cycle reads its registers a cycle later") {
    TimingOp half = ffma(0, 1);
    half.interval = 2;
    RegisterPorts ports;
    ports.issue(half, half.read_cycles, registers_of_two_banks(), start);
    // Its read is due at the next cycle, together with that of whoever issues then: three reads of a bank fit into the
    // window of the last, behind it one.
    TimingOp three = ffma(0, 1);
    three.read_cycles[0] = 3;
    CHECK(lost(ports, three, {1}) == 1);
    // It reads three of one bank without holding up anyone but who reads that bank (pipe_pairs.py).
    TimingOp three_of_half = three;
    three_of_half.interval = 2;
    RegisterPorts alone;
    SmParameters narrow = registers_of_two_banks();
    narrow.read_window_cycles = 2;
    CHECK(alone.issue(three_of_half, three_of_half.read_cycles, narrow, start) == start + 1);
    CHECK(alone.issue(ffma(1, 1), ffma(1, 1).read_cycles, narrow, start + 1) == start + 2);
    CHECK(alone.issue(ffma(0, 1), ffma(0, 1).read_cycles, narrow, start + 2) == start + 4);
    RegisterPorts whole;
    whole.issue(ffma(0, 1), ffma(0, 1).read_cycles, registers_of_two_banks(), start);
    CHECK(lost(whole, three, {1}) == 0);
}

TEST_CASE("a register that XU reads from its queue waits a cycle for its bank, then holds up who would take it") {
    const RegisterPorts ports = after_queued_reads({0});
    const TimingOp even = ffma(0, 1);
    CHECK(lost(ports, even, {1}) == 0);
    CHECK(lost(ports, even, {2}) == 0);
    CHECK(lost(ports, even, {1, 2}) == 1);
    CHECK(lost(ports, even, {1, 2, 3, 4, 5}) == 1);
    CHECK(lost(ports, even, {2, 3}) == 0);
    CHECK(lost(ports, ffma(1, 0), {1, 2, 3}) == 0);
}

TEST_CASE("the second register of a pair is read two cycles later") {
    const RegisterPorts ports = after_queued_reads({0, 1});
    CHECK(lost(ports, ffma(0, 1), {1, 2}) == 1);
    CHECK(lost(ports, ffma(0, 1), {3, 4}) == 0);
    CHECK(lost(ports, ffma(1, 0), {1, 2}) == 0);
    CHECK(lost(ports, ffma(1, 0), {3, 4}) == 1);
}

TEST_CASE("a result of XU waits a cycle for its bank, then holds up who would write to it") {
    const RegisterPorts ports = after_late_write(0b01);
    CHECK(lost(ports, ffma(1, 0), {9, 10}) == 1);
    CHECK(lost(ports, ffma(1, 0), {8, 9}) == 0);
    CHECK(lost(ports, ffma(1, 0), {10, 11}) == 0);
    CHECK(lost(ports, ffma(0, 1), {9, 10}) == 0);
}

TEST_CASE("a result that waits for its bank is told, so that XU waits as well") {
    const SmParameters sm = registers_of_two_banks();
    const auto waits = [&](std::uint8_t banks, const TimingOp& op, std::uint64_t after) {
        RegisterPorts ports = after_late_write(banks);
        ports.issue(op, op.read_cycles, sm, start + after);
        return ports.take_waits();
    };
    CHECK(waits(0b01, ffma(1, 0), 9) == 1);
    CHECK(waits(0b01, ffma(1, 0), 8) == 0);
    CHECK(waits(0b01, ffma(1, 0), 10) == 0);
    CHECK(waits(0b01, ffma(0, 1), 9) == 0);
    CHECK(waits(0b11, ffma(0, 1), 9) == 1);
}

TEST_CASE("a pair is written at once, so whoever writes one of its banks is in its way") {
    const SmParameters sm = registers_of_two_banks();
    RegisterPorts ports = after_late_write(0b11);
    const TimingOp even = ffma(1, 0);
    const TimingOp odd = ffma(0, 1);
    CHECK(ports.issue(even, even.read_cycles, sm, start + 9) == start + 10);
    CHECK(ports.issue(odd, odd.read_cycles, sm, start + 10) == start + 12);
    CHECK(lost(after_late_write(0b11), even, {9, 11}) == 0);
}

TEST_CASE("a result that comes later than others holds up the instruction whose result would come with it") {
    const SmParameters sm = registers_of_two_banks();
    TimingOp fp64;
    fp64.unit = Unit::fp64;
    fp64.result_late = 2;
    fp64.write_banks = 0b11;
    RegisterPorts ports;
    ports.issue(fp64, fp64.read_cycles, sm, start);
    CHECK(lost(ports, ffma(0, 1), {1}) == 0);
    CHECK(lost(ports, ffma(0, 1), {2}) == 1);
    CHECK(lost(ports, ffma(0, 0), {2}) == 1);
    CHECK(lost(ports, ffma(0, 1), {3}) == 0);
    // To no register it writes nothing.
    fp64.write_banks = 0;
    RegisterPorts without;
    without.issue(fp64, fp64.read_cycles, sm, start);
    CHECK(lost(without, ffma(0, 1), {2}) == 0);
}

TEST_CASE("what was due long ago is forgotten") {
    const RegisterPorts ports = after_queued_reads({0});
    CHECK(lost(ports, ffma(0, 0), {64, 65, 66, 67, 128, 129, 130, 131}) == 0);
}
