// One Jacobi iteration of the 7-point stencil on an nx x ny x nz grid, x fastest: next = c0 centre + c1 (sum of the six neighbours).
// Points on the surface are not written. The sum has one order everywhere (z+1, z-1, y+1, y-1, x+1, x-1) and the last addition is an FMA,
// so that both kernels and the CPU get the same bits.
#include "point.cuh"

struct Grid {
    int nx, ny, nz;
    __device__ long long at(int x, int y, int z) const { return (static_cast<long long>(z) * ny + y) * nx + x; }
};

/// A thread a point; a block is a run of points along x, the grid has one for each inner row.
extern "C" __global__ void stencil_base(const float* now, float* next, int nx, int ny, int nz, float c0, float c1) {
    const Grid grid{nx, ny, nz};
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y) + 1;
    const int z = static_cast<int>(blockIdx.z) + 1;
    if (x == 0 || x >= nx - 1) return;
    next[grid.at(x, y, z)] = point(now[grid.at(x, y, z + 1)], now[grid.at(x, y, z - 1)], now[grid.at(x, y + 1, z)], now[grid.at(x, y - 1, z)],
                                   now[grid.at(x + 1, y, z)], now[grid.at(x - 1, y, z)], now[grid.at(x, y, z)], c0, c1);
}

/// A block a 64 x 4 column of the grid, which it climbs plane by plane with the plane at hand in shared memory and those above and below in
/// registers. A thread has two points of a plane, 32 apart along x. Neighbours outside the tile come from global memory.
extern "C" __global__ void __launch_bounds__(128) stencil_tiled(const float* now, float* next, int nx, int ny, int nz, float c0, float c1) {
    constexpr int across = 32;  // threads of a block
    constexpr int down = 4;
    constexpr int points = 2;  // of a thread
    __shared__ float plane[down][across * points];
    const Grid grid{nx, ny, nz};
    const int column = static_cast<int>(threadIdx.x) % across;
    const int row = static_cast<int>(threadIdx.x) / across;
    const int y = static_cast<int>(blockIdx.y) * down + row;
    int x[points];
    bool exists[points];
    bool inner[points];
    float below[points];
    float above[points];
#pragma unroll
    for (int i = 0; i < points; ++i) {
        x[i] = static_cast<int>(blockIdx.x) * across * points + i * across + column;
        exists[i] = x[i] < nx && y < ny;
        inner[i] = x[i] > 0 && y > 0 && x[i] < nx - 1 && y < ny - 1;
        below[i] = exists[i] ? now[grid.at(x[i], y, 0)] : 0.0F;
        plane[row][i * across + column] = exists[i] ? now[grid.at(x[i], y, 1)] : 0.0F;
        above[i] = 0.0F;
    }
    __syncthreads();
    for (int z = 1; z < nz - 1; ++z) {
#pragma unroll
        for (int i = 0; i < points; ++i) {
            const int place = i * across + column;
            if (exists[i]) above[i] = now[grid.at(x[i], y, z + 1)];
            if (!inner[i]) continue;
            const float y_above = row == down - 1 ? now[grid.at(x[i], y + 1, z)] : plane[row + 1][place];
            const float y_below = row == 0 ? now[grid.at(x[i], y - 1, z)] : plane[row - 1][place];
            const float x_above = place == across * points - 1 ? now[grid.at(x[i] + 1, y, z)] : plane[row][place + 1];
            const float x_below = place == 0 ? now[grid.at(x[i] - 1, y, z)] : plane[row][place - 1];
            next[grid.at(x[i], y, z)] = point(above[i], below[i], y_above, y_below, x_above, x_below, plane[row][place], c0, c1);
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < points; ++i) {
            below[i] = plane[row][i * across + column];
            plane[row][i * across + column] = above[i];
        }
        __syncthreads();
    }
}
