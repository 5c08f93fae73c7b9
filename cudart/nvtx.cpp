// Ranges and marks of NVTX, a header-only library: at its first call it loads what NVTX_INJECTION64_PATH names, which
// `sassafras exec --timeline` lets be this library, and asks for the functions that take the program's calls.
#include <nvtx3/nvToolsExt.h>

#include <array>
#include <cstddef>
#include <mutex>
#include <string>
#include <utility>

#include "cudart/runtime.hpp"

namespace sassafras::cudart {

namespace {

using RangeKind = TimelineEntry::Kind;

std::string utf8(const wchar_t* text) {
    std::string result;
    const auto put = [&](std::uint32_t byte) { result += static_cast<char>(byte); };
    for (; text != nullptr && *text != 0; ++text) {
        const auto c = static_cast<std::uint32_t>(*text);
        if (c < 0x80) {
            put(c);
            continue;
        }
        const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        constexpr std::array<std::uint32_t, 4> first{0, 0xc0, 0xe0, 0xf0};
        put(first[static_cast<std::size_t>(more)] | c >> (6U * static_cast<unsigned>(more)));
        for (int i = more - 1; i >= 0; --i) put(0x80U | (c >> (6U * static_cast<unsigned>(i)) & 0x3fU));
    }
    return result;
}

std::string plain(const char* text) { return text == nullptr ? "" : text; }

/// A domain and a registered string are each behind a handle that is its name; NVTX has no call that gives a string
/// back, and a program may use what it has destroyed.
template <class Handle>
Handle handle_of(std::string text) {
    return reinterpret_cast<Handle>(new std::string(std::move(text)));
}
template <class Handle>
std::string behind(Handle handle) {
    return handle == nullptr ? "" : *reinterpret_cast<const std::string*>(handle);
}

std::string message_of(const nvtxEventAttributes_t* attributes) {
    if (attributes == nullptr) return {};
    switch (attributes->messageType) {
        case NVTX_MESSAGE_TYPE_ASCII: return plain(attributes->message.ascii);
        case NVTX_MESSAGE_TYPE_UNICODE: return utf8(attributes->message.unicode);
        case NVTX_MESSAGE_TYPE_REGISTERED: return behind(attributes->message.registered);
        default: return {};
    }
}

void note(RangeKind kind, std::string domain, std::string message, std::uint64_t number = 0) {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex());
    runtime.note_range(kind, std::move(domain), std::move(message), number);
}

int& depth() {
    thread_local int ranges = 0;
    return ranges;
}

int push(std::string domain, std::string message) {
    note(RangeKind::push, std::move(domain), std::move(message));
    return depth()++;
}

int pop(std::string domain) {
    if (depth() == 0) return -1;
    note(RangeKind::pop, std::move(domain), {});
    return --depth();
}

nvtxRangeId_t start(std::string domain, std::string message) {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex());
    static nvtxRangeId_t last = 0;  // under the lock
    runtime.note_range(RangeKind::range_start, std::move(domain), std::move(message), ++last);
    return last;
}

void end(nvtxRangeId_t range) { note(RangeKind::range_end, {}, {}, range); }

/// Functions of a module by their numbers in it.
class FunctionTable {
  public:
    FunctionTable(const NvtxExportTableCallbacks& callbacks, NvtxCallbackModule module) {
        if (callbacks.GetModuleFunctionTable(module, &table_, &size_) == 0) size_ = 0;
    }
    template <class Function>
    void take(unsigned number, Function* function) {
        if (number < size_ && table_[number] != nullptr)
            *table_[number] = reinterpret_cast<NvtxFunctionPointer>(function);
    }

  private:
    NvtxFunctionTable table_ = nullptr;
    unsigned size_ = 0;
};

void take_core(FunctionTable core) {
    core.take(
        NVTX_CBID_CORE_MarkEx, +[](const nvtxEventAttributes_t* a) { note(RangeKind::mark, {}, message_of(a)); });
    core.take(
        NVTX_CBID_CORE_MarkA, +[](const char* text) { note(RangeKind::mark, {}, plain(text)); });
    core.take(
        NVTX_CBID_CORE_MarkW, +[](const wchar_t* text) { note(RangeKind::mark, {}, utf8(text)); });
    core.take(
        NVTX_CBID_CORE_RangeStartEx, +[](const nvtxEventAttributes_t* a) { return start({}, message_of(a)); });
    core.take(
        NVTX_CBID_CORE_RangeStartA, +[](const char* text) { return start({}, plain(text)); });
    core.take(
        NVTX_CBID_CORE_RangeStartW, +[](const wchar_t* text) { return start({}, utf8(text)); });
    core.take(
        NVTX_CBID_CORE_RangeEnd, +[](nvtxRangeId_t range) { end(range); });
    core.take(
        NVTX_CBID_CORE_RangePushEx, +[](const nvtxEventAttributes_t* a) { return push({}, message_of(a)); });
    core.take(
        NVTX_CBID_CORE_RangePushA, +[](const char* text) { return push({}, plain(text)); });
    core.take(
        NVTX_CBID_CORE_RangePushW, +[](const wchar_t* text) { return push({}, utf8(text)); });
    core.take(
        NVTX_CBID_CORE_RangePop, +[] { return pop({}); });
}

void take_domains(FunctionTable core2) {
    using Domain = nvtxDomainHandle_t;
    using Attributes = const nvtxEventAttributes_t*;
    core2.take(
        NVTX_CBID_CORE2_DomainMarkEx, +[](Domain d, Attributes a) { note(RangeKind::mark, behind(d), message_of(a)); });
    core2.take(
        NVTX_CBID_CORE2_DomainRangeStartEx, +[](Domain d, Attributes a) { return start(behind(d), message_of(a)); });
    core2.take(
        NVTX_CBID_CORE2_DomainRangeEnd, +[](Domain, nvtxRangeId_t range) { end(range); });
    core2.take(
        NVTX_CBID_CORE2_DomainRangePushEx, +[](Domain d, Attributes a) { return push(behind(d), message_of(a)); });
    core2.take(
        NVTX_CBID_CORE2_DomainRangePop, +[](Domain d) { return pop(behind(d)); });
    core2.take(
        NVTX_CBID_CORE2_DomainRegisterStringA,
        +[](Domain, const char* text) { return handle_of<nvtxStringHandle_t>(plain(text)); });
    core2.take(
        NVTX_CBID_CORE2_DomainRegisterStringW,
        +[](Domain, const wchar_t* text) { return handle_of<nvtxStringHandle_t>(utf8(text)); });
    core2.take(
        NVTX_CBID_CORE2_DomainCreateA, +[](const char* name) { return handle_of<Domain>(plain(name)); });
    core2.take(
        NVTX_CBID_CORE2_DomainCreateW, +[](const wchar_t* name) { return handle_of<Domain>(utf8(name)); });
}

}  // namespace

}  // namespace sassafras::cudart

extern "C" int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t export_table) {
    using namespace sassafras::cudart;
    const auto* const callbacks =
        static_cast<const NvtxExportTableCallbacks*>(export_table(static_cast<std::uint32_t>(NVTX_ETID_CALLBACKS)));
    if (callbacks == nullptr || callbacks->GetModuleFunctionTable == nullptr) return 0;
    take_core({*callbacks, NVTX_CB_MODULE_CORE});
    take_domains({*callbacks, NVTX_CB_MODULE_CORE2});
    return 1;
}
