#include "sim/formats/accel_sim/folders.hpp"

#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "sim/formats/accel_sim/kernel_export.hpp"
#include "sim/formats/accel_sim/kernel_import.hpp"
#include "sim/formats/accel_sim/kernels_list.hpp"
#include "sim/formats/trace_file/file_trace_source.hpp"
#include "sim/formats/trace_file/new_trace_folder.hpp"

namespace sassafras::sim::accel_sim {

namespace {

Error cannot_write(const std::string& path) {
    return {ErrorKind::bad_input, "cannot write the trace", path, "check the disk, or choose another folder"};
}

}  // namespace

Result<TraceFolder> import_folder(const std::string& list, const std::string& to) {
    auto kernels = open_kernels_list(list);
    if (!kernels) return kernels.error();
    auto place = NewTraceFolder::make(to);
    if (!place) return place.error();
    TraceFolder folder;
    folder.path = to;
    ImportFindings findings;
    for (const std::string& path : (*kernels).traces) {
        auto launch = import_kernel([&path] { return LineReader::open(path); }, to, folder.launches.size(), findings);
        if (!launch) return launch.error();
        folder.launches.push_back(std::move(*launch));
    }
    folder.cannot_tell = findings.cannot_tell();
    folder.workload = {{"imported", "accel-sim"},
                       {"list", list},
                       {"tracer_versions", findings.versions},
                       {"binary_versions", findings.binaries},
                       {"copies_from_host", (*kernels).copies}};
    if (auto written = write_trace_folder(folder); !written) return written.error();
    place->keep();
    return folder;
}

Result<void> export_folder(const TraceFolder& from, const std::string& to) {
    if (from.is_imported())
        return Error{ErrorKind::bad_input, "this was imported, and has less than the traces it was made of", from.path,
                     "give those to Accel-Sim, or export what trace capture wrote"};
    auto place = NewTraceFolder::make(to);
    if (!place) return place.error();
    std::string list;
    for (std::size_t i = 0; i < from.launches.size(); ++i) {
        const TracedLaunch& launch = from.launches[i];
        const std::string origin = from.path_of(launch);
        auto reader = TraceFileReader::open(origin);
        if (!reader) return reader.error();
        if ((*reader).checksum() != launch.checksum)
            return Error{ErrorKind::bad_input, "this is not the trace that the folder's index names", origin,
                         "the file was exchanged; capture it again"};
        const std::string name = fmt::format("kernel-{}.traceg", i + 1);
        const std::string path = to + "/" + name;
        std::ofstream text(path, std::ios::binary | std::ios::trunc);
        FileTraceSource source(std::move(*reader));
        if (auto done = export_kernel(source, i + 1, text); !done) {
            Error error = done.error();
            if (error.where.empty()) error.where = origin;
            return error;
        }
        text.flush();
        if (!text) return cannot_write(path);
        list += name + "\n";
    }
    const std::string path = to + "/kernelslist.g";
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << list;
    file.flush();
    if (!file) return cannot_write(path);
    place->keep();
    return {};
}

}  // namespace sassafras::sim::accel_sim
