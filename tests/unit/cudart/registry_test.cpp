#include <sys/mman.h>

#include <array>
#include <cstring>

#include <catch2/catch.hpp>

#include "cudart/readable_memory.hpp"
#include "cudart/registry.hpp"

using namespace sassafras;

namespace {

constexpr std::size_t page = 4096;

/// Three pages of which the second can be read to its end and no further.
class Pages {
  public:
    Pages()
        : begin_(static_cast<std::byte*>(
              mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
        mprotect(begin_ + 2 * page, page, PROT_NONE);
    }
    ~Pages() { munmap(begin_, 3 * page); }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    [[nodiscard]] std::byte* before_end(std::size_t bytes) const { return begin_ + 2 * page - bytes; }

  private:
    std::byte* begin_;
};

struct Wrapper {
    std::uint32_t magic = 0x466243b1;
    std::uint32_t version = 1;
    const void* data = nullptr;
    void* rest = nullptr;
};

std::array<std::byte, 16> header(std::uint16_t header_bytes, std::uint64_t payload) {
    std::array<std::byte, 16> bytes{};
    const std::uint32_t magic = 0xba55ed50;
    std::memcpy(bytes.data(), &magic, sizeof magic);
    std::memcpy(bytes.data() + 6, &header_bytes, sizeof header_bytes);
    std::memcpy(bytes.data() + 8, &payload, sizeof payload);
    return bytes;
}

}  // namespace

TEST_CASE("how far memory can be read") {
    const Pages pages;
    CHECK(cudart::readable_bytes(pages.before_end(1)) == 1);
    CHECK(cudart::readable_bytes(pages.before_end(page + 5)) == page + 5);
    CHECK(cudart::readable_bytes(pages.before_end(0)) == 0);
    CHECK(cudart::readable_bytes(nullptr) == 0);
    const std::array<int, 100> here{};
    CHECK(cudart::readable_bytes(here.data()) >= sizeof here);
}

TEST_CASE("a fat binary whose header says more than is mapped is refused, not read") {
    const Pages pages;
    cudart::Registry registry;
    const auto add = [&](std::size_t before_end, std::uint16_t header_bytes, std::uint64_t payload) {
        const auto bytes = header(header_bytes, payload);
        std::memcpy(pages.before_end(before_end), bytes.data(), bytes.size());
        const Wrapper wrapper{.data = pages.before_end(before_end)};
        return registry.add_module(&wrapper);
    };
    CHECK(add(0x100, 16, 0xf0));
    for (const auto& refused : {add(0x100, 0x3a10, 0), add(0x100, 16, 0xf1), add(16, 0x3a10, 0x100)}) {
        REQUIRE_FALSE(refused);
        CHECK(refused.error().kind == ErrorKind::bad_input);
        CHECK(refused.error().what.starts_with("the fat binary says "));
    }
    for (const void* const data : {static_cast<const void*>(nullptr), static_cast<const void*>(pages.before_end(0)),
                                   static_cast<const void*>(pages.before_end(15))}) {
        const Wrapper wrapper{.data = data};
        CHECK_FALSE(registry.add_module(&wrapper));
    }
    CHECK_FALSE(registry.add_module(nullptr));
    CHECK_FALSE(registry.add_module(pages.before_end(0)));
}
