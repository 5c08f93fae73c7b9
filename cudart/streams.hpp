// Streams, events and the host in simulated time: which work waits for which, by the rules of CUDA's legacy default
// stream, of streams that block and that do not, and of one default stream a host thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cudart/command_queues.hpp"
#include "sim/device/device.hpp"

namespace sassafras::cudart {

/// Behind a cudaStream_t.
struct Stream {
    enum class Kind : std::uint8_t {
        legacy,        ///< waits for all but non-blocking streams, and they for it
        blocking,      ///< cudaStreamDefault, and the default stream of a thread
        non_blocking,  ///< cudaStreamNonBlocking
    };
    Kind kind = Kind::blocking;
    int priority = 0;
    std::uint64_t id = 0;
    CommandId last = 0;               ///< of its work; 0: none
    Engine engine = Engine::kernels;  ///< of its last work but events and waits
    std::string name = {};            ///< for people
    std::uint64_t made = 0;           ///< which of all streams, in the order in which they were made
    bool launched = false;            ///< its last work but events and waits was a launch

    /// As Nsight Compute numbers them: the default stream is 7, the first that a program makes 13.
    [[nodiscard]] std::uint64_t number() const { return id == 0 ? sim::default_stream : id + 6; }
};

/// Behind a cudaEvent_t.
struct Event {
    bool timing = true;
    std::uint64_t number = 0;  ///< of all that the program makes
    CommandId record = 0;      ///< the last; 0: none
    std::uint64_t stream = 0;  ///< of that
};

/// Simulated time that passes for the host.
struct HostSpan {
    enum class Kind : std::uint8_t {
        waits,   ///< in synchronisations, and in calls that end when their work has ended
        copies,  ///< bytes, itself
        asks,    ///< whether something has ended, and hears that it has not
    };
    Kind kind = Kind::waits;
    double begin = 0;
    double end = 0;
};

class Streams {
  public:
    explicit Streams(std::size_t connections = CommandQueues::usual_connections) : queues_(connections) {
        legacy_.kind = Stream::Kind::legacy;
        legacy_.name = "default stream";
    }

    [[nodiscard]] Stream& legacy() { return legacy_; }
    /// cudaStreamPerThread of the thread of this number
    [[nodiscard]] Stream& of_thread(std::uint64_t thread);
    [[nodiscard]] Stream& add(Stream::Kind kind, int priority);
    [[nodiscard]] bool contains(const Stream* stream) const { return created_.contains(stream); }
    /// The stream goes; its work stays.
    void remove(const Stream* stream) { created_.erase(stream); }
    /// cudaDeviceReset: the host waits for everything, and all created streams go.
    void reset();

    /// Work that the host puts into the stream now. Where the stream has no room, the host first waits for it.
    CommandId put(Stream& stream, const Work& work);
    void record(Stream& stream, Event& event, const Work& work);
    /// The stream waits for the event before its next work (cudaStreamWaitEvent). That costs nothing where the event is
    /// done when the host asks or when the stream comes to it. Else the stream is woken, and streams that wait for the
    /// same event one after the other (kernels_small.cu).
    void wait(Stream& stream, const Event& event, const Waking& waking = {});
    /// When a kernel would begin that the host puts into the stream next, if it puts nothing elsewhere. Where very much
    /// is under way in several streams, it may be told too late.
    [[nodiscard]] double first_begin(const Stream& stream, const Work& work) { return next_begin(stream, work).time; }
    struct Begin {
        double time = 0;
        std::vector<CommandId> beside{};  ///< launches that run then, or are about to
    };
    /// The same, and beside which launches of other streams.
    [[nodiscard]] Begin next_begin(const Stream& stream, const Work& work);
    [[nodiscard]] bool others_under_way(const Stream& stream) const { return queues_.others_under_way(stream.made); }
    /// Before it all commands have ended.
    [[nodiscard]] CommandId oldest() const { return queues_.oldest(); }

    void host_waits(CommandId command);
    /// For all that a synchronisation with this stream waits for: of the legacy stream, all that it waits for.
    void host_waits(const Stream& stream);
    void host_waits_for_all();
    /// All work comes to its end, and the host has gone on without it: the last thing that is done here.
    void run_to_end();
    /// The host is busy itself.
    void host_spends(double nanoseconds);
    [[nodiscard]] double host() const { return host_; }
    /// The host asks whether it has ended. Hearing that it has not takes a microsecond, and twice as long each time in
    /// a row until the host puts work somewhere or waits, but never beyond its end: a program that asks until it has
    /// ends.
    [[nodiscard]] bool ask(CommandId command);
    [[nodiscard]] bool ask(const Stream& stream);
    /// Nanoseconds: when the event, which is done, was recorded.
    [[nodiscard]] double time_of(const Event& event) const;
    /// The event is not asked for any more.
    void forget(Event& event);
    /// What has ended since the last call, in that order.
    [[nodiscard]] std::vector<EndedCommand> take_ended();
    /// How the host's time has passed since the last call; none of no length.
    [[nodiscard]] std::vector<HostSpan> take_host_spans() { return std::exchange(host_spans_, {}); }

  private:
    [[nodiscard]] Command command(const Stream& stream, const Work& work) const;
    CommandId put(Stream& stream, Command command);
    [[nodiscard]] std::vector<CommandId> awaited_by(const Stream& stream) const;
    void collect();
    void pass(double time, HostSpan::Kind kind);

    static constexpr double first_question = 1000;  ///< nanoseconds
    CommandQueues queues_;
    /// These as far ahead as first_begin() has looked. What is put into another stream may begin there too late: then
    /// they are forgotten, as far as to look anew does not go through more than so many commands for each that was put.
    struct Ahead {
        std::uint64_t stream = 0;
        CommandQueues queues;
    };
    static constexpr std::size_t looked_through_each = 16;
    static constexpr std::size_t most_behind = 4096;  ///< commands that nobody has asked to look through
    std::optional<Ahead> ahead_;
    std::size_t may_look_through_ = 0;  ///< commands
    Stream legacy_;
    std::map<std::uint64_t, Stream> threads_;
    std::map<const Stream*, std::unique_ptr<Stream>> created_;
    std::map<std::uint64_t, CommandId> last_of_blocking_;  ///< streams, also of those that are gone, while it runs
    std::size_t blocking_under_way_ = 0;                   ///< of these, when they were looked through last
    std::map<CommandId, double> recorded_;                 ///< records that events may be asked for; 0: not done
    std::vector<EndedCommand> ended_;
    double host_ = 0;
    double question_ = first_question;
    std::vector<HostSpan> host_spans_;
    std::uint64_t next_id_ = 7;
    std::uint64_t streams_made_ = 1;  ///< the legacy stream is the first
};

}  // namespace sassafras::cudart
