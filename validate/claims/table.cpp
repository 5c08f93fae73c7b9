#include "validate/claims/table.hpp"

namespace sassafras::validate::claims {

std::vector<Claim> all_claims() {
    std::vector<Claim> claims;
    add_karsin_machines(claims);
    add_karsin_gemm(claims);
    add_karsin_gemm_counts(claims);
    add_karsin_search(claims);
    add_karsin_search_counts(claims);
    add_karsin_mergesort(claims);
    add_karsin_multiway(claims);
    add_karsin_comparators(claims);
    add_karsin_sort_counts(claims);
    add_slides(claims);
    add_lv(claims);
    add_lv_counts(claims);
    add_gehrke(claims);
    add_gehrke_tables(claims);
    add_gehrke_machines(claims);
    add_poster(claims);
    return claims;
}

}  // namespace sassafras::validate::claims
