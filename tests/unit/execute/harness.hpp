// Loads a cubin and runs its kernels functionally, as the device does, but with nothing around the executor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "isa/cubin/cubin.hpp"
#include "isa/program/program.hpp"
#include "isa/sass/constant_load.hpp"
#include "sim/access/memory_site.hpp"
#include "sim/execute/executor.hpp"

namespace sassafras::test {

inline std::vector<std::byte> read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<std::byte> bytes;
    for (std::istreambuf_iterator<char> at(file), end; at != end; ++at) bytes.push_back(static_cast<std::byte>(*at));
    return bytes;
}

/// The parameter area of a launch.
class Parameters {
  public:
    template <class T>
    Parameters& add(const T& value) {
        bytes_.resize((bytes_.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T) + sizeof(T));
        std::memcpy(bytes_.data() + bytes_.size() - sizeof(T), &value, sizeof(T));
        return *this;
    }
    [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

  private:
    std::vector<std::byte> bytes_;
};

struct RunResult {
    std::uint64_t instructions = 0;                      ///< warp instructions
    std::uint64_t thread_instructions = 0;               ///< by the active mask
    std::vector<std::uint64_t> sleeps;                   ///< nanoseconds, as executed
    std::vector<std::uint64_t> constant_addresses = {};  ///< of each LDC by a register
};

class Module {
  public:
    explicit Module(const std::string& path, std::uint64_t memory_bytes = std::uint64_t{1} << 30U)
        : memory(Bytes{memory_bytes}) {
        auto read = isa::read_cubin(read_file(path), path);
        if (!read) throw std::runtime_error(read.error().message());
        cubin_ = std::move(read).value();
    }

    sim::LoadedKernel kernel(const std::string& name) {
        const isa::Kernel* found = cubin_.find(name);
        if (found == nullptr) throw std::runtime_error("no kernel " + name);
        auto program = isa::build_program(*found);
        if (!program) throw std::runtime_error(program.error().message());
        sim::LoadedKernel loaded;
        loaded.program = std::make_shared<const isa::Program>(std::move(program).value());
        const auto put = [&](int number, const std::vector<std::byte>& bank) {
            if (loaded.constant_banks.size() <= static_cast<std::size_t>(number))
                loaded.constant_banks.resize(static_cast<std::size_t>(number) + 1);
            loaded.constant_banks[static_cast<std::size_t>(number)] = bank;
        };
        for (const auto& [number, bank] : cubin_.constant_banks) put(number, bank);
        for (const auto& [number, bank] : found->constant_banks) put(number, bank);
        return loaded;
    }

    template <class T>
    Address upload(const std::vector<T>& data) {
        const Address address = memory.allocate(Bytes{data.size() * sizeof(T)}).value();
        (void)memory.write(address, std::as_bytes(std::span(data)));
        return address;
    }
    template <class T>
    std::vector<T> download(Address from, std::size_t count) {
        std::vector<T> data(count);
        (void)memory.read(std::as_writable_bytes(std::span(data)), from);
        return data;
    }

    /// Runs the grid, `resident` blocks at a time, as a functional device does.
    Result<RunResult> run(const std::string& name, Dim3 grid, Dim3 block, const Parameters& parameters,
                          Bytes dynamic_shared = {}, std::uint64_t limit = 0, std::size_t resident = 16) {
        sim::LaunchRequest request;
        request.kernel = kernel(name);
        request.shape = {grid, block, dynamic_shared};
        request.parameters = parameters.bytes();
        request.instruction_limit = limit;
        auto made = sim::make_executor(std::move(request), memory);
        if (!made) return made.error();
        return drain(**made, resident);
    }

    static Result<RunResult> drain(sim::TraceSource& source, std::size_t resident) {
        RunResult result;
        std::vector<sim::BlockTrace*> blocks;
        std::uint64_t next = 0;
        const std::uint64_t total = source.shape().grid.volume();
        while (next < total || !blocks.empty()) {
            while (next < total && blocks.size() < resident) {
                auto started = source.start(next++);
                if (!started) return started.error();
                blocks.push_back(*started);
            }
            for (std::size_t index = 0; index < blocks.size();) {
                sim::BlockTrace& block = *blocks[index];
                if (auto advanced = source.advance(block, 4096); !advanced) return advanced.error();
                bool done = true;
                for (std::uint32_t warp = 0; warp < block.warps.size(); ++warp) {
                    sim::WarpTrace& trace = block.warps[warp];
                    while (trace.has_segment()) consume(source.program(), trace, result);
                    if (trace.state == sim::WarpTrace::State::waiting_clock)
                        source.provide_clock(block, warp, Cycle{result.instructions}, result.instructions);
                    trace.wake(~std::uint32_t{0});
                    done = done && trace.state == sim::WarpTrace::State::exited;
                }
                if (done) {
                    source.finish(block);
                    blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(index));
                } else {
                    ++index;
                }
            }
        }
        return result;
    }

    /// Pops a segment and every payload that its instructions own.
    static void consume(const isa::Program& program, sim::WarpTrace& trace, RunResult& result) {
        const sim::Segment segment = trace.pop_segment();
        result.instructions += segment.count;
        result.thread_instructions +=
            static_cast<std::uint64_t>(segment.count) * static_cast<std::uint64_t>(std::popcount(segment.mask));
        sim::AccessRecord record;
        for (std::uint32_t index = segment.first; index < segment.first + segment.count; ++index) {
            const isa::Opcode opcode = program.instructions[index].opcode;
            for (std::uint8_t i = 0; i < sim::access_records(opcode); ++i) trace.pop_access(record);
            if (opcode == isa::Opcode::BAR) trace.pop_value();
            if (opcode == isa::Opcode::NANOSLEEP) result.sleeps.push_back(trace.pop_value());
            if (isa::is_indexed_constant_load(program.instructions[index]))
                result.constant_addresses.push_back(trace.pop_value());
        }
    }

    sim::MemoryImage memory;

  private:
    isa::Cubin cubin_;
};

}  // namespace sassafras::test
