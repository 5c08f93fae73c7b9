#include "sim/device/cache_eviction.hpp"

#include <array>

namespace sassafras::sim::cuda {
namespace {

/// For whatever GPU is there: the driver compiles it. `evict(from, bytes, never)`: `bytes` is a multiple of 16; `never`
/// is no sum of what is there, so nothing is stored.
constexpr char eviction_ptx[] = R"(
.version 6.3
.target sm_75
.address_size 64
.visible .entry evict(.param .u64 from, .param .u64 bytes, .param .u32 never)
{
    .reg .pred %more, %stop;
    .reg .b32 %sum, %a, %b, %c, %d, %thread, %block, %threads, %blocks, %n;
    .reg .b64 %at, %end, %step;
    ld.param.u64 %at, [from];
    ld.param.u64 %end, [bytes];
    ld.param.u32 %n, [never];
    cvta.to.global.u64 %at, %at;
    add.u64 %end, %end, %at;
    mov.u32 %thread, %tid.x;
    mov.u32 %block, %ctaid.x;
    mov.u32 %threads, %ntid.x;
    mov.u32 %blocks, %nctaid.x;
    mad.lo.u32 %thread, %block, %threads, %thread;
    mul.wide.u32 %step, %thread, 16;
    add.u64 %at, %at, %step;
    mul.lo.u32 %blocks, %blocks, %threads;
    mul.wide.u32 %step, %blocks, 16;
    mov.u32 %sum, 0;
next:
    setp.lt.u64 %more, %at, %end;
    @!%more bra done;
    ld.global.v4.u32 {%a, %b, %c, %d}, [%at];
    add.u32 %sum, %sum, %a;
    add.u32 %sum, %sum, %b;
    add.u32 %sum, %sum, %c;
    add.u32 %sum, %sum, %d;
    add.u64 %at, %at, %step;
    bra next;
done:
    setp.ne.u32 %stop, %sum, %n;
    @%stop exit;
    ld.param.u64 %at, [from];
    cvta.to.global.u64 %at, %at;
    st.global.u32 [%at], %sum;
    ret;
}
)";
constexpr char eviction_entry[] = "evict";
constexpr unsigned never_a_sum = 1;  // of zeros

}  // namespace

Result<std::unique_ptr<CacheEviction>> CacheEviction::make(const Driver& driver, std::uint64_t l2_bytes, unsigned sms,
                                                           const std::string& gpu) {
    std::unique_ptr<CacheEviction> made(new CacheEviction(driver, 2 * l2_bytes, sms, gpu));
    Status code = driver.memory_allocate(&made->buffer_, made->bytes_);
    if (code == 0) code = driver.memory_set(made->buffer_, 0, made->bytes_);
    if (code == 0) code = driver.module_load(&made->module_, eviction_ptx);
    if (code == 0) code = driver.module_function(&made->kernel_, made->module_, eviction_entry);
    if (code != 0) return driver.error(code, "cannot prepare what evicts L2", gpu);
    return made;
}

CacheEviction::~CacheEviction() {
    if (module_ != nullptr) driver_.module_unload(module_);
    if (buffer_ != 0) driver_.memory_free(buffer_);
}

Result<void> CacheEviction::begin() {
    constexpr unsigned blocks_an_sm = 8;
    constexpr unsigned block = 256;
    unsigned never = never_a_sum;
    std::array<void*, 3> parameters{&buffer_, &bytes_, &never};
    if (const Status code =
            driver_.launch(kernel_, blocks_an_sm * sms_, 1, 1, block, 1, 1, 0, nullptr, parameters.data(), nullptr);
        code != 0)
        return driver_.error(code, "cannot evict the caches", gpu_);
    return {};
}

}  // namespace sassafras::sim::cuda
