// What `sassafras microbench` measured, in the forms in which it is printed.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "workloads/micro/micro.hpp"

namespace sassafras::cli {

struct MicrobenchReport {
    std::vector<std::string> command;  ///< as recorded_command makes it
    std::string device;
    nlohmann::ordered_json platform;  ///< name, hash, resolved
    std::vector<workloads::micro::Row> rows;
};

/// For people: rows in the order in which they were measured.
[[nodiscard]] std::string to_table(const MicrobenchReport& report);

/// A line of column names (name, parameter, value, unit), then a line a row, every field quoted.
[[nodiscard]] std::string to_csv(const MicrobenchReport& report);

/// Two spaces of indentation and a newline at the end; nothing in it differs between two runs of a modelled GPU.
[[nodiscard]] std::string to_json(const MicrobenchReport& report);

}  // namespace sassafras::cli
