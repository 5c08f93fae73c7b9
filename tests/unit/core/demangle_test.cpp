// Names as c++filt of binutils 2.40 prints them.
#include <catch2/catch.hpp>

#include "core/demangle.hpp"

using sassafras::demangled;
using sassafras::function_name;

TEST_CASE("mangled names become signatures") {
    CHECK(demangled("_Z5saxpyIfEviT_S0_PS0_") == "void saxpy<float>(int, float, float, float*)");
    CHECK(demangled("_ZN1a1kEPKd") == "a::k(double const*)");
}

TEST_CASE("other names stay as they are") {
    for (const char* name : {"", "saxpy", "f", "i", "Kv", "_Z", "_Z5sax", "_Zqqqq", "merge_reads"})
        CHECK(demangled(name) == name);
}

TEST_CASE("a name that doubles again and again stays as it is") {
    // f(a<c, c>, a<S_, S_> ...): each part contains the one before it twice.
    std::string name = "_Z1f1aIccE";
    for (const char part : std::string("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        name += std::string("S_IS") + part + "_S" + part + "_E";
    CHECK(demangled(name) == name);
    CHECK(demangled("_Z1f" + std::string(5000, 'i')) == "_Z1f" + std::string(5000, 'i'));
}

TEST_CASE("names of libraries with many references are demangled") {
    CHECK(
        demangled("_ZN1a1bIN1c1dIiEES3_S3_S3_S3_EEvT_T0_T1_T2_T3_S3_S3_S3_") ==
        "void a::b<c::d<int>, c::d<int>, c::d<int>, c::d<int>, c::d<int> >(c::d<int>, c::d<int>, c::d<int>, c::d<int>, "
        "c::d<int>, c::d<int>, c::d<int>, c::d<int>)");
}

TEST_CASE("a function's own name is without what is around it") {
    CHECK(function_name("_Z5saxpyIfEviT_S0_PS0_") == "saxpy");
    CHECK(function_name("_ZN1a1kEPKd") == "k");
    CHECK(function_name("_ZN12_GLOBAL__N_11kEPKd") == "k");            // (anonymous namespace)::k(double const*)
    CHECK(function_name("_ZN12_GLOBAL__N_14fillIiEEvPT_") == "fill");  // void (anonymous namespace)::fill<int>(int*)
    CHECK(function_name("_ZN1a1bIN1c1dIiEES3_S3_S3_S3_EEvT_T0_T1_T2_T3_S3_S3_S3_") == "b");
    CHECK(function_name("_Z4sortIZ4mainEUliE_EvT_") == "sort");  // void sort<main::{lambda(int)#1}>(...)
    CHECK(function_name("_Z4callIPFviEEvT_") == "call");         // void call<void (*)(int)>(void (*)(int))
    for (const char* name : {"saxpy", "", "_Zqqqq", "merge_reads"}) CHECK(function_name(name) == name);
}
