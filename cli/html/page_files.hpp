// The files that pages are made of, as cli/html/html.cmake has put them into the program.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace sassafras::cli::page_files {

std::span<const std::byte> html();
std::span<const std::byte> css();
std::span<const std::byte> page_script();
std::span<const std::byte> theme_script();
std::span<const std::byte> render_script();
/// Of npm; empty where the program was built without them.
std::span<const std::byte> vega_script();
std::span<const std::byte> vega_lite_script();
std::span<const std::byte> vega_embed_script();

[[nodiscard]] inline std::string_view text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace sassafras::cli::page_files
