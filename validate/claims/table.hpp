// The claims, by source. Criteria stand here before anything is evaluated; what comes out is in docs/claims.md.
//
// Sizes are those that a simulator runs in seconds; each test says its own. docs/claims.md explains how machines are
// chosen, and what a verdict means.
#pragma once

#include <vector>

#include "validate/claims/claim.hpp"

namespace sassafras::validate::claims {

/// B. Karsin, "A performance model for GPU architectures: analysis and design of fundamental algorithms" (University of
/// Hawaii at Manoa, 2018); pages as its table of contents has them.
void add_karsin_machines(std::vector<Claim>& claims);       ///< chapters 1 and 4
void add_karsin_gemm(std::vector<Claim>& claims);           ///< chapter 5: times
void add_karsin_gemm_counts(std::vector<Claim>& claims);    ///< chapter 5: counts
void add_karsin_search(std::vector<Claim>& claims);         ///< chapter 6: times
void add_karsin_search_counts(std::vector<Claim>& claims);  ///< chapter 6: accesses and conflicts
void add_karsin_mergesort(std::vector<Claim>& claims);      ///< 7.1, 7.2
void add_karsin_multiway(std::vector<Claim>& claims);       ///< 7.3, 7.4
void add_karsin_comparators(std::vector<Claim>& claims);    ///< 7.4: sorts that are no workload
void add_karsin_sort_counts(std::vector<Claim>& claims);    ///< chapter 7: accesses, memory, formulas
/// B. Karsin, V. Weichert, H. Casanova, J. Iacono, N. Sitchinava, "Analysis-driven engineering of comparison-based
/// sorting algorithms on GPUs" (ICS 2018, slides).
void add_slides(std::vector<Claim>& claims);
/// J. Lv, "Parallel merge for many-core architectures" (University of Illinois, 2016).
void add_lv(std::vector<Claim>& claims);
void add_lv_counts(std::vector<Claim>& claims);
/// A. S. Gehrke, "A framework for performance tuning and analysis on parallel computing platforms" (University of
/// Colorado Denver, 2015).
void add_gehrke(std::vector<Claim>& claims);           ///< speed-ups
void add_gehrke_tables(std::vector<Claim>& claims);    ///< verdicts and figures of its tables
void add_gehrke_machines(std::vector<Claim>& claims);  ///< peaks, ceilings, rates
/// N. Sitchinava, V. Weichert, "Provably efficient GPU algorithms" (poster at MADALGO, 2013).
void add_poster(std::vector<Claim>& claims);

[[nodiscard]] std::vector<Claim> all_claims();

}  // namespace sassafras::validate::claims
