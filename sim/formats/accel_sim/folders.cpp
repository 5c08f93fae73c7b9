#include "sim/formats/accel_sim/folders.hpp"

#include <fcntl.h>

#include <cerrno>
#include <utility>

#include <fmt/format.h>

#include "core/file_writer.hpp"
#include "sim/formats/accel_sim/kernel_export.hpp"
#include "sim/formats/accel_sim/kernel_import.hpp"
#include "sim/formats/accel_sim/kernels_list.hpp"
#include "sim/formats/trace_file/file_trace_source.hpp"
#include "sim/formats/trace_file/new_trace_folder.hpp"

namespace sassafras::sim::accel_sim {

namespace {

FileWriter make_file(const std::string& path) {
    const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return FileWriter(descriptor, descriptor < 0 ? errno : 0);
}

Result<void> end_file(FileWriter& file, const std::string& path) {
    if (file.close()) return {};
    return cannot_write("the trace", path, file.error_number(), "choose another folder");
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
        FileWriter text = make_file(path);
        const auto write = [&text](std::string_view more) { static_cast<void>(text.write(more)); };
        FileTraceSource source(std::move(*reader));
        if (auto done = export_kernel(source, i + 1, write); !done) {
            Error error = done.error();
            if (error.where.empty()) error.where = origin;
            return error;
        }
        if (auto done = end_file(text, path); !done) return done;
        list += name + "\n";
    }
    const std::string path = to + "/kernelslist.g";
    FileWriter file = make_file(path);
    static_cast<void>(file.write(list));
    if (auto done = end_file(file, path); !done) return done;
    place->keep();
    return {};
}

}  // namespace sassafras::sim::accel_sim
