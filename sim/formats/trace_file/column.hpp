// Bytes of one kind. A frame keeps what is alike together: that is what compresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace sassafras::sim {

/// Small magnitudes of either sign become small numbers.
[[nodiscard]] constexpr std::uint64_t zigzag(std::uint64_t value) { return value << 1U ^ (0 - (value >> 63U)); }
[[nodiscard]] constexpr std::uint64_t unzigzag(std::uint64_t value) { return value >> 1U ^ (0 - (value & 1U)); }

class ColumnWriter {
  public:
    void put_byte(std::uint8_t value) { bytes_.push_back(value); }
    void put_word32(std::uint32_t value) { put(&value, sizeof value); }
    void put_word64(std::uint64_t value) { put(&value, sizeof value); }
    /// LEB128: 7 bits a byte, the least significant first.
    void put_number(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7U) bytes_.push_back(static_cast<std::uint8_t>(value | 0x80U));
        bytes_.push_back(static_cast<std::uint8_t>(value));
    }
    void put_difference(std::uint64_t value) { put_number(zigzag(value)); }
    void put(const void* data, std::size_t size) {
        const auto* begin = static_cast<const std::uint8_t*>(data);
        bytes_.insert(bytes_.end(), begin, begin + size);
    }

    [[nodiscard]] std::span<const std::uint8_t> bytes() const { return bytes_; }
    [[nodiscard]] std::size_t size() const { return bytes_.size(); }
    void clear() { bytes_.clear(); }

  private:
    std::vector<std::uint8_t> bytes_;
};

/// Reads behind the end give zeros and are remembered.
class ColumnReader {
  public:
    ColumnReader() = default;
    explicit ColumnReader(std::span<const std::uint8_t> bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

    std::uint8_t byte() {
        if (at_ == end_) {
            failed_ = true;
            return 0;
        }
        return *at_++;
    }
    std::uint32_t word32() {
        std::uint32_t value = 0;
        get(&value, sizeof value);
        return value;
    }
    std::uint64_t word64() {
        std::uint64_t value = 0;
        get(&value, sizeof value);
        return value;
    }
    std::uint64_t number() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const std::uint8_t next = byte();
            value |= static_cast<std::uint64_t>(next & 0x7fU) << shift;
            if (next < 0x80) return value;
        }
        failed_ = true;
        return value;
    }
    std::uint64_t difference() { return unzigzag(number()); }
    void get(void* to, std::size_t size) {
        if (size == 0) return;
        if (static_cast<std::size_t>(end_ - at_) < size) {
            failed_ = true;
            at_ = end_;
            return;
        }
        std::memcpy(to, at_, size);
        at_ += size;
    }
    /// The next `size` bytes; empty if there are fewer.
    std::span<const std::uint8_t> take(std::size_t size) {
        if (static_cast<std::size_t>(end_ - at_) < size) {
            failed_ = true;
            at_ = end_;
            return {};
        }
        at_ += size;
        return {at_ - size, size};
    }

    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

  private:
    const std::uint8_t* at_ = nullptr;
    const std::uint8_t* end_ = nullptr;
    bool failed_ = false;
};

}  // namespace sassafras::sim
