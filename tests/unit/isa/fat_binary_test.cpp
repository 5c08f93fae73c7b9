// Containers of machine code: made here by the layout that docs/isa.md gives, packed by the libraries themselves.
#include "isa/cubin/fat_binary.hpp"

#include <lz4.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zstd.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>
#include <string>

#include "core/random.hpp"

namespace sassafras::isa {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::uint64_t flag_64_bit = 0x1;
constexpr std::uint64_t flag_lz4 = 0x2000;
constexpr std::uint64_t flag_zstd = 0x8000;

template <class T>
void put(Bytes& bytes, T value) {
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof value);
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

Bytes text_bytes(const std::string& text) {
    const auto* begin = reinterpret_cast<const std::byte*>(text.data());
    return {begin, begin + text.size()};
}

Bytes entry(std::uint16_t kind, std::uint32_t architecture, const Bytes& content, std::uint64_t packing) {
    Bytes packed = content;
    if (packing == flag_zstd) {
        packed.resize(ZSTD_compressBound(content.size()));
        packed.resize(ZSTD_compress(packed.data(), packed.size(), content.data(), content.size(), 3));
    } else if (packing == flag_lz4) {
        packed.resize(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(content.size()))));
        packed.resize(static_cast<std::size_t>(
            LZ4_compress_default(reinterpret_cast<const char*>(content.data()), reinterpret_cast<char*>(packed.data()),
                                 static_cast<int>(content.size()), static_cast<int>(packed.size()))));
    }
    const std::size_t padded = (packed.size() + 7) / 8 * 8;
    Bytes bytes;
    put(bytes, kind);
    put(bytes, std::uint16_t{0x101});
    put(bytes, std::uint32_t{64});
    put(bytes, std::uint64_t{packing == 0 ? packed.size() : padded});
    put(bytes, static_cast<std::uint32_t>(packing == 0 ? 0 : packed.size()));
    put(bytes, std::uint32_t{0});
    put(bytes, std::uint16_t{8});
    put(bytes, std::uint16_t{1});
    put(bytes, architecture);
    put(bytes, std::uint64_t{0});
    put(bytes, flag_64_bit | packing);
    put(bytes, std::uint64_t{0});
    put(bytes, static_cast<std::uint64_t>(packing == 0 ? 0 : content.size()));
    for (const std::byte byte : packed) bytes.push_back(byte);
    if (packing != 0) bytes.resize(64 + padded);
    return bytes;
}

Bytes container(const std::vector<Bytes>& entries) {
    Bytes payload;
    for (const Bytes& one : entries) payload.insert(payload.end(), one.begin(), one.end());
    Bytes bytes;
    bytes.reserve(16 + payload.size());
    put(bytes, std::uint32_t{0xba55ed50});
    put(bytes, std::uint16_t{1});
    put(bytes, std::uint16_t{16});
    put(bytes, static_cast<std::uint64_t>(payload.size()));
    for (const std::byte byte : payload) bytes.push_back(byte);
    return bytes;
}

const std::string content_text = std::string(1000, 'a') + "cubin" + std::string(500, 'b') + "123";

TEST_CASE("Entries unpack to what was put in, plain, LZ4 and zstd") {
    const Bytes content = text_bytes(content_text);
    for (const std::uint64_t packing : {std::uint64_t{0}, flag_lz4, flag_zstd}) {
        const Bytes file = container({entry(2, 90, content, packing), entry(1, 75, content, flag_zstd)});
        const auto entries = read_fat_binary(file, "made");
        REQUIRE(entries);
        REQUIRE(entries->size() == 2);
        CHECK((*entries)[0].kind == FatEntry::Kind::cubin);
        CHECK((*entries)[0].architecture == 90);
        CHECK((*entries)[1].kind == FatEntry::Kind::ptx);
        for (const FatEntry& one : *entries) {
            const auto unpacked = unpack(one, "made");
            REQUIRE(unpacked);
            CHECK(*unpacked == content);
        }
    }
}

TEST_CASE("The cubin of the same major version with the highest minor that the GPU has is chosen") {
    const Bytes content = text_bytes("x");
    Bytes file = container({entry(2, 75, content, 0), entry(2, 80, content, 0), entry(2, 86, content, 0),
                            entry(2, 90, content, 0), entry(1, 90, content, 0)});
    const auto entries = read_fat_binary(file, "made");
    REQUIRE(entries);
    const auto chosen = [&](int capability) {
        const FatEntry* best = best_cubin(*entries, capability);
        return best == nullptr ? 0 : best->architecture;
    };
    CHECK(chosen(75) == 75);
    CHECK(chosen(80) == 80);
    CHECK(chosen(86) == 86);
    CHECK(chosen(89) == 86);
    CHECK(chosen(90) == 90);
    CHECK(chosen(70) == 0);
    CHECK(chosen(100) == 0);
    const Error error = no_cubin(*entries, 100, "made");
    CHECK(error.kind == ErrorKind::not_modelled);
    CHECK(error.message().find("-gencode arch=compute_100,code=sm_100") != std::string::npos);
    CHECK(error.message().find("sm_86") != std::string::npos);
    CHECK(error.message().find("PTX compute_90") != std::string::npos);
}

TEST_CASE("A container cut anywhere is refused") {
    const Bytes file = container({entry(2, 90, text_bytes(content_text), flag_lz4), entry(1, 90, text_bytes("p"), 0)});
    for (std::size_t size = 0; size < file.size(); ++size) {
        const auto entries = read_fat_binary(std::span(file).first(size), "cut");
        REQUIRE_FALSE(entries);
        CHECK(entries.error().kind == ErrorKind::bad_input);
    }
}

TEST_CASE("Flipped bits never read outside, and what unpacks has the size it says") {
    const Bytes good = container({entry(2, 90, text_bytes(content_text), flag_lz4),
                                  entry(2, 80, text_bytes(content_text), flag_zstd), entry(1, 90, text_bytes("p"), 0)});
    Random random(7);
    for (int round = 0; round < 2000; ++round) {
        Bytes file = good;
        for (int flip = 0; flip < 3; ++flip)
            file[random.below(file.size())] ^= static_cast<std::byte>(1U << random.below(8));
        const auto entries = read_fat_binary(file, "flipped");
        if (!entries) continue;
        for (const FatEntry& one : *entries) {
            const auto unpacked = unpack(one, "flipped");
            if (unpacked) CHECK(unpacked->size() == one.size);
        }
    }
}

TEST_CASE("What unpacks to more than a cubin has is unpacked whole, and nothing unpacks to nothing") {
    Bytes content(std::size_t{37} << 20U);
    Random random(3);
    for (std::size_t at = 0; at < content.size(); at += 1 + random.below(200))
        content[at] = static_cast<std::byte>(random.below(256));
    for (const Bytes& one : {content, Bytes{}})
        for (const std::uint64_t packing : {flag_lz4, flag_zstd}) {
            CAPTURE(one.size(), packing);
            const Bytes file = container({entry(2, 90, one, packing)});
            const auto entries = read_fat_binary(file, "made");
            REQUIRE(entries);
            const auto unpacked = unpack(entries->front(), "made");
            REQUIRE(unpacked);
            CHECK(bool(*unpacked == one));
            for (const std::int64_t wrong : {-1, 1}) {
                FatEntry lies = entries->front();
                lies.size += static_cast<std::uint64_t>(wrong);
                CHECK_FALSE(unpack(lies, "made"));
            }
        }
}

// A sanitizer keeps what was freed. What the program had at most grows only, so it has to have had little.
TEST_CASE("An entry that claims gigabytes and does not have them costs little memory", "[release]") {
    const auto most_kib = [] {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        return usage.ru_maxrss;
    };
    const auto current_kib = [] {
        std::ifstream statm("/proc/self/statm");
        long size = 0;
        long resident = 0;
        statm >> size >> resident;
        return resident * (sysconf(_SC_PAGESIZE) / 1024);
    };
    constexpr long bound_kib = 64 * 1024;
    // Linux forgets the peak of a process that asks for it.
    std::ofstream("/proc/self/clear_refs") << 5;
    const long before = current_kib();
    if (most_kib() > before + bound_kib / 2) {
        SUCCEED("the peak was not forgotten: this shows nothing");
        return;
    }
    for (const std::uint64_t packing : {flag_lz4, flag_zstd}) {
        const Bytes file = container({entry(2, 90, text_bytes(content_text), packing)});
        auto entries = read_fat_binary(file, "made");
        REQUIRE(entries);
        for (const std::uint64_t claimed : {std::uint64_t{1703} << 20U, std::uint64_t{0x7fffffff}}) {
            entries->front().size = claimed;
            CHECK_FALSE(unpack(entries->front(), "made"));
        }
    }
    CHECK(most_kib() < before + bound_kib);
}

TEST_CASE("What is no container is refused") {
    CHECK_FALSE(fat_binary_size(text_bytes("not a container.."), "text"));
    CHECK_FALSE(fat_binary_size({}, "nothing"));
    Bytes huge = container({});
    const std::uint64_t size = ~std::uint64_t{0} - 8;
    std::memcpy(huge.data() + 8, &size, sizeof size);
    CHECK_FALSE(fat_binary_size(huge, "huge"));
}

}  // namespace
}  // namespace sassafras::isa
