// Errors as values: what went wrong, where, and what to do about it.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace sassafras {

/// Decides the exit status of the command line program.
enum class ErrorKind : std::uint8_t {
    check_failed = 1,  ///< a result is wrong, a kernel faulted, or a check fell short
    bad_input = 2,     ///< bad usage or bad input
    not_modelled = 3,  ///< the program needs something the simulator does not model
};

/// Why a kernel was stopped, in the classes that the CUDA runtime tells apart.
enum class FaultKind : std::uint8_t {
    none,  ///< not a fault of a kernel
    illegal_address,
    misaligned_address,
    illegal_instruction,
    assertion,
    trap,     ///< __trap() and what else the runtime calls an unspecified launch failure
    runaway,  ///< it never ends: a deadlock, or more instructions than allowed
};

struct Error {
    ErrorKind kind = ErrorKind::bad_input;
    std::string what;    ///< one sentence: what is wrong
    std::string where;   ///< file, JSON pointer, or kernel + pc + mnemonic + hex word; may be empty
    std::string remedy;  ///< what the user can do; may be empty
    FaultKind fault = FaultKind::none;

    // Defined in result.cpp: written out at each of the places where something can fail, these are a good part of what
    // the compiler has to do.
    Error();
    Error(ErrorKind kind, std::string_view what, std::string_view where = {}, std::string_view remedy = {},
          FaultKind fault = FaultKind::none);
    Error(const Error& other);
    Error(Error&& other) noexcept;
    Error& operator=(const Error& other);
    Error& operator=(Error&& other) noexcept;
    ~Error();

    [[nodiscard]] int exit_status() const { return static_cast<int>(kind); }
    /// "what [where]; remedy", on one line
    [[nodiscard]] std::string message() const;
};

/// Thrown when the simulator itself is wrong (a broken invariant), never for bad input.
class InvariantViolation : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

[[noreturn]] void violate_invariant(const char* what);

inline void require_invariant(bool holds, const char* what) {
    if (!holds) [[unlikely]]
        violate_invariant(what);
}

/// A value or an Error. std::expected is C++23; clang-tidy 14 and nvcc have none.
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : value_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
    Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

    [[nodiscard]] bool ok() const { return value_.has_value(); }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] T& value() & {
        require_invariant(ok(), "value() of a failed Result");
        return *value_;
    }
    [[nodiscard]] const T& value() const& {
        require_invariant(ok(), "value() of a failed Result");
        return *value_;
    }
    [[nodiscard]] T&& value() && {
        require_invariant(ok(), "value() of a failed Result");
        return *std::move(value_);
    }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    [[nodiscard]] const Error& error() const {
        require_invariant(!ok(), "error() of a successful Result");
        return *error_;
    }

  private:
    // Exactly one of them is there. A std::variant would say so, and takes the compiler three times as long.
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
        require_invariant(!ok(), "error() of a successful Result");
        return *error_;
    }

  private:
    std::optional<Error> error_;
};

}  // namespace sassafras
