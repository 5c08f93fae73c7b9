// Device memory that is freed with its owner, and typed copies to and from it.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "sim/device/device.hpp"

namespace sassafras::workloads {

/// `count` elements of T. A buffer of no elements owns one, so that its address is a valid one.
template <class T>
    requires std::is_trivially_copyable_v<T>
class DeviceBuffer {
  public:
    /// Every byte starts as 0xcd, so that an output that a kernel forgot shows.
    static Result<DeviceBuffer> make(sim::Device& device, std::size_t count) {
        return filled(device, count, std::byte{0xcd});
    }
    static Result<DeviceBuffer> zeroed(sim::Device& device, std::size_t count) {
        return filled(device, count, std::byte{0});
    }
    static Result<DeviceBuffer> from(sim::Device& device, std::span<const T> data) {
        auto buffer = make(device, data.size());
        if (!buffer) return buffer;
        if (!data.empty())
            if (auto copied = device.copy_to_device(buffer->address(), std::as_bytes(data)); !copied)
                return copied.error();
        return buffer;
    }

    DeviceBuffer(DeviceBuffer&& other) noexcept
        : device_(std::exchange(other.device_, nullptr)), address_(other.address_), count_(other.count_) {}
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
        std::swap(device_, other.device_);
        std::swap(address_, other.address_);
        std::swap(count_, other.count_);
        return *this;
    }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;
    ~DeviceBuffer() {
        if (device_ != nullptr) (void)device_->free(address_);
    }

    [[nodiscard]] Address address() const { return address_; }
    /// The pointer as a kernel's argument.
    [[nodiscard]] std::uint64_t argument() const { return address_.value; }
    [[nodiscard]] Result<std::vector<T>> read() const {
        std::vector<T> data(count_);
        if (count_ != 0)
            if (auto copied = device_->copy_from_device(std::as_writable_bytes(std::span(data)), address_); !copied)
                return copied.error();
        return data;
    }

  private:
    static Result<DeviceBuffer> filled(sim::Device& device, std::size_t count, std::byte value) {
        const Bytes size{(count == 0 ? 1 : count) * sizeof(T)};
        const auto address = device.allocate(size);
        if (!address) return address.error();
        DeviceBuffer buffer(device, *address, count);
        if (auto done = device.fill(*address, value, size); !done) return done.error();
        return buffer;
    }
    DeviceBuffer(sim::Device& device, Address address, std::size_t count)
        : device_(&device), address_(address), count_(count) {}

    sim::Device* device_;
    Address address_;
    std::size_t count_;
};

}  // namespace sassafras::workloads
