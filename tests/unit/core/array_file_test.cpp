// Files of numbers: what is read, and what is refused and how. Headers are written out as NumPy 1.24 wrote them.
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <sstream>

#include <catch2/catch.hpp>

#include "core/array_file/array_file.hpp"
#include "core/array_file/array_writer.hpp"
#include "core/array_file/npy_header.hpp"
#include "core/random.hpp"

using namespace sassafras;

namespace {

/// A .npy file of version 1.0 with this dictionary.
std::string npy(const std::string& dictionary, const std::string& data) {
    std::string text = dictionary;
    while ((10 + text.size() + 1) % 64 != 0) text += ' ';
    text += '\n';
    return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(text.size() & 255U) +
           static_cast<char>(text.size() >> 8U) + text + data;
}

template <class T>
std::string bytes(std::initializer_list<T> numbers) {
    std::string text(numbers.size() * sizeof(T), '\0');
    std::memcpy(text.data(), std::data(numbers), text.size());
    return text;
}

Result<Array> read(const std::string& content, const std::string& name = "numbers",
                   const ArrayExpectation& expected = {}) {
    std::istringstream stream(content);
    return read_array(stream, content.size(), name, expected);
}

/// The message of a refusal.
std::string refused(const std::string& content, const std::string& name = "numbers",
                    const ArrayExpectation& expected = {}) {
    const auto array = read(content, name, expected);
    REQUIRE_FALSE(array.ok());
    CHECK(array.error().kind == ErrorKind::bad_input);
    CHECK(array.error().where == name);
    CHECK_FALSE(array.error().remedy.empty());
    return array.error().what;
}

const std::string three_u4 = "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }";

class Folder {
  public:
    Folder() : path_(std::filesystem::temp_directory_path() / "sassafras_array_file_test") {
        std::filesystem::create_directories(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

  private:
    std::filesystem::path path_;
};

}  // namespace

TEST_CASE("raw numbers have the type that is expected, 32 bits unsigned if none is") {
    const auto narrow = read(bytes<std::uint32_t>({1, 2, 0xffffffffU}));
    REQUIRE(narrow.ok());
    CHECK(narrow->narrow == std::vector<std::uint32_t>{1, 2, 0xffffffffU});
    ArrayExpectation wide;
    wide.type = ElementType::u64;
    const auto as_wide = read(bytes<std::uint64_t>({1, std::uint64_t{1} << 40U}), "numbers", wide);
    REQUIRE(as_wide.ok());
    CHECK(as_wide->wide == std::vector<std::uint64_t>{1, std::uint64_t{1} << 40U});
    CHECK(as_wide->narrow.empty());
    REQUIRE(read("").ok());
    CHECK(read("")->size() == 0);
    CHECK(refused("12345") == "the file has 5 bytes, no multiple of 4");
    CHECK(refused("123456789012", "numbers", wide) == "the file has 12 bytes, no multiple of 8");
}

TEST_CASE("a .npy file says what it holds") {
    const auto array = read(npy(three_u4, bytes<std::uint32_t>({7, 8, 9})));
    REQUIRE(array.ok());
    CHECK(array->type == ElementType::u32);
    CHECK(array->narrow == std::vector<std::uint32_t>{7, 8, 9});
    for (const ElementTypeNames& names : element_types) {
        const std::string dictionary =
            "{\"shape\": (1L,), 'descr': '" + std::string(names.descr) + "', 'fortran_order': True}";
        const auto one = read(npy(dictionary, std::string(names.bytes, '\0')));
        REQUIRE(one.ok());
        CHECK(one->type == names.type);
        CHECK(one->size() == 1);
    }
    const std::string one = npy(three_u4, bytes<std::uint32_t>({7, 8, 9}));
    const auto second_version =
        read(std::string("\x93NUMPY\x02\x00", 8) + one.substr(8, 2) + std::string(2, '\0') + one.substr(10));
    REQUIRE(second_version.ok());
    CHECK(second_version->narrow == std::vector<std::uint32_t>{7, 8, 9});
}

TEST_CASE("arrays of more dimensions are read in C order") {
    const std::string data = bytes<std::uint32_t>({1, 2, 3, 4, 5, 6});
    for (const char* dictionary : {"{'descr': '<u4', 'fortran_order': False, 'shape': (2, 3), }",
                                   "{'descr': '<u4', 'fortran_order': False, 'shape': (3, 1, 2), }",
                                   // Of one long dimension both orders are the same.
                                   "{'descr': '<u4', 'fortran_order': True, 'shape': (1, 6), }"}) {
        const auto array = read(npy(dictionary, data));
        REQUIRE(array.ok());
        CHECK(array->narrow == std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6});
    }
    CHECK(read(npy("{'descr': '<u4', 'fortran_order': False, 'shape': (0, 7), }", ""))->size() == 0);
}

TEST_CASE("what does not fit a .npy file's header is refused") {
    const std::string data = bytes<std::uint32_t>({7, 8, 9});
    CHECK(refused(npy(three_u4, data.substr(1))) == "the header says 3 numbers of 4 bytes, but 11 bytes follow it");
    CHECK(refused(npy(three_u4, data + data)) == "the header says 3 numbers of 4 bytes, but 24 bytes follow it");
    CHECK(refused(npy("{'descr': '<u4', 'fortran_order': True, 'shape': (3, 2), }", data + data)) ==
          "the array is in Fortran order, its first index the fastest");
    CHECK(refused(npy("{'descr': '<u4', 'fortran_order': False, 'shape': (3, 2), }", data)) ==
          "the header says 6 numbers of 4 bytes, but 12 bytes follow it");
    CHECK(refused(npy("{'descr': '<u4', 'fortran_order': False, 'shape': (), }", data)) ==
          "the array has 0 dimensions");
    CHECK(refused(npy("{'descr': '>u4', 'fortran_order': False, 'shape': (3,), }", data)) ==
          "the array's elements are \">u4\"");
    CHECK(refused(npy("{'descr': '<f2', 'fortran_order': False, 'shape': (3,), }", data)) ==
          "the array's elements are \"<f2\"");
    for (const char* damaged : {"{'descr': '<u4', 'fortran_order': False, }", "{'descr': '<u4', 'shape': (3,), ", "",
                                "{'descr': '<u4', 'fortran_order': False, 'shape': (-3,), }",
                                "{'descr': '<u4', 'descr': '<u4', 'fortran_order': False, 'shape': (3,)}",
                                "{'descr': '<u4', 'fortran_order': 0, 'shape': (3,)}",
                                "{'descr': '<u4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
                                "{'descr': '<u4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}"})
        CHECK(refused(npy(damaged, data)) == "the .npy header is not understood");
    const std::string whole = npy(three_u4, data);
    for (const std::size_t size : {6U, 9U, 11U, 100U})
        CHECK(refused(whole.substr(0, size)) == "the .npy header is cut off");
    CHECK(refused("\x93NUMPY\x03" + whole.substr(7)) == "the .npy file has version 3.0");
    CHECK(refused(data, "numbers.npy") == "the file does not begin as a .npy file does");
    ArrayExpectation floats;
    floats.type = ElementType::f32;
    CHECK(refused(whole, "numbers.npy", floats) == "the file holds u4, not f4");
}

TEST_CASE("too many numbers and NaNs are refused, NaNs unless they are wanted") {
    ArrayExpectation few;
    few.greatest_count = 2;
    CHECK(refused(bytes<std::uint32_t>({1, 2, 3}), "numbers", few) == "the file has 3 numbers");
    ArrayExpectation floats;
    floats.type = ElementType::f32;
    const std::string with_nan = bytes<float>({1, std::numeric_limits<float>::infinity(), std::nanf("")});
    CHECK(refused(with_nan, "numbers", floats) == "number 2 (from 0) is NaN");
    floats.nans = true;
    CHECK(read(with_nan, "numbers", floats).ok());
    ArrayExpectation doubles;
    doubles.type = ElementType::f64;
    CHECK(refused(bytes<double>({-std::nan("")}), "numbers", doubles) == "number 0 (from 0) is NaN");
}

TEST_CASE("the map to unsigned numbers keeps the order") {
    Random random(5);
    Array floats{ElementType::f64, {}, {}};
    Array integers{ElementType::i32, {}, {}};
    for (int i = 0; i < 2000; ++i) {
        const std::uint64_t bits = random.next_u64();
        if (!std::isnan(std::bit_cast<double>(bits))) floats.wide.push_back(bits);
        integers.narrow.push_back(random.next_u32());
    }
    const Array before_floats = floats;
    const Array before_integers = integers;
    map_to_unsigned(floats);
    map_to_unsigned(integers);
    CHECK(floats.type == ElementType::u64);
    CHECK(integers.type == ElementType::u32);
    bool same_order = true;
    for (std::size_t i = 1; i < floats.wide.size(); ++i)
        same_order &= (std::bit_cast<double>(before_floats.wide[i - 1]) <
                       std::bit_cast<double>(before_floats.wide[i])) == (floats.wide[i - 1] < floats.wide[i]);
    for (std::size_t i = 1; i < integers.narrow.size(); ++i)
        same_order &=
            (std::bit_cast<std::int32_t>(before_integers.narrow[i - 1]) <
             std::bit_cast<std::int32_t>(before_integers.narrow[i])) == (integers.narrow[i - 1] < integers.narrow[i]);
    CHECK(same_order);
}

TEST_CASE("what the writer writes is read again; an unfinished file leaves nothing") {
    const Folder folder;
    const std::vector<std::uint32_t> numbers{3, 1, 2};
    for (const char* name : {"keys.npy", "keys.raw"}) {
        auto writer = ArrayWriter::create(folder.file(name), ElementType::u32, numbers.size());
        REQUIRE(writer.ok());
        REQUIRE(writer->append(std::span(numbers).first(1)).ok());
        REQUIRE(writer->append(std::span(numbers).last(2)).ok());
        CHECK_FALSE(std::filesystem::exists(folder.file(name)));
        REQUIRE(writer->finish().ok());
        const auto array = read_array(folder.file(name), {});
        REQUIRE(array.ok());
        CHECK(array->narrow == numbers);
    }
    CHECK(std::filesystem::file_size(folder.file("keys.npy")) == 128 + 12);
    {
        auto writer = ArrayWriter::create(folder.file("other.npy"), ElementType::u64, 1);
        REQUIRE(writer.ok());
        CHECK_THROWS_AS(writer->append(numbers), InvariantViolation);
        CHECK_THROWS_AS(writer->finish(), InvariantViolation);
    }
    CHECK_FALSE(std::filesystem::exists(folder.file("other.npy")));
    CHECK_FALSE(std::filesystem::exists(folder.file("other.npy.sassafras-part")));
    CHECK_FALSE(ArrayWriter::create(folder.file("no/such/folder"), ElementType::u32, 1).ok());
    CHECK(read_array(folder.file("missing"), {}).error().what == "there is no such file");
    CHECK(read_array(folder.file(""), {}).error().what == "this is a folder, not a file");
    CHECK(read_array("/dev/null", {}).error().what == "this is a pipe or a device, not a file");
}

TEST_CASE("a .npy header is as NumPy writes it") {
    const auto header = make_npy_header(ElementType::u32, 3);
    const std::string expected = npy(three_u4, "");
    CHECK(std::string(reinterpret_cast<const char*>(header.data()), header.size()) == expected);
    CHECK(header.size() == 128);
}

TEST_CASE("numbers of 64 bits become numbers of 32 if none is changed by it") {
    const auto narrowed = [](ElementType type, std::vector<std::uint64_t> numbers) {
        Array array;
        array.type = type;
        array.wide = std::move(numbers);
        const auto done = narrow_to_32_bits(array, "numbers");
        if (!done) FAIL(done.error().message());
        CHECK(array.wide.empty());
        return array;
    };
    const auto refused = [](ElementType type, std::vector<std::uint64_t> numbers) {
        Array array;
        array.type = type;
        array.wide = std::move(numbers);
        const auto done = narrow_to_32_bits(array, "numbers");
        REQUIRE_FALSE(done.ok());
        CHECK(done.error().where == "numbers");
        return done.error().what;
    };
    const auto integer = [](std::int64_t value) { return std::bit_cast<std::uint64_t>(value); };
    const auto real = [](double value) { return std::bit_cast<std::uint64_t>(value); };
    const Array natural = narrowed(ElementType::i64, {0, 0xffffffffU});
    CHECK(natural.type == ElementType::u32);
    CHECK(natural.narrow == std::vector<std::uint32_t>{0, 0xffffffffU});
    const Array negative = narrowed(ElementType::i64, {integer(-1), integer(INT32_MIN), integer(INT32_MAX)});
    CHECK(negative.type == ElementType::i32);
    CHECK(negative.narrow == std::vector<std::uint32_t>{0xffffffffU, 0x80000000U, 0x7fffffffU});
    CHECK(narrowed(ElementType::u64, {7}).type == ElementType::u32);
    const Array floats = narrowed(ElementType::f64, {real(0.5), real(-0.0), real(INFINITY)});
    CHECK(floats.type == ElementType::f32);
    CHECK(floats.narrow == std::vector<std::uint32_t>{0x3f000000U, 0x80000000U, 0x7f800000U});
    CHECK(refused(ElementType::u64, {1, std::uint64_t{1} << 32U}).starts_with("number 1 (from 0) does not fit"));
    CHECK(refused(ElementType::i64, {integer(-1), 0x80000000U}).starts_with("number 1 (from 0) does not fit"));
    CHECK(refused(ElementType::i64, {integer(INT64_MIN)}).starts_with("number 0 (from 0) does not fit"));
    CHECK(refused(ElementType::f64, {real(0.1)}).starts_with("number 0 (from 0) does not fit"));
    CHECK(refused(ElementType::f64, {real(1), real(1e300)}).starts_with("number 1 (from 0) does not fit"));
}

TEST_CASE("what a header says of its elements is shown without its control characters, and not all of it") {
    const std::string what =
        refused(npy("{'descr': '\x1b[2J" + std::string(300, 'u') + "', 'fortran_order': False, 'shape': (0,), }", ""));
    CHECK(what.starts_with("the array's elements are \"\\x1b[2Juuu"));
    CHECK(what.size() < 100);
}
