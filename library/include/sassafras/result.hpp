// Errors as values: what went wrong, where, and what to do about it.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <sassafras/namespace.hpp>

namespace sassafras::SASSAFRAS_VERSIONED {
enum class ErrorKind : std::uint8_t {
    check_failed = 1,  ///< the kernel failed: an access out of bounds, a trap, a deadlock, a runaway
    bad_input = 2,     ///< the caller's: a file, a platform, a launch that cannot be
    not_modelled = 3,  ///< the kernel needs something the simulator does not model
};

struct Error {
    ErrorKind kind = ErrorKind::bad_input;
    std::string what;    ///< one sentence: what is wrong
    std::string where;   ///< file, JSON pointer, or kernel + pc + mnemonic + hex word; may be empty
    std::string remedy;  ///< what the caller can do; may be empty

    /// "what [where]; remedy", on one line
    [[nodiscard]] std::string message() const {
        std::string text = what;
        if (!where.empty()) text += " [" + where + "]";
        if (!remedy.empty()) text += "; " + remedy;
        return text;
    }
};

/// A value or an Error; of Result<void> an Error or none. Asking for the one that is not there throws
/// std::logic_error. Functions of the library throw only std::bad_alloc and, where the simulator itself is wrong,
/// std::logic_error.
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : value_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
    Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

    [[nodiscard]] bool ok() const { return value_.has_value(); }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] T& value() & { return (require_value(), *value_); }
    [[nodiscard]] const T& value() const& { return (require_value(), *value_); }
    [[nodiscard]] T&& value() && { return (require_value(), std::move(*value_)); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    [[nodiscard]] const Error& error() const {
        if (ok()) throw std::logic_error("error() of a successful Result");
        return *error_;
    }

  private:
    void require_value() const {
        if (!ok()) throw std::logic_error("value() of a failed Result: " + error_->message());
    }

    std::optional<T> value_;
    std::optional<Error> error_;
};

template <>
class [[nodiscard]] Result<void> {
  public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

    [[nodiscard]] bool ok() const { return !error_.has_value(); }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] const Error& error() const {
        if (ok()) throw std::logic_error("error() of a successful Result");
        return *error_;
    }

  private:
    std::optional<Error> error_;
};

}  // namespace sassafras::SASSAFRAS_VERSIONED
