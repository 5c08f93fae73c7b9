#include "cli/explain.hpp"
namespace sassafras::cli {
std::string explain_text(const ExplainedRequest&) { return "todo\n"; }
std::string explain_svg(const ExplainedRequest&) { return "todo\n"; }
}
