// Storage of rows, aligned for vector access. std::vector<Row> would warn about vector attributes in template
// arguments.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

#include "sim/execute/lanes.hpp"

namespace sassafras::sim {

class RowVector {
  public:
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::byte* data() { return data_.get(); }

    /// Grows or shrinks; new rows are zero.
    void resize(std::size_t rows) {
        if (rows > capacity_) {
            const std::size_t capacity = rows > 2 * capacity_ ? rows : 2 * capacity_;
            Storage storage(
                static_cast<std::byte*>(::operator new (capacity * sizeof(Row), std::align_val_t{alignof(Row)})));
            if (size_ != 0) std::memcpy(storage.get(), data_.get(), size_ * sizeof(Row));
            data_ = std::move(storage);
            capacity_ = capacity;
        }
        if (rows > size_) std::memset(data_.get() + size_ * sizeof(Row), 0, (rows - size_) * sizeof(Row));
        size_ = rows;
    }

  private:
    struct Free {
        void operator()(std::byte* data) const { ::operator delete (data, std::align_val_t{alignof(Row)}); }
    };
    using Storage = std::unique_ptr<std::byte, Free>;
    Storage data_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace sassafras::sim
