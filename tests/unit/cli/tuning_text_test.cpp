// What the terminal shows while merge --tune tries shapes.
#include <catch2/catch.hpp>

#include "cli/options/workload_options.hpp"

using sassafras::cli::tuning_text;

TEST_CASE("a shape is told with the best before it, and nothing remains at the end") {
    CHECK(tuning_text({0, 120, "blocks 1, b 128, S 1024", ""}) == "shape 1 of 120: blocks 1, b 128, S 1024");
    CHECK(tuning_text({2, 120, "blocks 16, b 128, S 1024", "blocks 4, b 128, S 1024: 61,234 ns"}) ==
          "shape 3 of 120: blocks 16, b 128, S 1024; best blocks 4, b 128, S 1024: 61,234 ns");
    CHECK(tuning_text({120, 120, "", "blocks 4, b 128, S 1024: 61,234 ns"}).empty());
}
