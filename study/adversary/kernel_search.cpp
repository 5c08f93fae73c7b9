#include "study/adversary/kernel_search.hpp"

#include <charconv>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/array_file/array_file.hpp"
#include "core/hash.hpp"
#include "core/spelling.hpp"
#include "study/adversary/climb_start.hpp"

namespace sassafras::study::adversary {

namespace {

/// What each buffer holds before a launch, and which of them is searched over.
struct Contents {
    std::vector<PlacedBuffer> buffers;
    std::vector<std::vector<std::byte>> bytes;  ///< as `buffers`
    std::size_t varied = 0;                     ///< of `buffers`
    ElementType type = ElementType::u32;
};

Error refuse_plan(std::string what, const KernelSearchPlan& plan, std::string remedy) {
    return {ErrorKind::bad_input, std::move(what), "--vary " + plan.vary, std::move(remedy)};
}

std::uint64_t hash_of(std::span<const std::byte> bytes) {
    return fnv1a_64({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Numbers numbers_of(std::span<const std::byte> bytes, ElementType type) {
    const std::size_t each = bytes_of(type);
    Numbers numbers(bytes.size() / each);
    for (std::size_t i = 0; i < numbers.size(); ++i) std::memcpy(&numbers[i], bytes.data() + i * each, each);
    return numbers;
}

void write_numbers(const Numbers& numbers, ElementType type, std::vector<std::byte>& bytes) {
    const std::size_t each = bytes_of(type);
    for (std::size_t i = 0; i < numbers.size(); ++i) std::memcpy(bytes.data() + i * each, &numbers[i], each);
}

/// ARGUMENT[:TYPE]; the type is that of the buffer's .npy file, or u4, if it is not said.
Result<void> choose_varied(const KernelSearchPlan& plan, Contents& contents) {
    const std::string_view text = plan.vary;
    const std::size_t colon = text.find(':');
    const std::string_view number = text.substr(0, colon);
    std::size_t argument = 0;
    const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), argument);
    if (number.empty() || code != std::errc() || end != number.data() + number.size())
        return refuse_plan("this does not begin with the number of an argument", plan,
                           "give ARGUMENT[:TYPE]: arguments count from 0, types are u4, i4, f4, u8, i8, f8");
    const auto& buffers = contents.buffers;
    std::string there;
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        there += fmt::format("{}{}", there.empty() ? "" : ", ", buffers[i].argument);
        if (buffers[i].argument == argument) found = i;
    }
    if (!found)
        return refuse_plan(fmt::format("argument {} is no buffer", argument), plan,
                           there.empty() ? "none is: give one with --arg buffer:BYTES or --arg file:FILE"
                                         : fmt::format("these are, counted from 0: {}", there));
    contents.varied = *found;
    const PlacedBuffer& buffer = buffers[*found];
    if (colon != std::string_view::npos) {
        const std::string type(text.substr(colon + 1));
        std::vector<std::string> names;
        bool known = false;
        for (const ElementTypeNames& one : element_types) {
            names.emplace_back(one.name);
            if (one.name != type) continue;
            contents.type = one.type;
            known = true;
        }
        if (!known) return refuse_plan("there is no type \"" + type + "\"", plan, name_one_of(type, names));
    } else if (buffer.wanted.content == BufferArgument::Content::file) {
        const auto layout = read_array_layout(buffer.wanted.file);
        if (!layout) return layout.error();
        contents.type = layout->type.value_or(ElementType::u32);
    }
    const std::uint64_t each = bytes_of(contents.type);
    const std::uint64_t count = buffer.size.count / each;
    if (buffer.size.count % each != 0 || count == 0)
        return refuse_plan(fmt::format("the buffer has {} bytes, no numbers of {}", buffer.size.count, each), plan,
                           "give it another size, or choose another type");
    if (count > greatest_climb)
        return refuse_plan(fmt::format("a search over {} numbers", count), plan,
                           fmt::format("choose at most {}", greatest_climb));
    return {};
}

std::string what_of(const KernelSearchPlan& plan, const Contents& contents, std::span<const std::byte> cubin) {
    const KernelOptions& kernel = plan.kernel;
    std::string text = fmt::format("kernel {} (cubin hash {:016x}), grid {}, block {}, shared {}, arguments",
                                   kernel.kernel, hash_of(cubin), kernel.grid, kernel.block, kernel.shared);
    std::size_t buffer = 0;
    for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
        const bool is_buffer = buffer < contents.buffers.size() && contents.buffers[buffer].argument == i;
        // What buffers hold, not what their files are called.
        text += is_buffer ? fmt::format(" buffer of {} (hash {:016x})", contents.bytes[buffer].size(),
                                        hash_of(contents.bytes[buffer]))
                          : " " + kernel.arguments[i];
        if (is_buffer) ++buffer;
    }
    return text + fmt::format(", over argument {}", contents.buffers[contents.varied].argument);
}

std::string run_with(const KernelSearchPlan& plan, std::size_t argument, const std::string& file) {
    const KernelOptions& kernel = plan.kernel;
    std::string text = fmt::format("sassafras launch --cubin {} --kernel {} --grid {} --block {}", kernel.cubin,
                                   kernel.kernel, kernel.grid, kernel.block);
    if (kernel.shared != 0) text += fmt::format(" --shared {}", kernel.shared);
    if (plan.seed != 1) text += fmt::format(" --seed {}", plan.seed);
    for (std::size_t i = 0; i < kernel.arguments.size(); ++i)
        text += " --arg " + (i == argument ? "file:" + file : kernel.arguments[i]);
    return text;
}

}  // namespace

Result<SearchSubject> kernel_subject(sim::Device& device, const KernelSearchPlan& plan,
                                     std::span<const std::byte> cubin) {
    const auto prepared = PreparedKernel::make(device, plan.kernel, cubin);
    if (!prepared) return prepared.error();
    const auto contents = std::make_shared<Contents>();
    contents->buffers = prepared->buffers();
    for (const PlacedBuffer& buffer : contents->buffers) {
        if (!buffer.wanted.output.empty())
            return Error{ErrorKind::bad_input, "a search launches the kernel many times, and writes no buffer",
                         "--arg " + plan.kernel.arguments[buffer.argument], "leave out :out=" + buffer.wanted.output};
        auto content = PreparedKernel::content(buffer, plan.seed);
        if (!content) return content.error();
        contents->bytes.push_back(std::move(*content));
    }
    if (auto varied = choose_varied(plan, *contents); !varied) return varied.error();
    const PlacedBuffer& buffer = contents->buffers[contents->varied];

    SearchSubject subject;
    subject.rules.goal = plan.goal;
    subject.type = contents->type;
    subject.start = numbers_of(contents->bytes[contents->varied], contents->type);
    if (!plan.values.empty()) {
        auto range = parse_value_range(contents->type, plan.values);
        if (!range) return range.error();
        subject.rules.values = *range;
    }
    const bool made = buffer.wanted.content != BufferArgument::Content::file;
    if (auto fitted =
            fit_to_range(subject.start, subject.rules, made, plan.seed, fmt::format("argument {}", buffer.argument));
        !fitted)
        return fitted.error();
    subject.files.push_back(plan.kernel.cubin);
    for (const PlacedBuffer& placed : contents->buffers)
        if (placed.wanted.content == BufferArgument::Content::file) subject.files.push_back(placed.wanted.file);
    subject.what = what_of(plan, *contents, cubin);
    subject.run_with = [plan, argument = buffer.argument](const std::string& file) {
        return run_with(plan, argument, file);
    };
    const auto code = std::make_shared<const std::vector<std::byte>>(cubin.begin(), cubin.end());
    subject.run = [plan, contents, code](sim::Device& another, const Numbers& numbers) -> Result<void> {
        write_numbers(numbers, contents->type, contents->bytes[contents->varied]);
        auto kernel = PreparedKernel::make(another, plan.kernel, *code);
        if (!kernel) return kernel.error();
        // All of them, as the kernel may have written to any.
        for (std::size_t i = 0; i < contents->bytes.size(); ++i)
            if (auto done = another.copy_to_device(kernel->buffers()[i].address, contents->bytes[i]); !done)
                return done;
        if (auto done = kernel->run(); !done) return done;
        for (const PlacedBuffer& placed : kernel->buffers())
            if (auto done = another.free(placed.address); !done) return done;  // a real GPU is used again
        return {};
    };
    return subject;
}

}  // namespace sassafras::study::adversary
