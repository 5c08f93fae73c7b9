// Streams whose work a test puts, and then lets come to its end. Times are nanoseconds.
#pragma once

#include <map>

#include "cudart/streams.hpp"

namespace sassafras::cudart {

/// Many of them find places beside each other.
inline Work kernel_of_one_block(double nanoseconds) {
    Work kernel{Engine::kernels, nanoseconds};
    kernel.load.sms = 100;
    kernel.load.block_takes = {0.1, 0.1, 0.1, 0.1};
    return kernel;
}

struct StreamsFixture {
    Streams streams;
    Stream& legacy = streams.legacy();
    Stream& blocking = streams.add(Stream::Kind::blocking, 0);
    Stream& other = streams.add(Stream::Kind::blocking, 0);
    Stream& alone = streams.add(Stream::Kind::non_blocking, 0);
    Stream& thread = streams.of_thread(0);
    std::map<CommandId, EndedCommand> ended;

    CommandId copy(Stream& stream, double length) { return streams.put(stream, {Engine::to_device, length}); }
    CommandId back(Stream& stream, double length) { return streams.put(stream, {Engine::to_host, length}); }
    CommandId event(Stream& stream) { return streams.put(stream, {Engine::last, 1}); }
    CommandId kernel(Stream& stream, double length) { return streams.put(stream, {Engine::kernels, length}); }
    CommandId record(Stream& stream, Event& event, double length) {
        streams.record(stream, event, {Engine::commands, length});
        return event.record;
    }

    /// All that was put comes to its end.
    void run() {
        streams.run_to_end();
        for (const EndedCommand& command : streams.take_ended()) ended[command.command] = command;
    }
    double end(CommandId command) { return ended.at(command).end; }
    double begin(CommandId command) { return ended.at(command).begin; }
};

}  // namespace sassafras::cudart
