// What a GPU and its driver refuse, grant and say of themselves: limits of launches, of textures and of what a program
// can ask cudaDeviceSetLimit for. They decide whether something runs, never what it computes or how long it takes.
#pragma once

#include <cstdint>

namespace sassafras::sim {

/// Greatest extents in texels, and alignments. The model has no textures; programs ask for these all the same.
struct TextureLimits {
    std::uint32_t width_1d{};
    std::uint32_t width_2d{};
    std::uint32_t height_2d{};
    std::uint32_t width_3d{};
    std::uint32_t height_3d{};
    std::uint32_t depth_3d{};
    std::uint32_t layered_width_2d{};
    std::uint32_t layered_height_2d{};
    std::uint32_t layers_2d{};
    std::uint32_t layered_width_1d{};
    std::uint32_t layers_1d{};
    std::uint32_t gather_width_2d{};
    std::uint32_t gather_height_2d{};
    std::uint32_t linear_width_1d{};
    std::uint32_t linear_width_2d{};
    std::uint32_t linear_height_2d{};
    std::uint32_t linear_pitch_bytes{};
    std::uint32_t alignment_bytes{};
    std::uint32_t pitch_alignment_bytes{};
    std::uint32_t surface_alignment_bytes{};
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        constexpr std::uint32_t most = 1U << 30U;
        v.integer("width_1d", self.width_1d, 1, most, "texels of a one-dimensional texture");
        v.integer("width_2d", self.width_2d, 1, most, "of a two-dimensional one, along x");
        v.integer("height_2d", self.height_2d, 1, most, "along y");
        v.integer("width_3d", self.width_3d, 1, most, "of a three-dimensional one, along x");
        v.integer("height_3d", self.height_3d, 1, most, "along y");
        v.integer("depth_3d", self.depth_3d, 1, most, "along z");
        v.integer("layered_width_2d", self.layered_width_2d, 1, most, "of a layered two-dimensional one, along x");
        v.integer("layered_height_2d", self.layered_height_2d, 1, most, "along y");
        v.integer("layers_2d", self.layers_2d, 1, most, "its layers");
        v.integer("layered_width_1d", self.layered_width_1d, 1, most, "of a layered one-dimensional one");
        v.integer("layers_1d", self.layers_1d, 1, most, "its layers");
        v.integer("gather_width_2d", self.gather_width_2d, 1, most,
                  "of a two-dimensional one that is gathered from, along x");
        v.integer("gather_height_2d", self.gather_height_2d, 1, most, "along y");
        v.integer("linear_width_1d", self.linear_width_1d, 1, most, "of a one-dimensional one in linear memory");
        v.integer("linear_width_2d", self.linear_width_2d, 1, most,
                  "of a two-dimensional one in linear memory, along x");
        v.integer("linear_height_2d", self.linear_height_2d, 1, most, "along y");
        v.integer("linear_pitch_bytes", self.linear_pitch_bytes, 1, most, "its longest row");
        v.integer("alignment_bytes", self.alignment_bytes, 1, most, "of the address of a texture");
        v.integer("pitch_alignment_bytes", self.pitch_alignment_bytes, 1, most,
                  "of the rows of a texture in linear memory");
        v.integer("surface_alignment_bytes", self.surface_alignment_bytes, 1, most, "of the address of a surface");
    }
};

struct LimitsParameters {
    std::uint32_t max_grid_x{};
    std::uint32_t max_grid_y{};
    std::uint32_t max_grid_z{};
    std::uint32_t max_block_x{};
    std::uint32_t max_block_y{};
    std::uint32_t max_block_z{};
    std::uint32_t standard_shared_per_block_bytes{};
    std::uint32_t registers_per_block{};
    std::uint32_t constant_bytes{};
    std::uint32_t pitch_bytes{};
    std::uint32_t pitch_alignment_bytes{};
    std::uint32_t copy_engines{};
    std::uint32_t stream_priorities{};
    std::uint32_t stack_unit_bytes{};
    std::uint32_t most_stack_bytes{};
    std::uint32_t printf_buffer_bytes{};
    std::uint32_t printf_buffer_unit_bytes{};
    std::uint32_t least_printf_buffer_bytes{};
    std::uint32_t most_printf_buffer_bytes{};
    std::uint32_t malloc_heap_unit_bytes{};
    std::uint32_t least_malloc_heap_bytes{};
    std::uint32_t pending_launches{};
    std::uint32_t l2_fetch_bytes{};
    std::uint32_t most_l2_fetch_bytes{};
    double most_malloc_heap_bytes{};
    TextureLimits textures;
    template <class Self, class Visitor>
    static void visit(Self& self, Visitor& v) {
        constexpr std::uint32_t most = 0xffffffffU;
        v.integer("max_grid_x", self.max_grid_x, 1, 1U << 31U, "blocks of a grid along x");
        v.integer("max_grid_y", self.max_grid_y, 1, 1U << 31U, "blocks of a grid along y");
        v.integer("max_grid_z", self.max_grid_z, 1, 1U << 31U, "blocks of a grid along z");
        v.integer("max_block_x", self.max_block_x, 1, 4096, "threads of a block along x");
        v.integer("max_block_y", self.max_block_y, 1, 4096, "threads of a block along y");
        v.integer("max_block_z", self.max_block_z, 1, 4096, "threads of a block along z");
        v.integer("standard_shared_per_block_bytes", self.standard_shared_per_block_bytes, 0, 1U << 28U,
                  "shared memory that a block may have without asking for more");
        v.integer("registers_per_block", self.registers_per_block, 1024, 1U << 24U,
                  "32-bit registers of a block, at most");
        v.integer("constant_bytes", self.constant_bytes, 0, 1U << 30U, "constant memory of a module");
        v.integer("pitch_bytes", self.pitch_bytes, 1, most, "longest row of a pitched copy");
        v.integer("pitch_alignment_bytes", self.pitch_alignment_bytes, 1, 65536,
                  "cudaMallocPitch makes rows a multiple of this");
        v.integer("copy_engines", self.copy_engines, 0, 64, "copies that go on at a time, beside kernels");
        v.integer("stream_priorities", self.stream_priorities, 1, 64, "priorities that streams can have");
        v.integer("stack_unit_bytes", self.stack_unit_bytes, 1, 65536, "the stack of a thread is a multiple of this");
        v.integer("most_stack_bytes", self.most_stack_bytes, 0, 1U << 30U,
                  "stack of a thread, at most; the driver has what is above it");
        v.integer("printf_buffer_bytes", self.printf_buffer_bytes, 0, most,
                  "of printf() in kernels, unless a program asks for another size");
        v.integer("printf_buffer_unit_bytes", self.printf_buffer_unit_bytes, 1, 1U << 30U,
                  "its size is a multiple of this");
        v.integer("least_printf_buffer_bytes", self.least_printf_buffer_bytes, 0, most,
                  "of what a program can ask for, the least that is granted");
        v.integer("most_printf_buffer_bytes", self.most_printf_buffer_bytes, 0, most, "and the most");
        v.integer("malloc_heap_unit_bytes", self.malloc_heap_unit_bytes, 1, 1U << 30U,
                  "the heap of malloc() in kernels is a multiple of this");
        v.integer("least_malloc_heap_bytes", self.least_malloc_heap_bytes, 0, most,
                  "the smallest such heap that is granted");
        v.integer("pending_launches", self.pending_launches, 0, most,
                  "launches of kernels by kernels that may wait, unless a program asks for another number");
        v.integer("l2_fetch_bytes", self.l2_fetch_bytes, 0, most,
                  "what L2 fetches at a time, unless a program asks for another size");
        v.integer("most_l2_fetch_bytes", self.most_l2_fetch_bytes, 0, most, "of what a program can ask for, the most");
        v.number("most_malloc_heap_bytes", self.most_malloc_heap_bytes, 0, 9223372036854775808.0,
                 "the largest such heap that is granted");
        v.group("textures", self.textures);
    }
};

}  // namespace sassafras::sim
