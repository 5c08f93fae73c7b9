// A point of the stencil: the sum of its neighbours in one order, the last addition an FMA, in every kernel.
#pragma once

__device__ inline float point(float z_above, float z_below, float y_above, float y_below, float x_above, float x_below, float centre, float c0,
                              float c1) {
    float sum = __fadd_rn(z_above, z_below);
    sum = __fadd_rn(sum, y_above);
    sum = __fadd_rn(sum, y_below);
    sum = __fadd_rn(sum, x_above);
    sum = __fadd_rn(sum, x_below);
    return __fmaf_rn(c1, sum, __fmul_rn(c0, centre));
}
