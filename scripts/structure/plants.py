"""The checks are tried on what they must find, and on what they must not: one that finds nothing any more would not be noticed."""
from structure import documents, includes, lengths
from structure.functions import code_of, functions

LONG = lengths.FUNCTION_LINES * "    step();\n"

# What stands before the body of a function that is too long, and what closes it.
HEADS = {
    "plain": "int f(int x) {\n",
    "with a default argument": "int f(int x = 0) {\n",
    "with a default argument in braces": "int f(Size x = {}, Size y = Size{1}) {\n",
    "an operator": "bool operator==(const A& a, const A& b) {\n",
    "an assignment": "A& A::operator=(const A& other) {\n",
    "a call operator": "int A::operator()(int x) const {\n",
    "of a class": "namespace n {\nclass A : public B {\n  public:\n    int f() {\n",
    "of a class with a constraint": "template <class T>\n    requires fits<T>\nclass A {\n    int f() {\n",
    "of a class behind a macro's call": "MACRO({a, b})\n\nstruct A {\n    int f() {\n",
    "of a namespace behind a macro's call": "MACRO({a, b})\n\nnamespace {\nint f() {\n",
    "a constructor with wrapped initialisers": "A::A(int x)\n    : x_{x},\n      y_(x),\n      z_{{x, x}} {\n",
    "a constructor with one initialiser": "A::A(int x) noexcept : x_{x} {\n",
    "a constructor in a try block": "A::A(int x) try : x_(x) {\n",
    "wrapped at six spaces": "int f(int x,\n      int y) {\n",
    "wrapped at eight spaces": "    int f(int x,\n        int y) {\n",
    "wrapped ten times": "int f(" + "int x,\n      " * 10 + "int y) {\n",
    "with a struct in its parameters": "int f(struct stat& s) {\n",
    "with an enum in its parameters": "int f(enum Kind k) {\n",
    "that returns a struct": "struct stat f(int x) {\n",
    "that returns what follows": "auto f(int x) -> struct stat {\n",
    "extern C": 'extern "C" int f(int x) {\n',
    "within extern C": 'extern "C" {\nint f(int x) {\n',
    "with a constraint": "template <class T>\nint f(T x) requires fits<T> {\n",
    "with a constraint in parentheses": "template <class T>\n    requires(sizeof(T) == 4)\nint f(T x) {\n",
    "with a requires-expression": "template <class T>\n    requires requires(T x) { x.f(); }\nint f(T x) {\n",
    "with a requires-expression behind it": "template <class T>\nint f(T x)\n    requires requires(T y) { y.f(); }\n{\n",
    "with defaults of its template": "template <class T = int, int n = 3>\nint f(T x) {\n",
    "with a comment behind its brace": "int f(int x) {  // why\n",
    "with a comment before its brace": "int f(int x) /* { */ {\n",
    "with an attribute": "[[nodiscard]] int f(int x) {\n",
    "with the brace on its own line": "int f(int x)\n{\n",
    "a lambda": "const auto f = [](int x) {\n",
    "a lambda that returns a type": "const auto f = [&a, b = g(1)](int x) mutable -> int {\n",
    "a lambda without parameters": "const auto f = [] {\n",
    "a lambda in a table": 'const Row rows[] = {{"a", [](int x) {\n',
    "a lambda in a call": "const bool known = add(1, [](int x) {\n",
    "of a macro": 'TEST_CASE("{") {\n',
    "a kernel": 'extern "C" __global__ void __launch_bounds__(128) k(const float* a) {\n',
    "behind a character": "constexpr char open = '{';\nconstexpr int many = 1'000'000;\nint f(int x) {\n",
    "behind a raw string": 'constexpr auto text = R"x({ " )" {)x";\nint f(int x) {\n',
    "behind a macro": "#define OPEN(x) \\\n    if (x) {\nint f(int x) {\n",
    "behind an enum": "enum class A : int { a, b = 1 };\nint f(int x) {\n",
    "behind a table": "const int table[] = {1, 2};\nconst A other{1, {2}};\nint f(int x) {\n",
    "without indentation": "int f(int x) {\nint y = 0;\n}\nint g(int x) {\n",
}
# As long, but no functions.
SCOPES = {
    "a namespace": "namespace a::b {\n",
    "a class": "class A final : public B<decltype(f(1))> {\n",
    "a struct": "struct alignas(16) A {\n",
    "a union": "union {\n",
    "extern C": 'extern "C" {\n',
    "a class template": "template <class T = int>\nstruct A<T*> {\n",
    "a class with a constraint": "template <class T>\n    requires(sizeof(T) == 4) && fits<T>\nclass A {\n",
    "a namespace behind a macro's call": "MACRO({a, b})\n\nnamespace {\n",
    "a class behind a macro's call": "MACRO({a, b})\n\nstruct A {\n",
}
VALUES = {
    "a table": "const A table[] = {\n",
    "a list in braces": "const std::vector<A> list{\n",
    "an enum": "enum class A : int {\n",
    "a struct's value": "struct A a = {\n",
    "a list that a call makes": "const auto list = made({\n",
}


def ended(head, body):
    """`head`, `body` and what closes all that `head` opens; a short function behind it."""
    left = []
    for char in code_of(head):
        if char in "{(":
            left.append("}" if char == "{" else ")")
        elif char in "})":
            left.pop()
    return head + body + "".join(reversed(left)) + ";\nint last() { return 1; }\n"


def function_faults():
    for what, head in HEADS.items():
        found = [length for _, length, _ in functions(ended(head, LONG))]
        if found[-1:] != [1] or sum(length > lengths.FUNCTION_LINES for length in found) != 1:
            yield f"scripts/check-structure does not find a long function: {what}"
    for body, heads in ((lengths.FUNCTION_LINES * "    int step();\n", SCOPES), (lengths.FUNCTION_LINES * "    {1, f(2)},\n", VALUES)):
        for what, head in heads.items():
            if [length for _, length, _ in functions(ended(head, body))] != [1]:
                yield f"scripts/check-structure takes for a function: {what}"
    for text in ("int f() {\n#if A\n    if (a) {\n#else\n    if (b) {\n#endif\n}\n}\n", "int f() {\n}\n}\n", "int f(int (x) {\n}\n"):
        if not lengths.bodies_of("x.cpp", text)[1]:
            yield "scripts/check-structure does not find that brackets do not match"
    if list(functions("class A {\n  public:\n    A()\n        : x_(1) {\n    }\n};\n")) != [(3, 3, "A() : x_(1)")]:
        yield "scripts/check-structure does not know where a function begins and ends"


# One line that includes a header from above, in each of the kinds of files.
INCLUDES = ('#include "sim/trace/x.hpp"', "#include <sim/trace/x.hpp>", '#  include "sim/trace/x.hpp"', '    #include "sim/trace/x.hpp"',
            '#include"sim/trace/x.hpp"', "#\tinclude\t<sim/trace/x.hpp>  // why", '/* why */ #include "sim/trace/x.hpp"', '#include "../sim/trace/x.hpp"',
            "#include <../sim/trace/x.hpp>", "#include HEADER")
KINDS = ("cpp", "hpp", "h", "inc", "hpp.in", "cpp.in", "cuh", "cu", "c", "cc", "inl")


def directed(path, text):
    if not includes.SOURCE.search(path):
        return []
    return list(includes.direction_faults(path, list(includes.includes(path, text, {"sim/trace/x.hpp", "core/y.hpp", "workloads/gemm/y.cuh"}))))


def circled(*pairs):
    included = {}
    for path, name in pairs:
        included.setdefault(path, []).append((1, name))
    return list(includes.circle_faults(included))


def include_plants():
    for kind in KINDS:
        for line in INCLUDES:
            yield f"an include from above in .{kind}: {line}", directed(f"core/x.{kind}", f'#include "core/y.hpp"\n{line}\n')
    yield "an include from above after an address", directed("core/x.hpp", '// https://x\nconst char* a = "/*";\n#include "sim/trace/x.hpp"\nconst char* b = "*/";\n')
    yield "an include without a floor", directed("sim/trace/x.cpp", '#include "sim/nowhere/x.hpp"')
    yield "an include between folders of a floor's neighbours", directed("cli/reports/x.cpp", '#include "cli/commands/y.hpp"')
    for folder in ("sim/nowhere", "cli/zz", "cudart/zz", "isa/zz", "validate/zz", "validate", "zz"):
        yield f"a folder without a floor: {folder}", directed(f"{folder}/x.cpp", "")
    yield "a folder that the whole of cli is not let include", directed("cli/main.cpp", '#include "cli/reports/y.hpp"')
    yield "a folder that no fuzzer compiles", list(includes.fuzzed_faults(["sim/metrics/x.cpp", "sim/access/x.cpp"], "metrics execute"))
    yield "a circle of two folders of one floor", circled(("study/a/x.hpp", "study/b/y.hpp"), ("study/b/z.hpp", "study/a/x.hpp"))
    yield "a circle of three folders", circled(("core/a/x.hpp", "core/b/y.hpp"), ("core/b/z.hpp", "core/c/x.hpp"), ("core/c/x.cpp", "core/a/z.hpp"))
    yield "a circle of folders side by side under one", circled(("sim/timing/sm/x.hpp", "sim/timing/memory/y.hpp"), ("sim/timing/memory/z.cpp", "sim/timing/sm/a.hpp"))
    yield "a circle of files", circled(("core/x.hpp", "core/y.hpp"), ("core/y.hpp", "core/x.hpp"))


def document_plants():
    there = "a/b/here.cpp\ngone.cpp.md\na/b/d/c/there.hpp\nscripts/run"
    yield "a file that a README names", documents.name_faults("a/b/README.md", "`gone.cpp`", there)
    yield "a path that a README names", documents.name_faults("a/b/README.md", "`c/gone.cpp`", "a/b/gone.cpp")
    for document in ("README.md", "CONTRIBUTING.md", "docs/x.md", "docs/decisions/0001-x.md", "a/README.md"):
        for text in ("`a/gone.cpp`", "`gone.py`", "`a/gone/`", "`scripts/gone`", "`scripts/gone --update`", "`a/b/gone.hpp:12`", "[x](gone.md)", "[x](gone.md#part)",
                     "[`x`](../zz/gone.hpp)", "```sh\n./scripts/gone 1\n```", "`a/b/NAME_gone.cpp`", "`a/b/{here,gone}.cpp`", "`gone.tsv`"):
            yield f"a name in {document}: {text}", documents.name_faults(document, text, there)
    yield "a docs/where.md that names nothing", documents.place_faults("", there)
    yield "a path in docs/where.md that does not begin at the root", [fault for fault in documents.place_faults("`d/c/there.hpp`", there) if "d/c" in fault]
    yield "a floor without a README of its own", documents.floor_faults({"sim/README.md"}, ["sim/trace"])
    yield "a top folder without a README of its own", documents.floor_faults({"sim/README.md", "isa/sass/README.md"}, ["isa/sass"])
    yield "a folder without a README", documents.folder_faults({"study/README.md", "study/zz/x.cpp"}, lambda path: "`a/` `x.cpp` `study/a/`")
    yield "a folder deep down without a README", documents.folder_faults({"study/README.md", "study/a/zz/x.cpp"}, lambda path: "`a/` `zz`")
    yield "a folder at the root without a README", documents.folder_faults({"README.md", "zz/x.cpp"}, lambda path: "`a/x.cpp`")


def length_plants(root):
    long_file = "#!/bin/sh\n" + lengths.FILE_LINES * "x\n"
    for path in ("core/x.cpp", "core/x.hpp", "core/x.h", "core/x.inc", "core/x.hpp.in", "workloads/a/x.cu", "workloads/a/x.cuh", "tests/x.py", "tests/x_test.cpp",
                 "scripts/x", "tests/fixtures/make", ".ci/run", "tests/programs/x.cu", "cmake/x.cmake", "tests/CMakeLists.txt", "a/x.sh"):
        yield f"a long file: {path}", list(lengths.file_faults(path, long_file)) if lengths.is_counted(path, long_file) else []
    for path in ("core/x.cpp", "workloads/a/x.cu", "validate/records/h200/probes/x.cu"):
        yield f"a long function in {path}", list(lengths.function_faults(path, lengths.bodies_of(path, ended("int f() {\n", LONG))[0]))
    other = lengths.bodies_of("x.cu", ended("void other(int multiply) {\n", LONG))[0]
    yield "a long function beside one that may be", list(lengths.function_faults("workloads/gemm/gemm_magma.cu", other))
    for path in (*lengths.TABLES, *lengths.RECORDED):
        yield f"{path} gone, which may be long", [fault for fault in lengths.exemption_faults(lambda path: None, {}) if path in fault]
    yield "a long file whose record is of other code", lengths.record_faults(root, "workloads/gemm/gemm_parboil.cu", lengths.MEASURED)
    yield "a long file without its record", lengths.record_faults(root, "workloads/gemm/gemm_magma.cu", "validate/records/gone.json")
    yield "a long probe with another's record", lengths.record_faults(root, "validate/records/h200/probes/streams.cu", "validate/records/h200/probes/copies.txt")


def own_faults(root):
    """`root`: the repository, whose records are looked at."""
    yield from function_faults()
    for plants in (include_plants(), document_plants(), length_plants(root)):
        for what, faults in plants:
            if not list(faults):
                yield f"scripts/check-structure does not find {what}"
    kept = "`here.cpp` `b/here.cpp` `c/` `c/there.hpp` `c/NAME.hpp` `a/b/*.cpp` `L/M` `c/there` `a/b/here.cpp:12` [x](here.cpp) [x](https://x/y.md) [x](#part)"
    yield from documents.name_faults("a/b/README.md", kept, "a/b/here.cpp\na/b/d/c/there.hpp")
    yield from documents.name_faults("docs/x.md", "`there.hpp` `c/there.hpp` [x](../a/b/here.cpp#l)", "a/b/here.cpp\na/b/d/c/there.hpp")
    yield from documents.folder_faults({"a/README.md", "a/b/x", "a/c/d/x", "a/k1/x"}, lambda path: "[x](b/x) `c/d/` `a/KIND/x`")
    yield from directed("sim/device/x.cpp", '#include <vector>\n#include <sys/mman.h>\n#include "sim/trace/x.hpp"\n// #include "cli/x.hpp"\n')
    yield from directed("workloads/gemm/x.cu", '#include "y.cuh"\n#include "../gemm/y.cuh"\n')
    yield from circled(("core/x.cpp", "core/a/x.hpp"), ("core/a/x.hpp", "core/y.hpp"), ("core/b/x.hpp", "core/a/x.hpp"))
