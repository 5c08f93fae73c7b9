// The stencil of stencil.cu as the Parboil benchmarks have it, which Gehrke's thesis measures: indices of 32 bits, no shape compiled in.
// Roundings are those of stencil.cu.
#include "../address_halves.cuh"
#include "point.cuh"

__device__ inline int index_of(int nx, int ny, int x, int y, int z) { return x + nx * (y + ny * z); }

/// A thread a point; a block is a row without its last point, and its first thread does nothing.
extern "C" __global__ void stencil_parboil_base(const float* now, float* next, int nx, int ny, int /*nz*/, float c0, float c1) {
    const int x = static_cast<int>(threadIdx.x);
    const int y = static_cast<int>(blockIdx.x) + 1;
    const int z = static_cast<int>(blockIdx.y) + 1;
    if (x == 0) return;
    const float z_above = read(element(now, index_of(nx, ny, x, y, z + 1)));
    const float z_below = read(element(now, index_of(nx, ny, x, y, z - 1)));
    const float y_above = read(element(now, index_of(nx, ny, x, y + 1, z)));
    const float y_below = read(element(now, index_of(nx, ny, x, y - 1, z)));
    const unsigned long long centre = element(now, index_of(nx, ny, x, y, z));
    write(element(next, index_of(nx, ny, x, y, z)),
          point(z_above, z_below, y_above, y_below, read<1>(centre), read<-1>(centre), read(centre), c0, c1));
}

/// A block a column of the grid, two points to a thread along x; it climbs plane by plane, with the plane at hand in shared memory and those
/// above and below in registers. Neighbours outside the tile come from global memory.
extern "C" __global__ void stencil_parboil_tiled(const float* now, float* next, int nx, int ny, int nz, float c0, float c1) {
    extern __shared__ float plane[];
    const int across = static_cast<int>(blockDim.x);
    const int column = static_cast<int>(threadIdx.x);
    const int row = static_cast<int>(threadIdx.y);
    const int x[2] = {static_cast<int>(blockIdx.x) * across * 2 + column, static_cast<int>(blockIdx.x) * across * 2 + column + across};
    const int y = static_cast<int>(blockIdx.y) * static_cast<int>(blockDim.y) + row;
    const int place[2] = {column + row * across * 2, column + across + row * across * 2};
    plane[place[0]] = 0.0F;
    plane[place[1]] = 0.0F;
    __syncthreads();
    const bool exists[2] = {x[0] < nx && y < ny, x[1] < nx && y < ny};
    const bool inner[2] = {x[0] > 0 && y > 0 && x[0] < nx - 1 && y < ny - 1, y > 0 && x[1] < nx - 1 && y < ny - 1};
    const bool outermost[2] = {column == 0, column + across == across * 2 - 1};
    const bool first_row = row == 0;
    const bool last_row = row == static_cast<int>(blockDim.y) - 1;
    float below[2] = {0.0F, 0.0F};
    float above[2] = {0.0F, 0.0F};
#pragma unroll
    for (int i = 0; i < 2; ++i)
        if (exists[i]) {
            below[i] = read(element(now, index_of(nx, ny, x[i], y, 0)));
            plane[place[i]] = read(element(now, index_of(nx, ny, x[i], y, 1)));
        }
    __syncthreads();
    for (int z = 1; z < nz - 1; ++z) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            if (exists[i]) above[i] = read(element(now, index_of(nx, ny, x[i], y, z + 1)));
            if (!inner[i]) continue;
            const float y_above = last_row ? read(element(now, index_of(nx, ny, x[i], y + 1, z))) : plane[place[i] + 2 * across];
            const float y_below = first_row ? read(element(now, index_of(nx, ny, x[i], y - 1, z))) : plane[place[i] - 2 * across];
            const int outside = i == 0 ? -1 : 1;
            const float x_outside =
                outermost[i] ? read(element(now, index_of(nx, ny, x[i] + outside, y, z))) : plane[place[i] + outside];
            const float x_inside = plane[place[i] - outside];
            write(element(next, index_of(nx, ny, x[i], y, z)), point(above[i], below[i], y_above, y_below, i == 0 ? x_inside : x_outside,
                                                                      i == 0 ? x_outside : x_inside, plane[place[i]], c0, c1));
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            below[i] = plane[place[i]];
            plane[place[i]] = above[i];
        }
        __syncthreads();
    }
}
