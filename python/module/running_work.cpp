#include "python/module/running_work.hpp"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace sassafras::python {

namespace {

struct WorkList {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<RunningWork*> works;
    std::optional<std::thread::id> ender;
};

WorkList& work_list() {
    static WorkList list;
    return list;
}

}  // namespace

RunningWork::RunningWork() : process_(getpid()) {
    WorkList& list = work_list();
    const std::lock_guard lock(list.mutex);
    list.works.push_back(this);
}

void RunningWork::has_ended() {
    WorkList& list = work_list();
    const std::lock_guard lock(list.mutex);
    if (std::erase(list.works, this) != 0) list.changed.notify_all();
}

void end_running_work() {
    WorkList& list = work_list();
    std::unique_lock lock(list.mutex);
    list.ender = std::this_thread::get_id();
    std::erase_if(list.works, [](const RunningWork* work) { return work->process_ != getpid(); });
    for (RunningWork* work : list.works) work->end();
    list.changed.wait(lock, [&] { return list.works.empty(); });
}

bool is_ended_by_another_thread() {
    WorkList& list = work_list();
    const std::lock_guard lock(list.mutex);
    return list.ender && *list.ender != std::this_thread::get_id();
}

}  // namespace sassafras::python
