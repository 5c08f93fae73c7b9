// Streams, events and the host in simulated time: which work waits for which, by the rules of CUDA's legacy default
// stream, of streams that block and that do not, and of one default stream a host thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cudart/timeline.hpp"
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
    double ready = 0;                 ///< nanoseconds: when all work put into it so far has ended
    Engine engine = Engine::kernels;  ///< of its last work but events and waits
    std::string name = {};            ///< for people
    std::uint64_t made = 0;           ///< which of all streams, in the order in which they were made
    double woken = 0;                 ///< nanoseconds: when the last event was done that it had to wait for
    bool launched = false;            ///< its last work but events and waits was a launch
    double lost = 0;                  ///< nanoseconds, of its last kernel (KernelRoom::Span)
    double held_up = 0;               ///< nanoseconds: what else is late of a kernel that it puts right behind a wait
    double resumed = 0;               ///< nanoseconds: when it goes on behind that wait

    /// As Nsight Compute numbers them: the default stream is 7, the first that a program makes 13.
    [[nodiscard]] std::uint64_t number() const { return id == 0 ? sim::default_stream : id + 6; }
};

/// Behind a cudaEvent_t.
struct Event {
    double time = 0;  ///< nanoseconds: when it is recorded, which may be later than the host's time
    bool recorded = false;
    bool timing = true;
    std::uint64_t number = 0;   ///< of all that the program makes
    std::uint64_t waiters = 0;  ///< streams that had nothing else to do when it was done, since it was recorded
};

/// What a wait for an event that is not done costs a stream, in nanoseconds.
struct Waking {
    double alone = 0;
    double turn = 0;  ///< between two streams that wait for the same event
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
    Streams() {
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

    /// Work that the host puts into the stream now. Returns when it has ended.
    double put(Stream& stream, const Work& work);
    /// When a kernel begins that the host puts into the stream next.
    [[nodiscard]] double first_begin(const Stream& stream, const Work& work) const {
        return engines_.first_begin(earliest(stream), of_stream(stream, work));
    }
    /// When what was put last begins.
    [[nodiscard]] double begun() const { return engines_.begun(); }
    /// The stream waits for the event before its next work (cudaStreamWaitEvent). That costs nothing where the event is
    /// done when the host asks or when the stream comes to it. Else the stream is woken, and streams that wait for the
    /// same event one after the other: on an H200 the second goes on two turns after the first would alone, each
    /// further one a turn later (kernels_small.cu). The first is later then, too, by one or two; as its work has its
    /// place by then, kernels of the others have this delay, as far as they do not go on at their own pace at once.
    void wait(Stream& stream, Event& event, const Waking& waking = {});

    /// When all that a synchronisation with this stream waits for has ended: of the legacy stream, all that it waits
    /// for.
    [[nodiscard]] double end(const Stream& stream) const;
    void host_waits(double time);
    void host_waits_for_all();
    /// The host is busy itself.
    void host_spends(double nanoseconds);
    [[nodiscard]] double host() const { return host_; }
    /// The host asks whether what ends at `time` has ended. Hearing that it has not takes a microsecond, and twice as
    /// long each time in a row until the host puts work somewhere or waits, but never beyond `time`: a program that
    /// asks until it has ends.
    [[nodiscard]] bool ask(double time);
    /// How the host's time has passed since the last call; none of no length.
    [[nodiscard]] std::vector<HostSpan> take_host_spans() { return std::exchange(host_spans_, {}); }

  private:
    [[nodiscard]] double earliest(const Stream& stream) const;
    [[nodiscard]] Work of_stream(const Stream& stream, Work work) const;
    void has_got_later(const Stream& stream);
    void pass(double time, HostSpan::Kind kind);

    static constexpr double first_question = 1000;  ///< nanoseconds
    Timeline engines_;
    Stream legacy_;
    std::map<std::uint64_t, Stream> threads_;
    std::map<const Stream*, std::unique_ptr<Stream>> created_;
    double blocking_end_ = 0;  ///< when all work of all blocking streams has ended, also of those that are gone
    double last_end_ = 0;
    double host_ = 0;
    double question_ = first_question;
    std::vector<HostSpan> host_spans_;
    std::uint64_t next_id_ = 7;
    std::uint64_t streams_made_ = 1;  ///< the legacy stream is the first
};

}  // namespace sassafras::cudart
