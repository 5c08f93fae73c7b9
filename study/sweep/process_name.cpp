#include "study/sweep/process_name.hpp"

#include <unistd.h>

namespace sassafras::study::sweep {

std::string host_name() {
    char name[256] = {};
    return gethostname(name, sizeof name - 1) == 0 ? name : "host";
}

std::string process_name() { return host_name() + "-" + std::to_string(getpid()); }

}  // namespace sassafras::study::sweep
