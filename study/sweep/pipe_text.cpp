#include "study/sweep/pipe_text.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace sassafras::study::sweep {

namespace {

constexpr std::size_t pipe_piece_bytes = std::size_t{1} << 16U;

}  // namespace

Descriptor::~Descriptor() {
    if (number >= 0) close(number);
}

Result<Descriptor> PipeText::open() {
    constexpr int least_number = 10;  // none that the process which gets it gives a meaning
    const auto refused = [] {
        return Error{ErrorKind::check_failed, std::string("no pipe can be made: ") + std::strerror(errno), "pipe",
                     "run fewer at a time: --jobs; of open files there may be too few: ulimit -n"};
    };
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) return refused();
    const Descriptor given(ends[1]);
    reading_ = Descriptor(ends[0]);
    fcntl(reading_.number, F_SETFL, O_NONBLOCK);
    Descriptor writing(fcntl(given.number, F_DUPFD_CLOEXEC, least_number));
    if (writing.number < 0) return refused();
    return writing;
}

void PipeText::keep(const char* bytes, std::size_t count) {
    if (is_too_long_) return;
    text_.append(bytes, count);
    if (keeps_end_ && text_.size() > 2 * most_bytes_) text_.erase(0, text_.size() - most_bytes_);
    if (keeps_end_ || text_.size() <= most_bytes_) return;
    is_too_long_ = true;
    text_ = {};
}

void PipeText::read() {
    if (reading_.number < 0) return;
    std::vector<char> piece(pipe_piece_bytes);
    // A bounded number of pieces: a program that never ends to write must not keep the others waiting.
    constexpr int most_pieces = 64;
    for (int i = 0; i < most_pieces; ++i) {
        const ssize_t got = ::read(reading_.number, piece.data(), piece.size());
        if (got > 0)
            keep(piece.data(), static_cast<std::size_t>(got));
        else if (got < 0 && errno == EINTR)
            continue;
        else if (got < 0 && errno == EAGAIN)
            return;
        else {
            reading_ = Descriptor();
            return;
        }
    }
}

std::string PipeText::take() {
    if (keeps_end_ && text_.size() > most_bytes_) text_.erase(0, text_.size() - most_bytes_);
    return std::move(text_);
}

}  // namespace sassafras::study::sweep
