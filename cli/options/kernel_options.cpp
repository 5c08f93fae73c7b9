#include "cli/options/kernel_options.hpp"

#include "cli/options/option_values.hpp"

namespace sassafras::cli {

void add_kernel_options(CLI::App& command, study::KernelOptions& options) {
    command
        .add_option("--cubin", options.cubin,
                    "file with the kernel: a cubin, a fat binary, or an object or program of nvcc")
        ->required();
    command.add_option("--kernel", options.kernel, "its name: scale, \"scale(float*, int)\", or mangled")->required();
    command.add_option("--grid", options.grid, "X,Y,Z blocks")->capture_default_str();
    command.add_option("--block", options.block, "X,Y,Z threads")->capture_default_str();
    command.add_option("--shared", options.shared, "bytes of dynamic shared memory")->transform(whole_number());
    command.add_flag("--cooperative", options.cooperative,
                     "all blocks are on the GPU at a time and may wait for one another (this_grid().sync())");
    command
        .add_option("--arg", options.arguments,
                    "one per parameter: i32:N u32:N i64:N u64:N f32:X f64:X buffer:BYTES[:zero|iota|random|file=FILE] "
                    "file:FILE; a buffer from a file holds its numbers, of .npy those behind the header, then zeros; "
                    "behind a buffer, :out=FILE.npy[:TYPE] writes it after the launch, as u4 (or what its input is), "
                    "i4, f4, u8, i8 or f8")
        ->take_all()
        ->expected(1)
        ->allow_extra_args(false);
}

}  // namespace sassafras::cli
