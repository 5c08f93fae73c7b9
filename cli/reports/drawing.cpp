#include "cli/reports/drawing.hpp"

#include <fmt/format.h>

namespace sassafras::cli {

namespace {

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '"': result += "&quot;"; break;
            default: result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
        }
    }
    return result;
}

}  // namespace

void Drawing::text(double x, double y, const std::string& content, const std::string& attributes) {
    body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, attributes, escaped(content));
}

void Drawing::box(double x, double y, double width, double height, const std::string& attributes) {
    body_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}/>\n", x, y, width,
                         height, attributes);
}

void Drawing::line(double x1, double y1, double x2, double y2, const std::string& attributes) {
    body_ +=
        fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1, x2, y2, attributes);
}

void Drawing::path(const std::string& along, const std::string& attributes) {
    body_ += fmt::format("<path d=\"{}\" {}/>\n", along, attributes);
}

void Drawing::dot(double x, double y, double radius, const std::string& attributes, const std::string& says) {
    body_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" {}><title>{}</title></circle>\n", x, y,
                         radius, attributes, escaped(says));
}

std::string Drawing::document(double width, double height) const {
    return fmt::format(
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
               "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"Helvetica,Arial,sans-serif\" font-size=\"12\">\n"
               "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
               width, height) +
           body_ + "</svg>\n";
}

}  // namespace sassafras::cli
