#include "tests/golden/execute/results.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string_view>

#include "core/hash.hpp"
#include "core/random.hpp"
#include "isa/cubin/cubin.hpp"

namespace sassafras::test {

namespace {

constexpr std::uint64_t untouched = 0xcdcd'cdcd'cdcd'cdcdU;

/// Bits of a binary floating-point format and where its exponent lies.
struct Format {
    unsigned bits;
    unsigned fraction;
    [[nodiscard]] std::uint64_t exponent_mask() const { return (std::uint64_t{1} << (bits - 1 - fraction)) - 1; }
    [[nodiscard]] std::uint64_t fraction_mask() const { return (std::uint64_t{1} << fraction) - 1; }
    [[nodiscard]] std::uint64_t make(std::uint64_t sign, std::uint64_t exponent, std::uint64_t significand) const {
        return (sign & 1U) << (bits - 1) | (exponent & exponent_mask()) << fraction | (significand & fraction_mask());
    }
};
constexpr Format single_precision{32, 23};
constexpr Format double_precision{64, 52};
constexpr Format half_precision{16, 10};
constexpr Format brain_float{16, 7};

std::uint64_t corner(Random& random, const Format& format) {
    const std::uint64_t sign = random.next_u64();
    const std::uint64_t top = format.exponent_mask();
    const std::uint64_t bias = top / 2;
    const std::uint64_t quiet = std::uint64_t{1} << (format.fraction - 1);
    switch (random.below(14)) {
        case 0: return format.make(sign, 0, 0);
        case 1: return format.make(sign, bias, 0);
        case 2: return format.make(sign, top, 0);
        case 3: return format.make(sign, top, quiet);
        case 4: return format.make(sign, top, random.next_u64() | 1U);
        case 5: return format.make(sign, 0, 1);
        case 6: return format.make(sign, 0, format.fraction_mask());
        case 7: return format.make(sign, 1, 0);
        case 8: return format.make(sign, top - 1, format.fraction_mask());
        case 9: return format.make(sign, bias - 1, 0);
        case 10: return format.make(sign, bias, quiet);                             // 1.5
        case 11: return format.make(sign, bias + 1, quiet >> 1U);                   // 2.5
        case 12: return format.make(sign, 0, random.next_u64());                    // denormal
        default: return format.make(sign, top, (random.next_u64() & ~quiet) | 1U);  // signalling NaN
    }
}

/// A value of few exponents. What is drawn comes in this order: the recorded answers belong to these inputs.
std::uint64_t near_values(Random& random, const Format& format, std::uint64_t least_exponent, std::uint64_t exponents) {
    const std::uint64_t significand = random.next_u64();
    const std::uint64_t exponent = least_exponent + random.below(exponents);
    const std::uint64_t sign = random.next_u64();
    return format.make(sign, exponent, significand);
}

/// Every bit pattern, corner cases, and values near one another, whose sums and products round. Each draw is a
/// statement of its own, since the order in which operands are evaluated is the compiler's choice.
std::uint64_t floating(Random& random, const Format& format) {
    const std::uint64_t bias = format.exponent_mask() / 2;
    switch (random.below(8)) {
        case 0: return corner(random, format);
        case 1:
        case 2: return random.next_u64() >> (64U - format.bits);
        case 3: {  // a few bits: halves and ties
            const std::uint64_t significand = random.next_u64();
            const std::uint64_t kept = significand & ~(format.fraction_mask() >> random.below(8));
            const std::uint64_t exponent = bias - 2 + random.below(10);
            const std::uint64_t sign = random.next_u64();
            return format.make(sign, exponent, kept);
        }
        case 4: return near_values(random, format, bias - 4, 74);  // integers
        default: return near_values(random, format, bias - 3, 6);
    }
}

std::uint64_t integer(Random& random) {
    constexpr std::uint32_t corners[] = {0,          1,          2,          7,          31,         32,     33,
                                         63,         64,         0x7f,       0x80,       0xff,       0x7fff, 0x8000,
                                         0xffff,     0x10000,    0x7fffffff, 0x80000000, ~0U,        ~1U,    0x55555555,
                                         0xaaaaaaaa, 0x01010101, 0x80808080, 0x7fff8000, 0x80017fff, 0x1f1f, 0x0100};
    const auto pick = [&] { return corners[random.below(std::size(corners))]; };
    switch (random.below(8)) {
        case 0: {
            const std::uint64_t low = pick();
            return low | std::uint64_t{pick()} << 32U;
        }
        case 1: {
            const std::uint64_t low = pick();
            return low | (random.next_u64() & 0xffff'ffff'0000'0000U);
        }
        case 2: return random.next_u64() >> random.below(64);  // a shift's left operand comes first
        case 3: {
            const std::uint64_t high = random.next_u64() & 0xffff'ffff'0000'0000U;
            return high | random.below(70);
        }
        default: return random.next_u64();
    }
}

std::uint64_t word(Random& random, char kind) {
    switch (kind) {
        case 'f': {
            const std::uint64_t low = floating(random, single_precision);
            return low | floating(random, single_precision) << 32U;
        }
        case 'd': return floating(random, double_precision);
        case 'h':
        case 'b': {
            std::uint64_t value = 0;
            for (unsigned part = 0; part < 4; ++part)
                value |= floating(random, kind == 'h' ? half_precision : brain_float) << (16U * part);
            return value;
        }
        default: return integer(random);
    }
}

std::vector<std::byte> read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<std::byte> bytes;
    for (std::istreambuf_iterator<char> at(file), end; at != end; ++at) bytes.push_back(static_cast<std::byte>(*at));
    return bytes;
}

std::uint64_t digest_of(const std::vector<std::uint64_t>& words) {
    std::string text(words.size() * sizeof(std::uint64_t), '\0');
    std::memcpy(text.data(), words.data(), text.size());
    return fnv1a_64(text);
}

}  // namespace

Inputs inputs_of(const std::string& kernel) {
    Random random(fnv1a_64(kernel));
    Inputs inputs;
    for (std::uint32_t thread = 0; thread < result_threads; ++thread) {
        inputs.a.push_back(word(random, kernel.front()));
        inputs.b.push_back(word(random, kernel.front()));
        inputs.c.push_back(word(random, kernel.front()));
        // Equal and opposite operands, which chance does not bring together.
        if (random.below(16) == 0) inputs.b.back() = inputs.a.back() ^ (random.next_u64() & 0x8000'8000'8000'8000U);
        if (random.below(16) == 0) inputs.c.back() = inputs.b.back();
    }
    return inputs;
}

Result<std::vector<KernelName>> list_kernels(const std::string& folder) {
    std::vector<KernelName> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".cubin") continue;
        const auto cubin = isa::read_cubin(read_file(entry.path()), entry.path().string());
        if (!cubin) return cubin.error();
        for (const isa::Kernel& kernel : cubin->kernels) names.push_back({entry.path().stem().string(), kernel.name});
    }
    std::sort(names.begin(), names.end(), [](const KernelName& x, const KernelName& y) {
        return x.family != y.family ? x.family < y.family : x.kernel < y.kernel;
    });
    return names;
}

Result<std::vector<Column>> run_kernel(sim::Device& device, const std::string& folder, const KernelName& name) {
    const std::filesystem::path path = std::filesystem::path(folder) / (name.family + ".cubin");
    const std::vector<std::byte> cubin = read_file(path);
    const auto module = device.load_module(cubin, path.string());
    if (!module) return module.error();
    const Inputs inputs = inputs_of(name.kernel);
    sim::Launch launch;
    launch.module = *module;
    launch.kernel = name.kernel;
    launch.grid = {result_threads / 256, 1, 1};
    launch.block = {256, 1, 1};
    std::vector<Address> owned;
    for (const auto* input : {&inputs.a, &inputs.b, &inputs.c}) {
        const auto address = device.allocate(Bytes{input->size() * sizeof(std::uint64_t)});
        if (!address) return address.error();
        if (auto copied = device.copy_to_device(*address, std::as_bytes(std::span(*input))); !copied)
            return copied.error();
        launch.arguments.add(address->value);
        owned.push_back(*address);
    }
    std::vector<std::uint64_t> words(static_cast<std::size_t>(result_columns) * result_threads);
    const auto out = device.allocate(Bytes{words.size() * sizeof(std::uint64_t)});
    if (!out) return out.error();
    owned.push_back(*out);
    if (auto filled = device.fill(*out, std::byte{0xcd}, Bytes{words.size() * sizeof(std::uint64_t)}); !filled)
        return filled.error();
    launch.arguments.add(out->value).add(result_threads);
    if (auto launched = device.launch(launch); !launched) return launched.error();
    if (auto done = device.synchronize(); !done) return done.error();
    if (auto copied = device.copy_from_device(std::as_writable_bytes(std::span(words)), *out); !copied)
        return copied.error();
    for (const Address address : owned)
        if (auto freed = device.free(address); !freed) return freed.error();
    std::vector<Column> columns;
    for (std::uint32_t number = 0; number < result_columns; ++number) {
        const auto first = words.begin() + static_cast<std::ptrdiff_t>(number) * result_threads;
        Column column{number, 0, {first, first + result_threads}};
        if (std::all_of(column.words.begin(), column.words.end(), [](std::uint64_t w) { return w == untouched; }))
            continue;
        column.digest = digest_of(column.words);
        columns.push_back(std::move(column));
    }
    return columns;
}

}  // namespace sassafras::test
