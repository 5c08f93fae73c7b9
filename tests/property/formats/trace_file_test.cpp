// What is written to a trace file comes back; a file that was changed or cut anywhere is refused, and says where.
#include <filesystem>
#include <numeric>
#include <utility>

#include "random_blocks.hpp"
#include "sim/formats/trace_file/file_trace_source.hpp"
#include "sim/formats/trace_file/trace_file_writer.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;

namespace {

/// A file in a folder of its own, which goes with it.
class ScratchFile {
  public:
    ScratchFile() {
        std::string name = (std::filesystem::temp_directory_path() / "sassafras-trace-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) FAIL("no temporary folder");
        folder_ = name;
    }
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;
    ~ScratchFile() { std::filesystem::remove_all(folder_); }
    [[nodiscard]] std::string path() const { return folder_ + "/trace.sft"; }
    void write(std::span<const std::byte> bytes) const {
        std::ofstream file(path(), std::ios::binary | std::ios::trunc);
        file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }

  private:
    std::string folder_;
};

struct Shape {
    std::uint32_t blocks = 1;
    std::uint32_t threads = 32;
    std::uint64_t segments = 10;
    std::uint64_t parts = 1;  ///< at most
};

using Everything = std::vector<std::vector<Taken>>;  ///< by block, by warp

/// Blocks in turns, as execution has them; gives what was written.
Everything write_random(const std::string& path, const isa::Program& program, const Shape& shape, std::uint64_t seed) {
    Random random(seed);
    const PayloadSites sites(program);
    std::filesystem::remove(path);  // a writer writes over nothing
    TraceFileWriter writer(path, sites);
    const LaunchShape launch{{shape.blocks, 1, 1}, {shape.threads, 1, 1}, Bytes{64}};
    REQUIRE(writer.open({program.kernel, launch, 132}));
    const std::uint32_t warps = (shape.threads + 31) / 32;
    Everything written(shape.blocks, std::vector<Taken>(warps));
    std::vector<BlockTrace> blocks(shape.blocks);
    std::vector<std::uint64_t> left;
    for (std::uint32_t block = 0; block < shape.blocks; ++block) {
        blocks[block].block_index = block;
        blocks[block].warps.resize(warps);
        left.push_back(1 + random.below(shape.parts));
    }
    for (bool more = true; more;) {
        more = false;
        for (std::uint32_t block = 0; block < shape.blocks; ++block) {
            if (left[block] == 0) continue;
            --left[block];
            more = true;
            for (std::uint32_t warp = 0; warp < warps; ++warp) {
                WarpTrace& trace = blocks[block].warps[warp];
                if (trace.state == WarpTrace::State::exited) continue;
                push_random_records(random, trace, sites, random.below(shape.segments + 1));
                if (left[block] == 0 || random.below(5) == 0) trace.state = WarpTrace::State::exited;
                WarpTrace copy = trace;
                take(copy, sites, written[block][warp]);
            }
            REQUIRE(writer.add(blocks[block]));
        }
    }
    REQUIRE(writer.close());
    return written;
}

/// Reads all blocks as timing does: a few at a time, some warps far ahead of others. Blocks start in order, or, with an
/// odd seed, in any.
Result<Everything> read_all(const std::string& path, std::uint64_t seed) {
    auto reader = TraceFileReader::open(path);
    if (!reader) return reader.error();
    FileTraceSource source(std::move(*reader));
    const PayloadSites sites(source.program());
    Random random(seed);
    Everything read(source.shape().grid.volume());
    std::vector<std::uint64_t> order(read.size());
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); seed % 2 == 1 && i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    std::vector<BlockTrace*> resident;
    std::uint64_t next = 0;
    while (next < read.size() || !resident.empty()) {
        if (next < read.size() && random.below(2) == 0) {
            auto started = source.start(order[next++]);
            if (!started) return started.error();
            read[(*started)->block_index].resize((*started)->warps.size());
            resident.push_back(*started);
            continue;
        }
        if (resident.empty()) continue;
        const std::size_t which = random.below(resident.size());
        BlockTrace& block = *resident[which];
        if (auto done = source.advance(block, 1 + random.below(500)); !done) return done.error();
        bool exited = true;
        for (std::size_t warp = 0; warp < block.warps.size(); ++warp) {
            WarpTrace& trace = block.warps[warp];
            if (random.below(3) != 0) take(trace, sites, read[block.block_index][warp]);
            exited = exited && trace.state == WarpTrace::State::exited && !trace.has_segment();
        }
        if (!exited) continue;
        source.finish(block);
        resident.erase(resident.begin() + static_cast<std::ptrdiff_t>(which));
    }
    return read;
}

}  // namespace

TEST_CASE("Random records come back, whatever the order in which blocks are read") {
    const isa::Program program = some_program();
    const ScratchFile file;
    std::uint64_t seed = 1;
    for (const Shape& shape :
         {Shape{1, 32, 0, 1}, Shape{1, 1, 1, 1}, Shape{3, 33, 30, 1}, Shape{50, 64, 8, 1}, Shape{4, 128, 40, 6},
          Shape{20, 96, 20, 3}, Shape{1, 1024, 50, 10}, Shape{2000, 32, 3, 2}}) {
        for (int repetition = 0; repetition < 3; ++repetition, ++seed) {
            CAPTURE(shape.blocks, shape.threads, shape.segments, shape.parts, seed);
            const Everything written = write_random(file.path(), program, shape, seed);
            const auto read = read_all(file.path(), seed);
            if (!read) FAIL(read.error().message());
            REQUIRE(*read == written);
        }
    }
}

TEST_CASE("A warp that is far behind does not pile up, and misses nothing") {
    const isa::Program program = some_program();
    const PayloadSites sites(program);
    const ScratchFile file;
    constexpr int parts = 200;
    std::vector<Taken> written(2);
    {
        Random random(3);
        TraceFileWriter writer(file.path(), sites);
        REQUIRE(writer.open({program.kernel, {{1, 1, 1}, {64, 1, 1}, Bytes{0}}, 132}));
        BlockTrace block;
        block.warps.resize(2);
        for (int part = 0; part < parts; ++part) {
            for (std::size_t warp = 0; warp < 2; ++warp) {
                push_random_records(random, block.warps[warp], sites, 50);
                if (part + 1 == parts) block.warps[warp].state = WarpTrace::State::exited;
                WarpTrace copy = block.warps[warp];
                take(copy, sites, written[warp]);
            }
            REQUIRE(writer.add(block));
        }
        REQUIRE(writer.close());
    }
    auto reader = TraceFileReader::open(file.path());
    REQUIRE(reader);
    FileTraceSource source(std::move(*reader));
    const auto started = source.start(0);
    REQUIRE(started);
    BlockTrace& block = **started;
    std::vector<Taken> read(2);
    std::size_t most = 0;
    while (block.warps[0].state == WarpTrace::State::running || block.warps[0].has_segment()) {
        take(block.warps[0], sites, read[0]);
        REQUIRE(source.advance(block, 100));
        most = std::max(most, block.warps[1].buffered_payload());
    }
    take(block.warps[0], sites, read[0]);
    const std::size_t all = written[1].payload.size();
    CHECK(most < all / 20);  // a part or two of 200
    while (block.warps[1].state == WarpTrace::State::running || block.warps[1].has_segment()) {
        take(block.warps[1], sites, read[1]);
        REQUIRE(source.advance(block, 100));
    }
    CHECK(read == written);
}

TEST_CASE("The header comes back") {
    const isa::Program program = some_program();
    const ScratchFile file;
    write_random(file.path(), program, {3, 96, 5, 1}, 1);
    const auto reader = TraceFileReader::open(file.path());
    REQUIRE(reader);
    const TraceHeader& header = (*reader).header();
    CHECK(header.kernel.name == program.kernel.name);
    CHECK(header.kernel.code == program.kernel.code);
    CHECK(header.kernel.registers_per_thread == program.kernel.registers_per_thread);
    CHECK(header.kernel.static_shared == program.kernel.static_shared);
    CHECK(header.kernel.max_threads == program.kernel.max_threads);
    CHECK(header.kernel.required_block == program.kernel.required_block);
    CHECK(header.kernel.exit_offsets == program.kernel.exit_offsets);
    CHECK(header.shape.grid == Dim3{3, 1, 1});
    CHECK(header.shape.block == Dim3{96, 1, 1});
    CHECK(header.shape.dynamic_shared == Bytes{64});
    CHECK(header.sm_count == 132);
    CHECK((*reader).program().blocks.size() == program.blocks.size());
}

TEST_CASE("A file of which any byte is changed is refused, with file and offset") {
    const isa::Program program = some_program();
    const ScratchFile file;
    write_random(file.path(), program, {6, 64, 6, 2}, 7);
    const auto bytes = file_bytes(file.path());
    REQUIRE(bytes.size() > 2000);
    Random random(8);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        auto damaged = bytes;
        damaged[at] ^= static_cast<std::byte>(1U << random.below(8));
        file.write(damaged);
        const auto read = read_all(file.path(), 9);
        CAPTURE(at);
        if (read) FAIL("a changed byte was not noticed");
        REQUIRE(read.error().kind == ErrorKind::bad_input);
        REQUIRE(read.error().where.find(file.path() + ", offset ") == 0);
    }
}

TEST_CASE("A file that ends early or late is refused, with file and offset") {
    const isa::Program program = some_program();
    const ScratchFile file;
    write_random(file.path(), program, {6, 64, 6, 2}, 7);
    auto bytes = file_bytes(file.path());
    for (std::size_t size = 0; size < bytes.size(); size += size < 200 || size + 200 > bytes.size() ? 1U : 17U) {
        file.write(std::span(bytes).first(size));
        const auto read = read_all(file.path(), 9);
        CAPTURE(size);
        if (read) FAIL("a cut was not noticed");
        REQUIRE(read.error().kind == ErrorKind::bad_input);
        REQUIRE(read.error().where.find(", offset ") != std::string::npos);
    }
    bytes.push_back(std::byte{0});
    file.write(bytes);
    CHECK_FALSE(read_all(file.path(), 9));
}

TEST_CASE("Damage behind the checksums is refused or read as other records, but does no harm") {
    const isa::Program program = some_program();
    const PayloadSites sites(program);
    Random random(11);
    FrameEncoder encoder(sites);
    BlockTrace block;
    block.warps.resize(3);
    for (WarpTrace& trace : block.warps) push_random_records(random, trace, sites, 20);
    encoder.add(block);
    std::vector<std::byte> content;
    encoder.finish(content);
    FrameDecoder decoder(sites);
    std::uint64_t refused = 0;
    for (int i = 0; i < 20'000; ++i) {
        auto damaged = content;
        for (std::uint64_t changes = 1 + random.below(3); changes != 0; --changes)
            damaged[random.below(damaged.size())] = static_cast<std::byte>(random.below(256));
        if (random.below(4) == 0) damaged.resize(random.below(damaged.size()));
        std::vector<WarpTrace> traces(block.warps.size());
        std::vector<FrameDecoder::Sink> sinks;
        for (WarpTrace& trace : traces) sinks.push_back({&trace, false});
        if (!decoder.open(std::move(damaged)) || !decoder.next(sinks) || !decoder.at_end()) {
            ++refused;
            continue;
        }
        Taken taken;
        for (WarpTrace& trace : traces) take(trace, sites, taken);  // every record can be taken apart
    }
    CHECK(refused > 100);
}
