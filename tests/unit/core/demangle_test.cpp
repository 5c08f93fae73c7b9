// Names as c++filt of binutils 2.40 prints them.
#include <catch2/catch.hpp>

#include "core/demangle.hpp"

using sassafras::demangled;

TEST_CASE("mangled names become signatures") {
    CHECK(demangled("_Z5saxpyIfEviT_S0_PS0_") == "void saxpy<float>(int, float, float, float*)");
    CHECK(demangled("_ZN1a1kEPKd") == "a::k(double const*)");
}

TEST_CASE("other names stay as they are") {
    for (const char* name : {"", "saxpy", "f", "i", "Kv", "_Z", "_Z5sax", "_Zqqqq", "merge_reads"})
        CHECK(demangled(name) == name);
}
