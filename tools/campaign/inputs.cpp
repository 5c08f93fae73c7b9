#include "tools/campaign/inputs.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <zstd.h>

#include "cli/commands/command_line.hpp"
#include "core/array_file/npy_header.hpp"
#include "core/whole_file.hpp"
#include "isa/cubin/cubin.hpp"
#include "isa/cubin/fat_binary.hpp"
#include "tools/campaign/sealed_trace.hpp"

namespace sassafras::campaign {

namespace {

namespace files = std::filesystem;
using Words = std::vector<std::string>;
using Seeds = std::shared_ptr<const std::vector<Bytes>>;

constexpr std::uint64_t largest_seed = std::uint64_t{1} << 20U;
constexpr const char* few_instructions = "20000";

void write(const std::string& path, const Bytes& content) { std::ofstream(path, std::ios::binary) << content; }

/// Every file below `folder` whose name ends so, in order of their names.
Result<std::vector<Bytes>> seeds_below(const std::string& folder, std::string_view suffix) {
    std::vector<std::string> paths;
    for (const auto& entry : files::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && entry.path().string().ends_with(suffix) && entry.file_size() <= largest_seed)
            paths.push_back(entry.path().string());
    std::sort(paths.begin(), paths.end());
    std::vector<Bytes> seeds;
    for (const std::string& path : paths) {
        auto seed = read_whole_text(path, largest_seed);
        if (!seed) return seed.error();
        seeds.push_back(std::move(*seed));
    }
    if (seeds.empty())
        return Error{ErrorKind::bad_input, "no seed is there", folder + "/*" + std::string(suffix), "give --root"};
    return seeds;
}

Seeds shared(std::vector<Bytes> seeds) { return std::make_shared<const std::vector<Bytes>>(std::move(seeds)); }

const Bytes& any(const Seeds& seeds, SplitMix64& random) { return (*seeds)[below(random, seeds->size())]; }

Words words(std::initializer_list<std::string> given) { return given; }

std::string device(SplitMix64& random) { return below(random, 2) == 0 ? "functional" : "simulated"; }

/// A launch of one of the seed's kernels with arguments of the right sizes, in the damaged file.
Words launch_of(const Bytes& seed, const std::string& file, SplitMix64& random) {
    const auto cubin = isa::read_cubin(std::as_bytes(std::span(seed.data(), seed.size())), "seed");
    if (!cubin || cubin->kernels.empty()) return words({"disasm", file, "--control"});
    const isa::Kernel& kernel = cubin->kernels[below(random, cubin->kernels.size())];
    Words command = words({"launch", "--cubin", file, "--kernel", kernel.name, "--grid", "2", "--block", "64",
                           "--device", device(random), "--instruction-limit", few_instructions});
    if (below(random, 4) == 0) command.emplace_back("--check");
    for (const isa::KernelParameter& parameter : kernel.parameters) {
        command.emplace_back("--arg");
        command.emplace_back(parameter.size == 8 ? "buffer:4096" : "i32:64");
    }
    return command;
}

Kind cubins(Seeds seeds) {
    return {"cubin", [seeds](const std::string& folder, SplitMix64& random) {
                const Bytes& seed = any(seeds, random);
                Bytes bytes = seed;
                damage_bytes(bytes, *seeds, random);
                const std::string file = folder + "/k.cubin";
                write(file, bytes);
                if (below(random, 3) == 0) return Trial{words({"disasm", file}), {}};
                return Trial{launch_of(seed, file, random), {}};
            }};
}

template <class T>
void put(Bytes& bytes, std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

/// A container as nvcc writes it, of one entry, plain or compressed with zstd.
Bytes fat_binary_of(const Bytes& cubin, bool compressed) {
    Bytes payload = cubin;
    if (compressed) {
        payload.resize(ZSTD_compressBound(cubin.size()));
        payload.resize(ZSTD_compress(payload.data(), payload.size(), cubin.data(), cubin.size(), 3));
    }
    const std::size_t bytes = payload.size();
    payload.resize((bytes + 7) / 8 * 8);
    Bytes all(16 + 64, '\0');
    put(all, 0, std::uint32_t{0xba55ed50});
    put(all, 4, std::uint16_t{1});
    put(all, 6, std::uint16_t{16});
    put(all, 8, std::uint64_t{64 + payload.size()});
    put(all, 16, std::uint16_t{2});
    put(all, 20, std::uint32_t{64});
    put(all, 24, std::uint64_t{payload.size()});
    put(all, 32, static_cast<std::uint32_t>(compressed ? bytes : 0));
    put(all, 44, std::uint32_t{90});
    put(all, 56, std::uint64_t{compressed ? 0x8000U : 0U});
    put(all, 72, std::uint64_t{compressed ? cubin.size() : 0});
    return all + payload;
}

/// What the runtime library does with a program's device code.
int read_fat_binary(const Bytes& bytes) {
    const auto all = std::as_bytes(std::span(bytes.data(), bytes.size()));
    const auto entries = isa::read_fat_binary(all, "damaged");
    if (!entries) return entries.error().exit_status();
    const isa::FatEntry* best = isa::best_cubin(*entries, 90);
    if (best == nullptr) return isa::no_cubin(*entries, 90, "damaged").exit_status();
    const auto cubin = isa::unpack(*best, "damaged");
    if (!cubin) return cubin.error().exit_status();
    const auto read = isa::read_cubin(*cubin, "damaged");
    return read ? 0 : read.error().exit_status();
}

Kind fat_binaries(const Seeds& cubins) {
    std::vector<Bytes> seeds;
    for (const Bytes& cubin : *cubins)
        for (const bool compressed : {false, true}) seeds.push_back(fat_binary_of(cubin, compressed));
    return {"fat_binary", [seeds = shared(std::move(seeds))](const std::string&, SplitMix64& random) {
                Bytes bytes = any(seeds, random);
                damage_bytes(bytes, *seeds, random);
                return Trial{{}, [bytes = std::move(bytes)] { return read_fat_binary(bytes); }};
            }};
}

Words command_of_trace(const std::string& folder, SplitMix64& random) {
    switch (below(random, 4)) {
        case 0: return words({"trace", "info", folder});
        case 1: return words({"trace", "replay", folder, "--device", "functional"});
        case 2: return words({"trace", "export", folder, "--format", "accel-sim", "-o", folder + "/out"});
        default: return words({"trace", "replay", folder, "--device", "simulated"});
    }
}

Bytes index_for(const Bytes& trace) {
    return seal_index(
        fmt::format("{{\n  \"sassafras_trace\": 1,\n  \"workload\": {{\"name\": \"x\"}},\n"
                    "  \"verified\": true,\n  \"launches\": [{{\"file\": \"0.sft\", \"kernel\": \"k\", "
                    "\"warp_instructions\": 1, \"clock_reads\": 0, \"bytes\": {}, "
                    "\"checksum\": \"{:016x}\"}}],\n",
                    trace.size(), checksum_in(trace)));
}

Kind traces(Seeds seeds) {
    return {"trace", [seeds](const std::string& folder, SplitMix64& random) {
                Bytes bytes = any(seeds, random);
                if (below(random, 4) == 0)
                    damage_bytes(bytes, *seeds, random);
                else
                    bytes = damage_sealed(bytes, *seeds, random);
                write(folder + "/0.sft", bytes);
                write(folder + "/index.json", index_for(bytes));
                return Trial{command_of_trace(folder, random), {}};
            }};
}

Kind indices(Seeds seeds, Seeds traces) {
    return {"index", [seeds, traces](const std::string& folder, SplitMix64& random) {
                const Bytes& trace = traces->front();
                write(folder + "/0.sft", trace);
                Bytes text = below(random, 2) == 0 ? index_for(trace) : any(seeds, random);
                damage_json(text, *seeds, random);
                write(folder + "/index.json", below(random, 8) == 0 ? text : seal_index(text));
                return Trial{command_of_trace(folder, random), {}};
            }};
}

Kind json_files(std::string name, Seeds seeds, std::function<Words(const std::string&, SplitMix64&)> command) {
    return {std::move(name), [seeds, command](const std::string& folder, SplitMix64& random) {
                Bytes text = any(seeds, random);
                damage_json(text, *seeds, random);
                const std::string file = folder + "/damaged.json";
                write(file, text);
                return Trial{command(file, random), {}};
            }};
}

Kind arrays() {
    std::vector<Bytes> seeds;
    for (const ElementTypeNames& type : element_types)
        for (const std::uint64_t count : {0U, 7U, 1000U}) {
            const auto header = make_npy_header(type.type, count);
            Bytes all(reinterpret_cast<const char*>(header.data()), header.size());
            SplitMix64 values(count);
            for (std::uint64_t i = 0; i < count * bytes_of(type.type); ++i)
                all += static_cast<char>(i % bytes_of(type.type) == 0 ? values.next() : 0);
            seeds.push_back(std::move(all));
        }
    return {"npy", [seeds = shared(std::move(seeds))](const std::string& folder, SplitMix64& random) {
                Bytes bytes = any(seeds, random);
                damage_bytes(bytes, *seeds, random);
                const std::string file = folder + "/damaged.npy";
                write(file, bytes);
                if (below(random, 3) == 0)
                    return Trial{words({"best-case", "permutation", "--input", file, "-o", folder + "/out.csv"}), {}};
                return Trial{words({"run", "sort", "--input", file, "--device", "functional"}), {}};
            }};
}

Kind accel_sim(Seeds seeds) {
    return {"accel_sim", [seeds](const std::string& folder, SplitMix64& random) {
                Bytes text = any(seeds, random);
                damage_text(text, *seeds, random);
                Bytes list = "kernel-1.traceg\n";
                if (below(random, 10) == 0) damage_text(list, *seeds, random);
                write(folder + "/kernel-1.traceg", text);
                write(folder + "/kernelslist.g", list);
                return Trial{words({"trace", "import", folder + "/kernelslist.g", "-o", folder + "/out"}), {}};
            }};
}

int run(Words command) {
    command.insert(command.begin(), "sassafras");
    std::vector<char*> arguments;
    for (std::string& word : command) arguments.push_back(word.data());
    return cli::run_command_line(static_cast<int>(arguments.size()), arguments.data());
}

/// Small traces, ours and Accel-Sim's, made by the commands that make them.
Result<void> make_traces(const std::string& scratch) {
    for (const char* const workload : {"merge", "search", "sort", "scan"}) {
        const std::string ours = fmt::format("{}/{}", scratch, workload);
        if (run({"trace", "capture", workload, "--n", "300", "-o", ours}) != 0 ||
            run({"trace", "export", ours, "--format", "accel-sim", "-o", ours + "-text"}) != 0)
            return Error{ErrorKind::bad_input, "cannot make a trace", ours, "see what the command says"};
    }
    return {};
}

}  // namespace

Result<std::vector<Kind>> all_kinds(const std::string& root, const std::string& scratch) {
    if (auto made = make_traces(scratch); !made) return made.error();
    std::vector<Seeds> seeds;
    const std::vector<std::pair<std::string, std::string>> places = {{root + "/tests/fixtures", ".cubin"},
                                                                     {scratch, ".sft"},
                                                                     {scratch, "index.json"},
                                                                     {root + "/configs/platforms", ".json"},
                                                                     {root + "/validate", "spt_instance.json"},
                                                                     {scratch, ".traceg"}};
    for (const auto& [folder, suffix] : places) {
        auto found = seeds_below(folder, suffix);
        if (!found) return found.error();
        seeds.push_back(shared(std::move(*found)));
    }
    std::vector<Bytes> code = *seeds[0];
    if (auto more = seeds_below(root + "/workloads", ".cubin")) code.insert(code.end(), more->begin(), more->end());
    const Seeds all_code = shared(std::move(code));
    return std::vector<Kind>{
        cubins(all_code),
        fat_binaries(all_code),
        traces(seeds[1]),
        indices(seeds[2], seeds[1]),
        json_files("platform", seeds[3],
                   [](const std::string& file, SplitMix64& random) {
                       return words({"run", "merge", "--n", "300", "--platform", file, "--device", device(random)});
                   }),
        json_files("instance", seeds[4],
                   [](const std::string& file, SplitMix64&) {
                       return words({"estimate", "merge", "--n", "300", "--instance", file});
                   }),
        arrays(),
        accel_sim(seeds[5])};
}

}  // namespace sassafras::campaign
