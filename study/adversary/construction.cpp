#include "study/adversary/construction.hpp"

#include "study/adversary/constructions.hpp"

namespace sassafras::study::adversary {

Error no_construction(const std::string& workload, const std::string& variant) {
    return {ErrorKind::bad_input, "no construction is known", workload + (variant.empty() ? "" : " " + variant),
            "search for an input with --metric, for example "
            "--metric l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"};
}

Result<Construction> construct(const workloads::WorkloadRequest& request, Goal goal, std::uint32_t w) {
    if (const auto found = workloads::find(request.name); !found) return found.error();
    if (request.keys || request.wide_keys)
        return Error{ErrorKind::bad_input, "a construction begins from no input", request.name,
                     "leave --input out, or search from it with --metric"};
    if (request.name == "sort") return construct_sort(request, goal, w);
    if (w != 32)
        return Error{ErrorKind::bad_input, "only the mergesort's construction is for other machines than w = 32",
                     request.name, "leave --w out"};
    if (request.name == "search") return construct_search(request, goal);
    if (request.name == "merge") return construct_merge(request, goal);
    return no_construction(request.name, request.variant);
}

}  // namespace sassafras::study::adversary
