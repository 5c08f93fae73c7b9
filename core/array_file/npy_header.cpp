#include "core/array_file/npy_header.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "core/printable.hpp"

namespace sassafras {
namespace {

constexpr std::string_view magic{"\x93NUMPY", 6};

Error refuse_header(std::string what, const std::string& origin, std::string remedy) {
    return {ErrorKind::bad_input, std::move(what), origin, std::move(remedy)};
}

constexpr const char* save_again = "write the array again with numpy.save";

/// The header's text: a Python dictionary of three entries, {'descr': '<u4', 'fortran_order': False, 'shape': (7,), }.
class Dictionary {
  public:
    explicit Dictionary(std::string_view text) : text_(text) {}

    /// True if all was understood; then the members hold what was said.
    bool parse() {
        if (!take('{')) return false;
        while (!take('}')) {
            std::string_view key;
            if (!word(key) || !take(':') || !value(key)) return false;
            if (!take(',') && !at('}')) return false;
        }
        skip_space();
        return at_ == text_.size() && seen_ == 7;
    }

    std::string_view descr;
    bool fortran_order = false;
    std::size_t dimensions = 0;
    std::uint64_t count = 1;          ///< of all elements
    std::size_t long_dimensions = 0;  ///< of more than one element

  private:
    void skip_space() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
    }
    bool at(char wanted) {
        skip_space();
        return at_ < text_.size() && text_[at_] == wanted;
    }
    bool take(char wanted) {
        if (!at(wanted)) return false;
        ++at_;
        return true;
    }
    bool take_word(std::string_view wanted) {
        skip_space();
        if (!text_.substr(at_).starts_with(wanted)) return false;
        at_ += wanted.size();
        return true;
    }
    bool word(std::string_view& text) {
        const bool single_quotes = at('\'');
        const char quote = single_quotes ? '\'' : '"';
        if (!take(quote)) return false;
        const std::size_t end = text_.find(quote, at_);
        if (end == std::string_view::npos) return false;
        text = text_.substr(at_, end - at_);
        at_ = end + 1;
        return true;
    }
    bool once(unsigned bit) {
        const bool first = (seen_ & bit) == 0;
        seen_ |= bit;
        return first;
    }
    bool value(std::string_view key) {
        if (key == "descr") return once(1) && word(descr);
        if (key == "fortran_order") {
            fortran_order = take_word("True");
            return once(2) && (fortran_order || take_word("False"));
        }
        return key == "shape" && once(4) && shape();
    }
    bool shape() {
        if (!take('(')) return false;
        while (!take(')')) {
            skip_space();
            std::uint64_t size = 0;
            const auto [end, code] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), size);
            if (code != std::errc()) return false;
            at_ = static_cast<std::size_t>(end - text_.data());
            (void)take_word("L");  // Python 2 wrote long integers so
            ++dimensions;
            if (size > 1) ++long_dimensions;
            if (size != 0 && count > std::numeric_limits<std::uint64_t>::max() / size) return false;
            count *= size;
            if (!take(',') && !at(')')) return false;
        }
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    unsigned seen_ = 0;
};

}  // namespace

bool begins_as_npy(std::span<const std::byte> beginning) {
    return beginning.size() >= magic.size() && std::memcmp(beginning.data(), magic.data(), magic.size()) == 0;
}

Result<NpyHeader> parse_npy_header(std::span<const std::byte> beginning, const std::string& origin) {
    if (!begins_as_npy(beginning))
        return refuse_header("the file does not begin as a .npy file does", origin,
                             "write it with numpy.save, or give raw numbers another suffix");
    if (beginning.size() < 10) return refuse_header("the .npy header is cut off", origin, save_again);
    const auto byte_at = [&](std::size_t i) { return std::to_integer<std::size_t>(beginning[i]); };
    const std::size_t major = byte_at(6);
    if ((major != 1 && major != 2) || byte_at(7) != 0)
        return refuse_header(fmt::format("the .npy file has version {}.{}", major, byte_at(7)), origin,
                             "versions 1.0 and 2.0 are read");
    const std::size_t text_begin = major == 1 ? 10 : 12;
    std::size_t text_size = byte_at(8) | byte_at(9) << 8U;
    if (major == 2 && beginning.size() >= text_begin) text_size |= byte_at(10) << 16U | byte_at(11) << 24U;
    if (text_begin + text_size > greatest_npy_header_bytes)
        return refuse_header(fmt::format("the .npy header says that it has {} bytes", text_size), origin, save_again);
    if (beginning.size() < text_begin + text_size)
        return refuse_header("the .npy header is cut off", origin, save_again);

    Dictionary dictionary(std::string_view(reinterpret_cast<const char*>(beginning.data()), beginning.size())
                              .substr(text_begin, text_size));
    if (!dictionary.parse())
        return refuse_header("the .npy header is not understood", origin,
                             "it must have descr, fortran_order and shape");
    if (dictionary.dimensions == 0)
        return refuse_header("the array has 0 dimensions", origin, "save one dimension: array.ravel()");
    if (dictionary.fortran_order && dictionary.long_dimensions > 1)
        return refuse_header("the array is in Fortran order, its first index the fastest", origin,
                             "save it in C order: numpy.save(file, numpy.ascontiguousarray(array))");
    const auto* const known =
        std::find_if(element_types.begin(), element_types.end(),
                     [&](const ElementTypeNames& candidate) { return candidate.descr == dictionary.descr; });
    if (known == element_types.end())
        return refuse_header(fmt::format("the array's elements are \"{}\"", printable(dictionary.descr, 40)), origin,
                             "save them as one of <u4, <u8, <i4, <i8, <f4, <f8: array.astype('<u4')");
    return NpyHeader{known->type, dictionary.count, text_begin + text_size};
}

namespace {

std::vector<std::byte> make_header(std::string_view descr, std::uint64_t count) {
    std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", descr, count);
    constexpr std::size_t before_text = 10;
    constexpr std::size_t alignment = 64;
    text.append((alignment - (before_text + text.size() + 1) % alignment) % alignment, ' ');
    text += '\n';
    std::string all(magic);
    all += '\1';
    all += '\0';
    all += static_cast<char>(text.size() & 255U);
    all += static_cast<char>(text.size() >> 8U);
    all += text;
    const auto bytes = std::as_bytes(std::span(all));
    return {bytes.begin(), bytes.end()};
}

}  // namespace

std::vector<std::byte> make_npy_header(ElementType type, std::uint64_t count) {
    return make_header(names_of(type).descr, count);
}

std::vector<std::byte> make_npy_text_header(std::uint64_t length, std::uint64_t count) {
    return make_header(fmt::format("<U{}", length), count);
}

}  // namespace sassafras
