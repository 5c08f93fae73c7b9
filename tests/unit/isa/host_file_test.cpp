// Files of a host: this test's own program, and small ones that are made here by the ELF specification.
#include "isa/cubin/host_file.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "core/whole_file.hpp"
#include "isa/cubin/elf.hpp"

namespace sassafras::isa {
namespace {

using HostBytes = std::vector<std::byte>;

template <class T>
void put_at(HostBytes& bytes, std::size_t at, T value) {
    if (bytes.size() < at + sizeof value) bytes.resize(at + sizeof value);
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

HostBytes bytes_of_text(const std::string& text) {
    const auto* begin = reinterpret_cast<const std::byte*>(text.data());
    return {begin, begin + text.size()};
}

/// A container without entries, whose payload has this many bytes.
HostBytes container(std::uint64_t payload) {
    HostBytes bytes(16 + payload, std::byte{0x5a});
    put_at(bytes, 0, std::uint32_t{0xba55ed50});
    put_at(bytes, 4, std::uint16_t{1});
    put_at(bytes, 6, std::uint16_t{16});
    put_at(bytes, 8, payload);
    return bytes;
}

struct MadeSection {
    std::string name;
    std::uint32_t type;
    std::uint32_t link;
    HostBytes bytes;
};

/// Elf64_Ehdr, the sections' bytes, their headers; section 0 and the table of names come by themselves.
HostBytes host_elf(std::uint16_t type, std::vector<MadeSection> sections) {
    std::string names(1, '\0');
    sections.insert(sections.begin(), {"", 0, 0, {}});
    sections.push_back({".shstrtab", 3, 0, {}});
    std::vector<std::uint32_t> name_offsets;
    for (const MadeSection& section : sections) {
        name_offsets.push_back(section.name.empty() ? 0 : static_cast<std::uint32_t>(names.size()));
        if (!section.name.empty()) names += section.name + '\0';
    }
    sections.back().bytes = bytes_of_text(names);
    HostBytes file(64);
    const unsigned char magic[] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
    std::memcpy(file.data(), magic, sizeof magic);
    put_at(file, 16, type);
    put_at(file, 18, std::uint16_t{62});
    put_at(file, 58, std::uint16_t{64});
    put_at(file, 60, static_cast<std::uint16_t>(sections.size()));
    put_at(file, 62, static_cast<std::uint16_t>(sections.size() - 1));
    std::vector<std::uint64_t> offsets;
    for (const MadeSection& section : sections) {
        file.resize((file.size() + 7) / 8 * 8);
        offsets.push_back(file.size());
        file.insert(file.end(), section.bytes.begin(), section.bytes.end());
    }
    file.resize((file.size() + 7) / 8 * 8);
    put_at(file, 40, std::uint64_t{file.size()});
    for (std::size_t i = 0; i < sections.size(); ++i) {
        const std::size_t at = file.size();
        file.resize(at + 64);
        put_at(file, at, name_offsets[i]);
        put_at(file, at + 4, sections[i].type);
        put_at(file, at + 24, offsets[i]);
        put_at(file, at + 32, std::uint64_t{sections[i].bytes.size()});
        put_at(file, at + 40, sections[i].link);
    }
    return file;
}

/// A table of one symbol, whose name is the first of its strings.
HostBytes symbol_in(std::uint16_t section) {
    HostBytes bytes(24);
    put_at(bytes, 0, std::uint32_t{1});
    put_at(bytes, 6, section);
    return bytes;
}

constexpr std::uint16_t shared_object = 3;
constexpr std::uint32_t bits = 1, symbols = 2, strings = 3, dynamic = 6, dynamic_symbols = 11;
const std::string registering("\0__cudaRegisterFatBinary\0libcudart.so.13\0", 41);

HostBytes needs_library(std::uint64_t name) {
    HostBytes bytes(32);
    put_at(bytes, 0, std::uint64_t{1});
    put_at(bytes, 8, name);
    return bytes;
}

TEST_CASE("this program needs the C++ library and has no runtime of CUDA") {
    const auto bytes = read_whole_file("/proc/self/exe", most_code_bytes);
    REQUIRE(bytes.ok());
    const auto file = read_host_file(*bytes, "self");
    REQUIRE(file.ok());
    CHECK(file->needs("libstdc++.so."));
    CHECK_FALSE(file->needs("libcudart.so."));
    CHECK_FALSE(file->has_runtime_inside);
    CHECK(file->fat_binaries.empty());
}

TEST_CASE("a runtime is inside where what registers code is") {
    const auto inside = [](std::uint16_t type, std::vector<MadeSection> sections) {
        const HostBytes bytes = host_elf(type, std::move(sections));
        const auto file = read_host_file(bytes, "made");
        REQUIRE(file.ok());
        return file->has_runtime_inside;
    };
    const MadeSection names{".strtab", strings, 0, bytes_of_text(registering)};
    const MadeSection one_wrapper{".nvFatBinSegment", bits, 0, HostBytes(24)};
    const MadeSection wrappers{".nvFatBinSegment", bits, 0, HostBytes(48)};
    CHECK(inside(shared_object, {names, {".symtab", symbols, 1, symbol_in(1)}}));
    CHECK(inside(shared_object, {wrappers}));  // stripped: it registers code, and nobody else can do it
    CHECK_FALSE(inside(shared_object, {one_wrapper}));
    CHECK_FALSE(inside(shared_object, {names, {".dynsym", dynamic_symbols, 1, symbol_in(0)}, wrappers}));
    CHECK_FALSE(inside(elf::type_relocatable, {names, {".symtab", symbols, 1, symbol_in(1)}, wrappers}));
}

TEST_CASE("device code of several source files, with room between") {
    HostBytes code = container(21);  // 37 bytes; the next begins at 40
    code.resize(40);
    const HostBytes second = container(8);
    code.insert(code.end(), second.begin(), second.end());
    code.resize(code.size() + 24);
    const HostBytes bytes = host_elf(elf::type_relocatable, {{".nv_fatbin", bits, 0, code},
                                                             {"__nv_relfatbin", bits, 0, second},
                                                             {".dynstr", strings, 0, bytes_of_text(registering)},
                                                             {".dynamic", dynamic, 3, needs_library(25)}});
    const auto file = read_host_file(bytes, "made");
    REQUIRE(file.ok());
    REQUIRE(file->fat_binaries.size() == 2);
    CHECK(file->fat_binaries[0].size() == 37);
    CHECK(file->fat_binaries[1].size() == 24);
    CHECK(file->has_unlinked_code);
    CHECK(file->needed == std::vector<std::string>{"libcudart.so.13"});

    // Any byte of it may be anything: it is read, or it is an error.
    for (std::size_t i = 0; i < bytes.size(); ++i)
        for (const std::byte value : {std::byte{0}, std::byte{0x7f}, std::byte{0xff}}) {
            HostBytes damaged = bytes;
            damaged[i] = value;
            (void)read_host_file(damaged, "damaged");
        }
    for (std::size_t size = 0; size < bytes.size(); ++size)
        CHECK_FALSE(read_host_file(std::span(bytes).first(size), "cut").ok());
}

}  // namespace
}  // namespace sassafras::isa
