// Any bytes given as the content of a trace's header, index or frame, which no checksum protects from a hostile writer.
// Nothing may crash, hang or leak, and records that are accepted can be taken apart.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "isa/cubin/cubin.hpp"
#include "isa/program/program.hpp"
#include "sim/formats/trace_file/frame_decoder.hpp"
#include "sim/formats/trace_file/trace_header.hpp"
#include "sim/formats/trace_file/trace_index.hpp"

using namespace sassafras;

namespace {

isa::Program some_program() {
    const std::string path = SASSAFRAS_SOURCE_DIR "/workloads/merge/merge.cubin";
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const auto cubin = isa::read_cubin(std::as_bytes(std::span(text.data(), text.size())), path);
    if (!cubin) std::abort();
    const auto program = isa::build_program(cubin->kernels.front());
    if (!program) std::abort();
    return *program;
}

void take(sim::WarpTrace& trace, const sim::PayloadSites& sites) {
    sim::AccessRecord record;
    while (trace.has_segment()) {
        const sim::Segment segment = trace.pop_segment();
        for (std::uint32_t site = sites.begin(segment); site < sites.end(segment); ++site) {
            if (sites[site].is_access)
                trace.pop_access(record);
            else
                (void)trace.pop_value();
        }
    }
}

void read_frame(std::span<const std::byte> bytes) {
    static const isa::Program program = some_program();
    static const sim::PayloadSites sites(program);
    static sim::FrameDecoder decoder(sites);
    if (!decoder.open({bytes.begin(), bytes.end()})) return;
    std::vector<sim::WarpTrace> traces(4);
    for (int entry = 0; entry < 4 && !decoder.at_end(); ++entry) {
        std::vector<sim::FrameDecoder::Sink> sinks;
        for (sim::WarpTrace& trace : traces) sinks.push_back({&trace, false});
        if (!decoder.next(sinks)) return;
        for (sim::WarpTrace& trace : traces) take(trace, sites);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::span<const std::byte> rest(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
    if (data[0] == 0) {
        const auto header = sim::read_trace_header(rest);
        if (header)
            if (const auto program = isa::build_program(header->kernel); !program && program.error().what.empty())
                std::abort();
    } else if (data[0] == 1) {
        (void)sim::read_trace_index({rest.begin(), rest.end()}, 40);
    } else {
        read_frame(rest);
    }
    return 0;
}
