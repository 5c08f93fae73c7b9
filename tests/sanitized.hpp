// Under AddressSanitizer a test takes five to twelve times as long. What a Release build tries in many sizes or with
// many seeds, such a build tries in fewer: the code that runs is the same. Whole cases that only add time have the tag
// [release] and are not run there (tests/CMakeLists.txt).
#pragma once

#include <algorithm>
#include <cstddef>

namespace sassafras::test {

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// Of `count` draws, how many to make: under sanitizers one of `every`.
template <class Count>
constexpr Count draws(Count count, Count every = 6) {
    return sanitized ? std::max(Count{1}, count / every) : count;
}

/// Whether the index-th of a list of alike cases is tried: under sanitizers one of `every`.
constexpr bool is_tried(std::size_t index, std::size_t every = 3) { return !sanitized || index % every == 0; }

}  // namespace sassafras::test
