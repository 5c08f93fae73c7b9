#include "sim/formats/trace_file/trace_header.hpp"

#include <algorithm>
#include <string>

#include "isa/sass/instruction.hpp"
#include "sim/formats/trace_file/column.hpp"

namespace sassafras::sim {

namespace {

/// Both directions go through one list of fields (`fields` below), so that they cannot differ.
class Writer {
  public:
    template <class T>
    void number(const T& value) {
        column_.put_number(static_cast<std::uint64_t>(value));
    }
    void text(const std::string& value) {
        number(value.size());
        column_.put(value.data(), value.size());
    }
    void word(const isa::Word128& value) {
        column_.put_word64(value.low);
        column_.put_word64(value.high);
    }
    template <class T, class Element>
    void list(const std::vector<T>& values, std::size_t /*most*/, Element element) {
        number(values.size());
        for (const T& value : values) element(value);
    }
    /// Absent for sm_90: files written before other architectures were read say nothing.
    void architecture(isa::Architecture value) {
        if (value != isa::Architecture::sm_90) number(isa::layout_of(value).sm);
    }
    [[nodiscard]] static std::size_t left() { return 0; }
    [[nodiscard]] std::span<const std::uint8_t> bytes() const { return column_.bytes(); }

  private:
    ColumnWriter column_;
};

class Reader {
  public:
    explicit Reader(std::span<const std::byte> bytes)
        : column_({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}) {}
    template <class T>
    void number(T& value) {
        const std::uint64_t read = column_.number();
        value = static_cast<T>(read);
        out_of_range_ = out_of_range_ || static_cast<std::uint64_t>(value) != read;
    }
    void text(std::string& value) {
        std::size_t size = 0;
        number(size);
        const auto bytes = column_.take(size);
        value.assign(bytes.begin(), bytes.end());
    }
    void word(isa::Word128& value) {
        value.low = column_.word64();
        value.high = column_.word64();
    }
    /// `most`: elements that there can be. They take more memory than bytes of the file.
    template <class T, class Element>
    void list(std::vector<T>& values, std::size_t most, Element element) {
        std::size_t size = 0;
        number(size);
        if (size > most) {
            out_of_range_ = true;
            return;
        }
        values.reserve(size);
        for (std::size_t i = 0; i < size && !column_.failed(); ++i) element(values.emplace_back());
    }
    /// Bytes that are not read yet.
    [[nodiscard]] std::size_t left() const { return column_.left(); }
    void architecture(isa::Architecture& value) {
        if (column_.left() == 0) return;
        std::uint32_t sm = 0;
        number(sm);
        const auto known = isa::architecture_of(static_cast<int>(sm));
        out_of_range_ = out_of_range_ || !known;
        value = known.value_or(isa::Architecture::sm_90);
    }
    [[nodiscard]] bool complete() const { return !column_.failed() && !out_of_range_ && column_.left() == 0; }

  private:
    ColumnReader column_;
    bool out_of_range_ = false;
};

template <class Stream, class Extents>
void extents(Stream& stream, Extents& value) {
    stream.number(value.x);
    stream.number(value.y);
    stream.number(value.z);
}

template <class Stream, class Header>
void fields(Stream& stream, Header& header) {
    auto& kernel = header.kernel;
    stream.text(kernel.name);
    stream.list(kernel.code, stream.left() / isa::instruction_bytes, [&](auto& word) { stream.word(word); });
    stream.number(kernel.registers_per_thread);
    stream.number(kernel.static_shared.count);
    stream.number(kernel.local_per_thread.count);
    stream.number(kernel.barrier_count);
    stream.number(kernel.max_threads);
    extents(stream, kernel.required_block);
    extents(stream, kernel.required_cluster);
    stream.number(kernel.parameter_base);
    stream.number(kernel.parameter_bytes);
    // A function or a branch stands at a place of its own in the code, or at its end, without code.
    const std::size_t places = kernel.code.size() + 1;
    stream.list(kernel.functions, places, [&](auto& function) {
        stream.text(function.name);
        stream.number(function.offset);
        stream.number(function.size);
    });
    stream.list(kernel.indirect_branches, places, [&](auto& branch) {
        stream.number(branch.offset);
        stream.list(branch.targets, stream.left(), [&](auto& target) { stream.number(target); });
    });
    stream.list(kernel.exit_offsets, stream.left(), [&](auto& offset) { stream.number(offset); });
    extents(stream, header.shape.grid);
    extents(stream, header.shape.block);
    stream.number(header.shape.dynamic_shared.count);
    stream.number(header.sm_count);
    stream.architecture(kernel.architecture);
}

}  // namespace

std::vector<std::byte> write_trace_header(const TraceHeader& header) {
    Writer writer;
    fields(writer, header);
    const auto bytes = std::as_bytes(writer.bytes());
    return {bytes.begin(), bytes.end()};
}

std::optional<TraceHeader> read_trace_header(std::span<const std::byte> bytes) {
    Reader reader(bytes);
    TraceHeader header;
    fields(reader, header);
    if (!reader.complete()) return std::nullopt;
    return header;
}

}  // namespace sassafras::sim
