// The longest loop on this machine that is not a simulation: n^3 steps. Compiled for speed, which its driver is not.
#include <algorithm>
#include <cmath>

#include "workloads/gemm/gemm.hpp"

namespace sassafras::workloads::gemm {

std::vector<float> reference(const std::vector<float>& a, const std::vector<float>& b, Shape shape,
                             const HostPoll& poll) {
    std::vector<float> c(shape.rows * shape.columns, 0.0F);
    // A slab of B's rows and a stretch of its columns stay in the cache while all of A passes by; k still ascends for
    // every element.
    constexpr std::size_t stretch = 512;
    constexpr std::size_t slab = 128;
    for (std::size_t first_column = 0; first_column < shape.columns; first_column += stretch)
        for (std::size_t first = 0; first < shape.inner; first += slab) {
            if (poll) poll();
            for (std::size_t row = 0; row < shape.rows; ++row)
                for (std::size_t k = first; k < std::min(first + slab, shape.inner); ++k) {
                    const float factor = a[row * shape.inner + k];
                    const float* from = b.data() + k * shape.columns;
                    float* sums = c.data() + row * shape.columns;
                    const std::size_t end = std::min(first_column + stretch, shape.columns);
                    for (std::size_t column = first_column; column < end; ++column)
                        sums[column] = std::fma(factor, from[column], sums[column]);
                }
        }
    return c;
}

}  // namespace sassafras::workloads::gemm
