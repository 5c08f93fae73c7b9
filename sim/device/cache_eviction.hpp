// Empties a real GPU's L2 as Nsight Compute's --cache-control all does.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/result.hpp"
#include "sim/device/cuda_driver.hpp"

namespace sassafras::sim::cuda {

/// A kernel reads a buffer of twice L2's size. What was written before goes to DRAM meanwhile, and what stays is clean,
/// as after an invalidation. A memory set would leave L2 full of written lines, which the next kernel's reads would
/// have to wait for (16 MiB took an H200 10 us longer: validate/records/h200/probes/uneven.txt).
class CacheEviction {
  public:
    /// In the current context, which must outlive it, as must the driver.
    static Result<std::unique_ptr<CacheEviction>> make(const Driver& driver, std::uint64_t l2_bytes, unsigned sms,
                                                       const std::string& gpu);
    CacheEviction(const CacheEviction&) = delete;
    CacheEviction& operator=(const CacheEviction&) = delete;
    ~CacheEviction();

    /// Puts the kernel into the queue.
    [[nodiscard]] Result<void> begin();

  private:
    CacheEviction(const Driver& driver, std::uint64_t bytes, unsigned sms, const std::string& gpu)
        : driver_(driver), bytes_(bytes), sms_(sms), gpu_(gpu) {}

    const Driver& driver_;
    std::uint64_t bytes_;
    unsigned sms_;
    std::string gpu_;
    Pointer buffer_ = 0;
    Module module_ = nullptr;
    Function kernel_ = nullptr;
};

}  // namespace sassafras::sim::cuda
