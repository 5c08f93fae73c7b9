#include "sim/device/loaded_module.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/demangle.hpp"
#include "sim/device/parameter_area.hpp"
#include "sim/execute/driver_function.hpp"

namespace sassafras::sim {

namespace {

using isa::Relocation;

constexpr std::string_view global_initialised_section = ".nv.global.init";
constexpr std::string_view text_prefix = ".text.";
constexpr std::string_view constant_prefix = ".nv.constant";
constexpr std::string_view constant_variable_section = ".nv.constant3";
constexpr std::size_t constant_variable_bank = 3;

/// The bytes that a relocation of this kind replaces with `value`.
struct Patch {
    std::uint64_t value = 0;
    std::size_t size = 0;
};

Patch patch_of(Relocation::Kind kind, std::uint64_t value) {
    switch (kind) {
        case Relocation::Kind::address64:
        case Relocation::Kind::function_address64: return {value, 8};
        case Relocation::Kind::address_low32: return {value & 0xffffffffU, 4};
        case Relocation::Kind::address_high32: return {value >> 32, 4};
    }
    return {};
}

Error outside(const Relocation& relocation, const std::string& where) {
    return {ErrorKind::bad_input, "a relocation lies outside of its section",
            where + ", section " + relocation.section + " + " + std::to_string(relocation.offset),
            "the cubin is damaged; make it again"};
}

Result<void> apply(std::vector<std::byte>& section, const Relocation& relocation, const Patch& patch,
                   const std::string& where) {
    if (relocation.offset > section.size() || patch.size > section.size() - relocation.offset)
        return outside(relocation, where);
    std::memcpy(section.data() + relocation.offset, &patch.value, patch.size);
    return {};
}

Result<void> apply(std::vector<isa::Word128>& code, const Relocation& relocation, const Patch& patch,
                   const std::string& where) {
    const std::size_t size = code.size() * sizeof(isa::Word128);
    if (relocation.offset > size || patch.size > size - relocation.offset) return outside(relocation, where);
    std::memcpy(reinterpret_cast<std::byte*>(code.data()) + relocation.offset, &patch.value, patch.size);
    return {};
}

/// ".nv.constant4" is bank 4 of the module, ".nv.constant2.k" bank 2 of kernel k; -1 if `section` is none that `kernel`
/// sees.
int constant_bank(std::string_view section, std::string_view kernel) {
    if (!section.starts_with(constant_prefix)) return -1;
    section.remove_prefix(constant_prefix.size());
    int bank = 0;
    std::size_t digits = 0;
    while (digits < section.size() && section[digits] >= '0' && section[digits] <= '9' && bank < 100)
        bank = bank * 10 + (section[digits++] - '0');
    const std::string_view owner = section.substr(digits);
    if (digits == 0 || !(owner.empty() || (owner.front() == '.' && owner.substr(1) == kernel))) return -1;
    return bank;
}

/// Stands for a symbol that is not there: no allocation and no code has this address.
constexpr std::uint64_t unreachable_address = 0xffff'ffff'ffff'0000;

struct Unresolved {
    int bank = 0;
    std::uint64_t offset = 0;
    Error error;
};

/// True if the code may use the 8 bytes at `offset` of the bank: it names them, or it reads the bank through an index
/// register to call what it finds. nvcc sets that register with one MOV; where it does not, any entry may be meant.
bool may_use_constant(const isa::Program& program, int bank, std::uint64_t offset) {
    const auto inside = [&](std::uint64_t value) { return value >= offset && value < offset + 8; };
    const auto any = [&](const auto& holds) {
        return std::any_of(program.instructions.begin(), program.instructions.end(), holds);
    };
    return any([&](const isa::Instruction& instruction) {
        for (const isa::Operand* operand : {&instruction.a, &instruction.b, &instruction.c}) {
            if (operand->kind != isa::OperandKind::constant || operand->bank != bank) continue;
            const bool indexed = instruction.opcode == isa::Opcode::LDC &&
                                 instruction.a.kind == isa::OperandKind::reg && instruction.a.reg != isa::register_zero;
            if (!indexed) return inside(operand->value);
            const bool called = any([&](const isa::Instruction& call) {
                return call.opcode == isa::Opcode::CALL && call.a.kind == isa::OperandKind::reg &&
                       call.a.reg == instruction.destination;
            });
            const auto sets_index = [&](const isa::Instruction& move) {
                return move.opcode == isa::Opcode::MOV && move.destination == instruction.a.reg &&
                       move.a.kind == isa::OperandKind::immediate;
            };
            return called && (!any(sets_index) || any([&](const isa::Instruction& move) {
                       return sets_index(move) && inside(operand->value + move.a.value);
                   }));
        }
        return false;
    });
}

}  // namespace

std::string LoadedModule::where(std::string_view kernel) const {
    std::string text = origin_;
    text += ", kernel ";
    text += demangled(std::string(kernel));
    return text;
}

Result<LoadedModule> LoadedModule::load(std::span<const std::byte> cubin, std::string_view origin,
                                        MemoryImage& memory) {
    auto read = isa::read_cubin(cubin, origin);
    if (!read) return read.error();
    LoadedModule module;
    module.cubin_ = std::move(*read);
    module.origin_ = std::string(origin);
    module.memory_ = &memory;
    const auto bank = module.cubin_.constant_banks.find(constant_variable_bank);
    const bool has_constants = bank != module.cubin_.constant_banks.end() && !bank->second.empty();
    if (has_constants) {
        auto address = memory.allocate(Bytes{bank->second.size()});
        if (!address) return address.error();
        module.constant_base_ = *address;
    }
    if (module.cubin_.global_zero.count != 0) {
        auto address = memory.allocate(module.cubin_.global_zero);
        if (!address) return address.error();
        module.zero_base_ = *address;
        if (auto done = memory.fill(*address, std::byte{0}, module.cubin_.global_zero); !done) return done.error();
    }
    if (auto apart = module.set_variables_apart(memory); !apart) return apart.error();
    if (!module.cubin_.global_initialised.empty()) {
        auto address = memory.allocate(Bytes{module.cubin_.global_initialised.size()});
        if (!address) return address.error();
        module.initialised_base_ = *address;
        if (auto done = module.patch_section(global_initialised_section, module.cubin_.global_initialised); !done)
            return done.error();
        if (auto done = memory.write(*address, module.cubin_.global_initialised); !done) return done.error();
        if (auto done = module.write_variables_apart(memory); !done) return done.error();
    }
    if (has_constants) {
        if (auto done = module.patch_section(constant_variable_section, bank->second); !done) return done.error();
        if (auto done = memory.write(module.constant_base_, bank->second); !done) return done.error();
    }
    return module;
}

/// With exact bounds each variable has an allocation of its own, so that none is reached through another.
Result<void> LoadedModule::set_variables_apart(MemoryImage& memory) {
    if (!memory.has_exact_bounds()) return {};
    using Space = isa::DeviceVariable::Space;
    for (const Space space : {Space::global_zero, Space::global_initialised}) {
        std::map<std::uint64_t, const isa::DeviceVariable*> by_offset;
        bool overlap = false;  // code may reach one by the name of the other, such as the section's
        std::uint64_t end = 0;
        for (const isa::DeviceVariable& variable : cubin_.variables)
            if (variable.space == space && variable.size != 0)
                overlap |= !by_offset.try_emplace(variable.offset, &variable).second;
        for (const auto& [offset, variable] : by_offset) {
            overlap |= offset < end;
            end = offset + variable->size;
        }
        if (overlap) continue;
        for (const auto& [offset, variable] : by_offset) {
            const auto address = memory.allocate(Bytes{variable->size});
            if (!address) return address.error();
            placed_[variable->name] = *address;
        }
    }
    return {};
}

Result<void> LoadedModule::write_variables_apart(MemoryImage& memory) const {
    for (const isa::DeviceVariable& variable : cubin_.variables) {
        if (variable.space != isa::DeviceVariable::Space::global_initialised) continue;
        const auto placed = placed_.find(variable.name);
        if (placed == placed_.end()) continue;
        const auto value = std::span(cubin_.global_initialised).subspan(variable.offset, variable.size);
        if (auto done = memory.write(placed->second, value); !done) return done;
    }
    return {};
}

std::uint64_t LoadedModule::place_of(const isa::DeviceVariable& variable) const {
    using Space = isa::DeviceVariable::Space;
    if (const auto placed = placed_.find(variable.name); placed != placed_.end()) return placed->second.value;
    switch (variable.space) {
        case Space::global_zero: return zero_base_.value + variable.offset;
        case Space::global_initialised: return initialised_base_.value + variable.offset;
        case Space::constant3: return constant_base_.value + variable.offset;
    }
    return 0;
}

Result<std::uint64_t> LoadedModule::resolve(const Relocation& relocation, const std::string& place) const {
    const auto addend = static_cast<std::uint64_t>(relocation.addend);
    for (const auto& variable : cubin_.variables) {
        if (variable.name != relocation.symbol) continue;
        return place_of(variable) + addend;
    }
    if (const auto function = driver_function(relocation.symbol)) return address_of(*function);
    return Error{
        ErrorKind::not_modelled, "the function " + relocation.symbol + " is not in the cubin", place,
        "of the CUDA device runtime printf, malloc, free and assert are modelled, and no launches from the device"};
}

Result<void> LoadedModule::patch_section(std::string_view section, std::vector<std::byte>& bytes) const {
    for (const auto& relocation : cubin_.relocations) {
        if (relocation.section != section) continue;
        auto value = resolve(relocation, origin_);
        if (!value) return value.error();
        if (auto done = apply(bytes, relocation, patch_of(relocation.kind, *value), origin_); !done) return done;
    }
    return {};
}

Result<const isa::Kernel*> LoadedModule::properties(const std::string& name) const {
    const isa::Kernel* kernel = cubin_.find(name);
    if (kernel == nullptr) return unknown_kernel(cubin_, name, origin_);
    return kernel;
}

Bytes LoadedModule::constant_size() const {
    const auto bank = cubin_.constant_banks.find(constant_variable_bank);
    return Bytes{bank == cubin_.constant_banks.end() ? 0 : bank->second.size()};
}

Result<DeviceSymbol> LoadedModule::symbol(const std::string& name) const {
    for (const auto& variable : cubin_.variables)
        if (variable.name == name) return DeviceSymbol{Address{place_of(variable)}, Bytes{variable.size}};
    return Error{ErrorKind::bad_input, "there is no variable " + name + " in the module", origin_, {}};
}

Result<void> LoadedModule::place(const std::string& variable, Address place, MemoryImage& memory) {
    const auto found = symbol(variable);
    if (!found) return found.error();
    std::vector<std::byte> value(found->size.count);
    if (auto done = memory.read(value, found->address); !done) return done;
    if (auto done = memory.write(place, value); !done) return done;
    placed_[variable] = place;
    kernels_.clear();
    return {};
}

Result<LoadedKernel> LoadedModule::kernel(const std::string& name) {
    auto loaded = decode(name);
    if (!loaded || constant_base_.value == 0 || loaded->constant_banks.size() <= constant_variable_bank) return loaded;
    // The host may have written to them since the last launch.
    auto& bank = loaded->constant_banks[constant_variable_bank];
    if (auto done = memory_->read(bank, constant_base_); !done) return done.error();
    return loaded;
}

Result<LoadedKernel> LoadedModule::decode(const std::string& name) {
    if (const auto found = kernels_.find(name); found != kernels_.end()) return found->second;
    const isa::Kernel* original = cubin_.find(name);
    if (original == nullptr) return unknown_kernel(cubin_, name, origin_);
    isa::Kernel kernel = *original;
    std::map<int, std::vector<std::byte>> banks = cubin_.constant_banks;
    for (const auto& [bank, bytes] : kernel.constant_banks) banks[bank] = bytes;
    std::vector<Unresolved> unresolved;
    const std::string text = std::string(text_prefix) + name;
    for (const auto& relocation : cubin_.relocations) {
        const int bank = constant_bank(relocation.section, name);
        if (relocation.section != text && bank < 0) continue;
        auto value = resolve(relocation, where(name));
        if (!value && bank < 0) return value.error();
        // The kernels of a module share its constant banks: what one of them cannot resolve may be there for another.
        if (!value) unresolved.push_back({bank, relocation.offset, value.error()});
        const Patch patch = patch_of(relocation.kind, value ? *value : unreachable_address);
        auto done = bank >= 0 ? apply(banks[bank], relocation, patch, where(name))
                              : apply(kernel.code, relocation, patch, where(name));
        if (!done) return done.error();
    }
    std::erase_if(kernel.unresolved_calls, [&](const isa::UnresolvedCall& call) {
        const auto function = driver_function(call.function);
        if (function)
            isa::set_call_target(kernel.code[call.offset / sizeof(isa::Word128)], address_of(*function),
                                 kernel.architecture);
        return function.has_value();
    });
    auto program = isa::build_program(kernel);
    if (!program) return program.error();
    for (const auto& entry : unresolved)
        if (may_use_constant(*program, entry.bank, entry.offset)) return entry.error;
    LoadedKernel loaded;
    loaded.program = std::make_shared<const isa::Program>(std::move(*program));
    loaded.constant_variables = constant_base_.value;
    if (!banks.empty()) loaded.constant_banks.resize(static_cast<std::size_t>(banks.rbegin()->first) + 1);
    for (auto& [bank, bytes] : banks) loaded.constant_banks[static_cast<std::size_t>(bank)] = std::move(bytes);
    return kernels_.emplace(name, std::move(loaded)).first->second;
}

}  // namespace sassafras::sim
