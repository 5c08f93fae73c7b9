// A GPU as a host program sees it. Workload drivers are written once against this and run on every implementation:
// `simulated` (execution and timing), `functional` (execution; counters that need no time), `cuda` (a real GPU).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "core/types.hpp"
#include "isa/sass/architecture.hpp"
#include "isa/sass/instruction.hpp"
#include "sim/check/finding.hpp"
#include "sim/metrics/metric_set.hpp"
#include "sim/metrics/stall.hpp"
#include "sim/timing/answer_times.hpp"
#include "sim/timing/launch_profile.hpp"
#include "sim/timing/launch_tail.hpp"
#include "sim/timing/memory/traffic.hpp"
#include "sim/trace/dealt_from.hpp"

namespace sassafras::sim {

/// One row of Nsight Compute's source page. A device that does not time has no stalls; `cuda` has no rows.
struct SourceRow {
    std::uint64_t pc = 0;          ///< byte offset into the kernel
    isa::Instruction instruction;  ///< isa::print gives its text
    std::uint64_t inst_executed = 0;
    std::uint64_t thread_inst_executed = 0;
    std::uint64_t shared_wavefronts = 0;
    std::uint64_t shared_wavefronts_ideal = 0;
    std::uint64_t global_sectors = 0;  ///< "L2 Theoretical Sectors Global"
    StallCycles stalls{};
    std::uint64_t global_bytes = 0;   ///< that lanes load from global memory, store or update there
    std::uint64_t local_sectors = 0;  ///< of local memory, where time is modelled
    std::string location{};           ///< "file:line", with ModelOptions::source_lines and where the cubin tells it
};

/// A launch of which not all blocks were timed (ModelOptions::sample); the others were executed.
struct Sampling {
    /// Of a metric that is an estimate: where it lies with 95 % confidence.
    struct Interval {
        MetricId metric;
        double low = 0;
        double high = 0;
    };
    std::uint64_t timed_blocks = 0;
    std::uint64_t timed_launches = 0;  ///< where no block was timed: of the same kind, that say what this one took
    std::vector<Interval> intervals;   ///< in the order of the metrics; others are exact
};

/// As Nsight Compute numbers a process's context, and its default stream.
inline constexpr std::uint64_t only_context = 1;
inline constexpr std::uint64_t default_stream = 7;

/// What a launch that was timed leaves to others that run beside it.
struct LaunchCourse {
    LaunchTail tail;
    L1Traffic l1;
    L2Traffic l2;
    AnswerTimes answers;
    std::uint64_t xu_waits = 0;  ///< as of SubCoreCycles
};

/// What one launch did.
struct KernelResult {
    std::string name;  ///< mangled, as in the cubin
    Dim3 grid;
    Dim3 block;
    std::uint32_t registers_per_thread = 0;
    std::uint32_t most_registers_per_thread = 0;  ///< that a thread of the GPU can name; 0: not known
    Bytes static_shared{};
    Bytes dynamic_shared{};
    MetricSet metrics;  ///< those that the device knows
    std::vector<SourceRow> source;
    std::optional<Sampling> sampling;         ///< none: all of it was timed, if any
    bool left_out = false;                    ///< none of ModelOptions::timed_launches, or not selected
    LaunchProfile profile = {};               ///< as ModelOptions asks for
    std::optional<LaunchCourse> course = {};  ///< of a launch that was timed as a whole
    std::uint64_t stream = default_stream;

    [[nodiscard]] double metric(MetricId wanted, double otherwise = 0) const {
        return metrics.find(wanted).value_or(otherwise);
    }
};

/// What the launches together have (Merge); none if one of them lacks it.
[[nodiscard]] std::optional<double> total_of(std::span<const KernelResult> launches, MetricId wanted);

/// Kernel arguments in order; each is copied by value, with the size and alignment of its C type.
class Arguments {
  public:
    template <class T>
    requires std::is_trivially_copyable_v<T> Arguments& add(const T& value) {
        std::vector<std::byte> bytes(sizeof(T));
        std::memcpy(bytes.data(), &value, sizeof(T));
        return add_bytes(std::move(bytes));
    }
    /// An argument whose type is known at run time only: its bytes as they lie in memory.
    Arguments& add_bytes(std::vector<std::byte> bytes) {
        values_.push_back(std::move(bytes));
        return *this;
    }
    [[nodiscard]] const std::vector<std::vector<std::byte>>& values() const { return values_; }

  private:
    std::vector<std::vector<std::byte>> values_;
};

struct ModuleId {
    std::uint32_t index = 0;
};

struct KernelLaunch {
    ModuleId module;
    std::string kernel;  ///< mangled name, as in the cubin
    Dim3 grid;
    Dim3 block;
    Bytes dynamic_shared{};
    Arguments arguments;
    /// All blocks are on the GPU at a time and may wait for one another (cooperative groups' grid). Error bad_input if
    /// they are too many.
    bool cooperative = false;
    /// Of a thread whose kernel has a stack; more if its frame is larger (cudaLimitStackSize).
    Bytes stack{1024};
    std::uint64_t stream = default_stream;
    DealtFrom dealt_from = {};
};
using Launch = KernelLaunch;

class Device {
  public:
    Device() = default;
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    virtual ~Device() = default;

    [[nodiscard]] virtual std::string name() const = 0;
    [[nodiscard]] virtual std::uint32_t sm_count() const = 0;
    /// Shared memory that a block may have at most, static and dynamic together.
    [[nodiscard]] virtual Bytes most_shared_per_block() const = 0;
    /// Says what machine code it runs (isa::runs_on).
    [[nodiscard]] virtual isa::ComputeCapability compute_capability() const = 0;

    virtual Result<Address> allocate(Bytes size) = 0;
    virtual Result<void> free(Address address) = 0;
    virtual Result<void> copy_to_device(Address to, std::span<const std::byte> data) = 0;
    virtual Result<void> copy_from_device(std::span<std::byte> to, Address from) = 0;
    virtual Result<void> fill(Address to, std::byte value, Bytes size) = 0;
    /// Of these bytes of one allocation, how many from the first on the device knows to be zeros without reading them.
    /// A device that cannot know says none: then they have to be read.
    [[nodiscard]] virtual Bytes known_zeros(Address from, Bytes size) const;

    /// `origin` names the cubin in errors.
    virtual Result<ModuleId> load_module(std::span<const std::byte> cubin, std::string_view origin) = 0;

    /// Launches are in order. Errors of a launch may come at once or from synchronize().
    virtual Result<void> launch(const Launch& launch) = 0;
    virtual Result<void> synchronize() = 0;

    /// One entry a launch since the device was made or cleared. Valid after synchronize().
    [[nodiscard]] virtual const std::vector<KernelResult>& results() const = 0;
    virtual void clear_results() = 0;

    /// What a modelled device with ModelOptions::check has found in the launches since it was made, those that failed
    /// included. Empty on other devices.
    [[nodiscard]] virtual const std::vector<Finding>& findings() const;
};

}  // namespace sassafras::sim
