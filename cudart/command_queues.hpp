// The commands of a GPU's streams, forward in simulated time: each stream's one behind the other, and behind what else
// they wait for. When one begins and ends is known only once time has come so far, as commands that are put meanwhile
// share the GPU with it.
//
// A value: a copy goes on by itself, and so tells what would be.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "cudart/kernel_room.hpp"
#include "cudart/launch_line.hpp"
#include "cudart/record_line.hpp"
#include "cudart/work.hpp"

namespace sassafras::cudart {

/// Of all that were put, from 1 on in that order; 0 is none.
using CommandId = std::uint64_t;

struct Command {
    std::uint64_t stream = 0;
    Work work{};                       ///< `last` is none of its engines
    std::vector<CommandId> behind{};   ///< of other streams, for which it waits
    bool behind_kernel = false;        ///< a launch: its stream's last work but events and waits was one, too
    CommandId awaited = 0;             ///< the record of an event for which the stream waits
    std::uint64_t awaited_stream = 0;  ///< of that record
    double awaited_end = 0;            ///< nanoseconds: of that record, if it has ended
    Waking waking{};                   ///< what that costs, if it has not ended by now
    double put_at = 0;                 ///< nanoseconds: the host's time
    double used_before = 0;            ///< of L2, when it was put; by CommandQueues
};

/// Times in nanoseconds.
struct EndedCommand {
    CommandId command = 0;
    double begin = 0;
    double end = 0;
};

class CommandQueues {
  public:
    /// A process has so many connections to the GPU unless CUDA_DEVICE_MAX_CONNECTIONS says otherwise. A stream that
    /// has nothing to do gets one with its next command: that of the fewest streams. Launches of streams that share one
    /// begin in the order in which they were put, whatever each waits for
    /// (validate/records/h200/probes/connections.cu).
    static constexpr std::size_t usual_connections = 8;
    explicit CommandQueues(std::size_t connections = usual_connections) : connections_(connections) {}

    /// The stream does it when all is done that it was told before, and `behind`. Not before now().
    CommandId put(Command command);
    [[nodiscard]] bool has_ended(CommandId command) const { return !commands_.contains(command); }
    /// Time passes until `time`; nothing if it has come so far.
    void run_to(double time);
    /// Time passes until the command has ended, but not beyond `limit`.
    void run_until_end(CommandId command, double limit = KernelRoom::never);
    /// Time passes until all has ended.
    void run_until_idle();
    /// Time passes until the kernel has begun. Returns when.
    [[nodiscard]] double run_until_begin(CommandId kernel);
    /// Whether streams other than this have commands that have not ended.
    [[nodiscard]] bool others_under_way(std::uint64_t stream) const {
        return streams_.size() > (streams_.contains(stream) ? 1U : 0U);
    }
    /// Launches of other streams than this command's that were put before, and run when it begins or are about to: the
    /// GPU has them, or their streams wake.
    [[nodiscard]] std::vector<CommandId> launches_beside(CommandId kernel) const;
    /// Of those that have not ended; the next one if there are none.
    [[nodiscard]] CommandId oldest() const { return commands_.empty() ? last_id_ + 1 : commands_.begin()->first; }
    /// The first of a stream's commands that have not ended, if these are as many as it has room for. An H200's has
    /// 1,022 places for launches, copies and records of events for timing, and any number for what takes no time
    /// (validate/records/h200/probes/launch_queue.csv); here that is bounded by the memory it takes.
    [[nodiscard]] std::optional<CommandId> first_if_full(std::uint64_t stream) const;
    [[nodiscard]] double now() const { return now_; }
    /// Commands that have not ended.
    [[nodiscard]] std::size_t size() const { return commands_.size(); }
    /// What has ended since the last call, in that order.
    [[nodiscard]] std::vector<EndedCommand> take_ended() { return std::exchange(ended_, {}); }

  private:
    enum class Stage : std::uint8_t {
        queued,      ///< behind others of its stream
        waits,       ///< behind what others do
        lined_up,    ///< for its engine
        wakes,       ///< its stream, until a time
        pauses,      ///< its stream, until a time: behind a record
        works,       ///< until a time
        launches,    ///< until a time: from its begin to its first block's
        has_places,  ///< a kernel among others
        completes,   ///< until a time: behind its last block
    };
    struct State {
        Command command;
        Stage stage = Stage::queued;
        double until = 0;
        bool has_begun = false;
        double begin = 0;
    };
    struct Stream {
        std::deque<CommandId> commands{};
        std::size_t timed = 0;       ///< of these, that take time
        std::size_t connection = 0;  ///< while it has commands
        double resumed = 0;          ///< when it last went on behind an event that was not done
        double goes_on = 0;          ///< when it does so behind a record
        double since = 0;            ///< when the last event was done that it had to wait for
    };
    struct Connection {
        std::size_t streams = 0;
        std::set<CommandId> launches{};  ///< that have not come to their turn
    };
    /// Connections take turns on so many lines (validate/records/h200/probes/wake_lines.cu).
    static constexpr std::size_t lines = 2;
    /// An engine that does one piece of work at a time: of what can begin, what was put first.
    struct Line {
        std::set<CommandId> waiting{};
        CommandId at_work = 0;
    };
    [[nodiscard]] double next();
    void step(double limit);
    void settle();
    bool finish_what_is_due();
    bool begin_what_can();
    bool change_kernels();
    bool begin(CommandId id, State& state);
    void line_up(CommandId id, State& state, const Stream& stream);
    void work(State& state, Stage stage, double nanoseconds);
    void come_to_time(CommandId id, State& state);
    void end(CommandId id, double until_seen = 0);
    void wake(CommandId record, double until_seen);
    [[nodiscard]] std::array<std::size_t, lines> sleeping_by_line() const;
    static std::size_t line_of(const Stream& stream) { return stream.connection % lines; }
    Line& line_of(Engine engine) { return copies_[engine == Engine::to_device ? 0 : 1]; }
    static double before_of(const Work& work) { return std::min(work.load.before, work.nanoseconds); }
    static double after_of(const Work& work) { return std::min(work.load.after, work.nanoseconds - before_of(work)); }

    double lost_by(const Command& wait);

    double now_ = 0;
    double used_ = 0;                            ///< of L2, by kernels that have begun: lines, by those that it has
    std::map<std::uint64_t, double> looked_up_;  ///< that, when the last wait for an event of a stream was done
    CommandId last_id_ = 0;
    std::map<CommandId, State> commands_;  ///< that have not ended
    std::set<CommandId> heads_;            ///< the first of each stream
    std::map<std::uint64_t, Stream> streams_;
    std::vector<Connection> connections_;
    std::multimap<CommandId, CommandId> waits_for_;  ///< by the record, of those that have not ended
    KernelRoom kernels_;
    LaunchLine launches_;
    RecordLine records_;
    static constexpr std::size_t most_timed = 1022;
    static constexpr std::size_t most_commands = 1U << 16U;
    static constexpr std::size_t copy_engines = 2;
    std::array<Line, copy_engines> copies_;
    std::vector<EndedCommand> ended_;
};

}  // namespace sassafras::cudart
