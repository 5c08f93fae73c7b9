// The events of a timeline file, bounded in number.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/json_text.hpp"

namespace sassafras::cli {

/// A track: Trace Event's process and thread.
struct Track {
    std::uint64_t process = 0;
    std::uint64_t thread = 0;
};

/// Times are nanoseconds and are written as microseconds with whole nanoseconds, so that what touches still touches.
class TimelineEvents {
  public:
    using Json = nlohmann::ordered_json;
    explicit TimelineEvents(std::uint64_t most) : most_(most) {}

    void name_process(std::uint64_t process, const std::string& name, std::uint64_t place) {
        meta({process, 0}, "process_name", {{"name", name}});
        meta({process, 0}, "process_sort_index", {{"sort_index", place}});
    }
    void name_thread(Track track, const std::string& name) {
        meta(track, "thread_name", {{"name", name}});
        meta(track, "thread_sort_index", {{"sort_index", track.thread}});
    }
    void span(Track track, const char* category, const std::string& name, double begin, double end, Json arguments) {
        const double first = std::round(begin);
        event({{"ph", "X"},
               {"cat", category},
               {"name", name},
               {"pid", track.process},
               {"tid", track.thread},
               {"ts", first / 1000},
               {"dur", (std::round(end) - first) / 1000},
               {"args", std::move(arguments)}});
    }
    /// One that may overlap others of its track: two events.
    void free_span(Track track, const char* category, const std::string& name, double begin, double end,
                   const Json& arguments) {
        const std::uint64_t id = ++ids_;
        for (const bool is_begin : {true, false})
            event({{"ph", is_begin ? "b" : "e"},
                   {"cat", category},
                   {"name", name},
                   {"id", id},
                   {"pid", track.process},
                   {"tid", track.thread},
                   {"ts", std::round(is_begin ? begin : end) / 1000},
                   {"args", is_begin ? arguments : Json::object()}},
                  2, is_begin);
    }
    void moment(Track track, const char* category, const std::string& name, double time, Json arguments) {
        event({{"ph", "i"},
               {"cat", category},
               {"name", name},
               {"pid", track.process},
               {"tid", track.thread},
               {"ts", std::round(time) / 1000},
               {"s", "t"},
               {"args", std::move(arguments)}});
    }
    void counter(std::uint64_t process, const std::string& name, double time, Json values) {
        event({{"ph", "C"},
               {"cat", "counter"},
               {"name", name},
               {"pid", process},
               {"tid", 0},
               {"ts", std::round(time) / 1000},
               {"args", std::move(values)}});
    }

    [[nodiscard]] bool is_full() const { return events_ >= most_; }
    void leave_out(std::uint64_t more) { left_out_ += more; }
    [[nodiscard]] std::uint64_t events() const { return events_; }
    [[nodiscard]] std::uint64_t left_out() const { return left_out_; }
    [[nodiscard]] const std::string& lines() const { return lines_; }

  private:
    void meta(Track track, const char* what, Json arguments) {
        line({{"ph", "M"},
              {"name", what},
              {"pid", track.process},
              {"tid", track.thread},
              {"args", std::move(arguments)}});
    }
    /// `together`: so many events are there or none; the room for them is asked for with the first.
    void event(const Json& json, std::uint64_t together = 1, bool is_first = true) {
        if (is_first) has_room_ = events_ + together <= most_;
        if (!has_room_) {
            ++left_out_;
            return;
        }
        ++events_;
        line(json);
    }
    void line(const Json& json) {
        lines_ += lines_.empty() ? "" : ",\n";
        lines_ += json_line(json);
    }

    std::uint64_t most_;
    std::uint64_t events_ = 0;
    std::uint64_t left_out_ = 0;
    std::uint64_t ids_ = 0;
    bool has_room_ = true;
    std::string lines_;
};

}  // namespace sassafras::cli
