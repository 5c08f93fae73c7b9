// A drawing as SVG, in pixels from the upper left corner. Attributes are SVG's own.
#pragma once

#include <string>

namespace sassafras::cli {

class Drawing {
  public:
    void text(double x, double y, const std::string& content, const std::string& attributes);
    void box(double x, double y, double width, double height, const std::string& attributes);
    void line(double x1, double y1, double x2, double y2, const std::string& attributes);
    void path(const std::string& along, const std::string& attributes);
    /// A disc; who points at it reads `says`.
    void dot(double x, double y, double radius, const std::string& attributes, const std::string& says);
    [[nodiscard]] std::string document(double width, double height) const;

  private:
    std::string body_;
};

}  // namespace sassafras::cli
