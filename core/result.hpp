// Errors as values: what went wrong, where, and what to do about it.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

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

    [[nodiscard]] int exit_status() const { return static_cast<int>(kind); }
    /// "what (where): remedy", on one line
    [[nodiscard]] std::string message() const {
        std::string text = what;
        if (!where.empty()) text += " [" + where + "]";
        if (!remedy.empty()) text += "; " + remedy;
        return text;
    }
};

/// Thrown when the simulator itself is wrong (a broken invariant), never for bad input.
class InvariantViolation : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

inline void require_invariant(bool holds, const char* what) {
    if (!holds) [[unlikely]]
        throw InvariantViolation(what);
}

/// A value or an Error. std::expected is C++23; clang-tidy 14 and nvcc have none.
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(google-explicit-constructor)
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

    [[nodiscard]] bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] T& value() & {
        require_invariant(ok(), "value() of a failed Result");
        return std::get<0>(state_);
    }
    [[nodiscard]] const T& value() const& {
        require_invariant(ok(), "value() of a failed Result");
        return std::get<0>(state_);
    }
    [[nodiscard]] T&& value() && {
        require_invariant(ok(), "value() of a failed Result");
        return std::get<0>(std::move(state_));
    }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    [[nodiscard]] const Error& error() const {
        require_invariant(!ok(), "error() of a successful Result");
        return std::get<1>(state_);
    }

  private:
    std::variant<T, Error> state_;
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
