// What read_cubin says of nvcc's cubins. The expected numbers come from readelf and from the sources in tests/fixtures.
#include "cubin_fixture.hpp"

using namespace sassafras;
using namespace sassafras::isa;
using test::fixture;
using test::kernel_of;

TEST_CASE("kernels are listed by name, with their code") {
    const Cubin cubin = fixture("basics.cubin");
    CHECK(cubin.architecture == Architecture::sm_90);
    std::vector<std::string> names;
    for (const Kernel& kernel : cubin.kernels) names.push_back(kernel.name);
    CHECK(names == std::vector<std::string>{"dynamic_shared", "empty", "large_parameter", "parameters",
                                            "required_block", "stack_frame"});
    CHECK(cubin.find("parameter") == nullptr);
    CHECK(kernel_of(cubin, "parameters").code.size() == 0x300 / 16);
    CHECK(kernel_of(cubin, "empty").code.size() == 0x100 / 16);
    // LDC R1, c[0x0][0x28]: every kernel begins so.
    CHECK((kernel_of(cubin, "empty").code.at(0).low == 0x00000a00ff017b82U));
}

TEST_CASE("registers, stack, barriers and launch bounds come from .nv.info") {
    const Cubin cubin = fixture("basics.cubin");
    CHECK(kernel_of(cubin, "parameters").registers_per_thread == 12);
    CHECK(kernel_of(cubin, "stack_frame").registers_per_thread == 31);
    CHECK(kernel_of(cubin, "empty").registers_per_thread == 4);
    CHECK(kernel_of(cubin, "stack_frame").local_per_thread == Bytes{160});  // int a[40]
    CHECK(kernel_of(cubin, "parameters").local_per_thread == Bytes{0});
    CHECK(kernel_of(cubin, "parameters").barrier_count == 1);
    CHECK(kernel_of(cubin, "stack_frame").barrier_count == 0);
    CHECK(kernel_of(cubin, "parameters").max_threads == 128);
    CHECK(kernel_of(cubin, "stack_frame").max_threads == 1024);
    CHECK(kernel_of(cubin, "required_block").required_block == Dim3{64, 2, 1});
    CHECK(kernel_of(cubin, "parameters").required_block == Dim3{0, 0, 0});
    CHECK(kernel_of(cubin, "large_parameter").required_cluster == Dim3{2, 1, 1});
    CHECK(kernel_of(cubin, "parameters").required_cluster == Dim3{0, 0, 0});
}

TEST_CASE("static shared memory leaves out what sm_90 reserves") {
    const Cubin cubin = fixture("basics.cubin");
    CHECK(kernel_of(cubin, "parameters").static_shared == Bytes{256});  // int s[64]
    CHECK(kernel_of(cubin, "dynamic_shared").static_shared == Bytes{0});
    CHECK(kernel_of(cubin, "empty").static_shared == Bytes{0});
}

TEST_CASE("parameters carry offset and size, in order") {
    const Cubin cubin = fixture("basics.cubin");
    const Kernel& kernel = kernel_of(cubin, "parameters");
    CHECK(kernel.parameter_base == 0x210);
    CHECK(kernel.parameter_bytes == 0x18);
    REQUIRE(kernel.parameters.size() == 4);
    const std::uint16_t offsets[] = {0, 8, 12, 16};  // int*, int, char, double
    const std::uint16_t sizes[] = {8, 4, 1, 8};
    for (std::uint16_t i = 0; i < 4; ++i) {
        CHECK(kernel.parameters[i].ordinal == i);
        CHECK(kernel.parameters[i].offset == offsets[i]);
        CHECK(kernel.parameters[i].size == sizes[i]);
    }
    CHECK(kernel.constant_banks.at(0).size() == 0x228);
    const Kernel& large = kernel_of(cubin, "large_parameter");  // described by KPARAM_INFO_V2
    REQUIRE(large.parameters.size() == 2);
    CHECK(large.parameters[0].size == 4800);
    CHECK(large.parameters[1].offset == 4800);
    CHECK(large.parameters[1].size == 8);
    CHECK(kernel_of(cubin, "empty").parameters.empty());
}

TEST_CASE("device and constant variables have a place and a size") {
    const Cubin cubin = fixture("basics.cubin");
    REQUIRE(cubin.variables.size() == 4);
    const auto is = [&](std::size_t i, const char* name, std::uint64_t offset, std::uint64_t size,
                        DeviceVariable::Space space) {
        const DeviceVariable& variable = cubin.variables[i];
        return variable.name == name && variable.offset == offset && variable.size == size && variable.space == space;
    };
    CHECK(is(0, "counter", 8, 4, DeviceVariable::Space::global_initialised));
    CHECK(is(1, "pointer", 0, 8, DeviceVariable::Space::global_initialised));
    CHECK(is(2, "table", 0, 16, DeviceVariable::Space::constant3));
    CHECK(is(3, "zeroed", 0, 400, DeviceVariable::Space::global_zero));
    CHECK(cubin.global_zero == Bytes{400});
    REQUIRE(cubin.global_initialised.size() == 12);
    CHECK(cubin.global_initialised[8] == std::byte{5});
    REQUIRE(cubin.constant_banks.at(3).size() == 16);
    CHECK(cubin.constant_banks.at(3)[4] == std::byte{2});
    CHECK(cubin.constant_banks.at(4).size() == 24);
}

TEST_CASE("EXIT offsets and jump tables are listed") {
    const Cubin cubin = fixture("control_flow.cubin");
    CHECK(kernel_of(cubin, "loops").exit_offsets == std::vector<std::uint32_t>{0x40, 0x200, 0x330});
    const auto& branches = kernel_of(cubin, "jump_table").indirect_branches;
    REQUIRE(branches.size() == 2);
    CHECK(branches[0].offset == 0x130);
    CHECK(branches[0].targets == std::vector<std::uint32_t>{0x180, 0x1a0, 0x140, 0x360});
    CHECK(branches[1].offset == 0x260);
    CHECK(branches[1].targets == std::vector<std::uint32_t>{0x2a0, 0x270, 0x360});
}

TEST_CASE("functions inside a kernel's code, and the stack that they may need") {
    const Cubin cubin = fixture("control_flow.cubin");
    const Kernel& call = kernel_of(cubin, "call");
    REQUIRE(call.functions.size() == 1);
    CHECK(call.functions[0].name == "$call$_Z4leafi");
    CHECK(call.functions[0].offset == 0x120);
    CHECK(call.functions[0].size == 224);
    CHECK(kernel_of(cubin, "recursion").local_per_thread == default_stack_limit);  // .nv.info says 0
    CHECK(kernel_of(fixture("linked.cubin"), "calls_outside").local_per_thread == default_stack_limit);
    CHECK(kernel_of(cubin, "divide").functions.size() == 1);
    CHECK(kernel_of(cubin, "divide").local_per_thread == Bytes{0});  // the library's division has no stack
    // Bank 2 holds the offsets that function pointers index: 1, then the functions.
    CHECK(kernel_of(cubin, "function_pointer").constant_banks.at(2).size() == 24);
}
