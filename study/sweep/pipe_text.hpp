// What another process writes into a pipe: no disk is needed for it, and none that is full loses it.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "core/result.hpp"

namespace sassafras::study::sweep {

/// A descriptor that is closed with this.
struct Descriptor {
    int number = -1;

    explicit Descriptor(int opened = -1) : number(opened) {}
    Descriptor(Descriptor&& other) noexcept : number(std::exchange(other.number, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number, other.number);
        return *this;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor();
};

class PipeText {
  public:
    /// Of more bytes than these only the end is kept (`keeps_end`), or nothing.
    PipeText(std::size_t most_bytes, bool keeps_end) : most_bytes_(most_bytes), keeps_end_(keeps_end) {}

    /// Makes the pipe; what is returned is for writing and not inherited. Error check_failed if there can be no more.
    [[nodiscard]] Result<Descriptor> open();
    /// For poll(); negative when all writers have closed it.
    [[nodiscard]] int descriptor() const { return reading_.number; }
    /// What has come so far, without waiting.
    void read();
    [[nodiscard]] std::string take();

  private:
    void keep(const char* bytes, std::size_t count);

    std::size_t most_bytes_;
    bool keeps_end_;
    bool is_too_long_ = false;
    Descriptor reading_;
    std::string text_;
};

}  // namespace sassafras::study::sweep
