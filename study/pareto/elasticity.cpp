#include "study/pareto/elasticity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <Eigen/QR>

#include "core/student.hpp"

namespace sassafras::study {

namespace {

/// A sample's logarithms, its group's means taken off.
struct Point {
    std::vector<double> x;
    double y = 0;
};

std::vector<Point> centred(const std::vector<Sample>& samples, std::size_t factors,
                           std::map<std::string, Fit::Mean>& means) {
    std::map<std::string, std::vector<Point>> by_group;
    for (const Sample& sample : samples) {
        const auto has_logarithm = [](double value) { return value > 0 && std::isfinite(value); };
        if (!has_logarithm(sample.result) || !std::all_of(sample.factors.begin(), sample.factors.end(), has_logarithm))
            continue;
        Point point{{}, std::log(sample.result)};
        for (const double factor : sample.factors) point.x.push_back(std::log(factor));
        by_group[sample.group].push_back(std::move(point));
    }
    std::vector<Point> points;
    for (auto& [name, members] : by_group) {
        Fit::Mean& mean = means[name];
        mean.factors.assign(factors, 0);
        const auto count = static_cast<double>(members.size());
        for (const Point& point : members) {
            mean.result += point.y / count;
            for (std::size_t i = 0; i < factors; ++i) mean.factors[i] += point.x[i] / count;
        }
        for (Point& point : members) {
            point.y -= mean.result;
            for (std::size_t i = 0; i < factors; ++i) point.x[i] -= mean.factors[i];
            points.push_back(std::move(point));
        }
    }
    return points;
}

}  // namespace

Result<Fit> fit_elasticities(const std::vector<std::string>& names, const std::vector<Sample>& samples) {
    const std::size_t factors = names.size();
    Fit fit;
    const std::vector<Point> points = centred(samples, factors, fit.means);
    const std::size_t groups = fit.means.size();
    if (factors == 0 || points.size() < factors + groups)
        return Error{ErrorKind::bad_input,
                     fmt::format("{} runs cannot tell what {} parameters do", points.size(), factors), "",
                     "vary more values, or fewer parameters"};
    const auto rows = static_cast<Eigen::Index>(points.size());
    const auto columns = static_cast<Eigen::Index>(factors);
    Eigen::MatrixXd x(rows, columns);
    Eigen::VectorXd y(rows);
    for (Eigen::Index row = 0; row < rows; ++row) {
        const Point& point = points[static_cast<std::size_t>(row)];
        y(row) = point.y;
        for (Eigen::Index i = 0; i < columns; ++i) x(row, i) = point.x[static_cast<std::size_t>(i)];
    }
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> decomposed(x);
    if (decomposed.rank() < columns)
        return Error{ErrorKind::bad_input, "some parameters change only together, or not at all", "",
                     "choose the design product or sobol, or vary fewer parameters"};
    const Eigen::VectorXd slopes = decomposed.solve(y);
    const Eigen::MatrixXd inverse = (x.transpose() * x).llt().solve(Eigen::MatrixXd::Identity(columns, columns));
    const double rest = (y - x * slopes).squaredNorm();
    const double total = y.squaredNorm();
    const std::size_t freedom = points.size() - factors - groups;
    fit.explained = total > 0 ? 1 - rest / total : 1;
    fit.samples = points.size();
    fit.slopes.assign(slopes.begin(), slopes.end());
    for (Eigen::Index i = 0; i < columns; ++i)
        fit.elasticities.push_back({names[static_cast<std::size_t>(i)], slopes(i),
                                    freedom == 0 ? std::numeric_limits<double>::infinity()
                                                 : student_t(freedom) * std::sqrt(std::max(0.0, inverse(i, i)) * rest /
                                                                                  static_cast<double>(freedom))});
    std::stable_sort(fit.elasticities.begin(), fit.elasticities.end(),
                     [](const Elasticity& a, const Elasticity& b) { return std::abs(a.value) > std::abs(b.value); });
    return fit;
}

double Fit::expected(const std::string& group, const std::vector<double>& factors) const {
    const auto of = [&](const Mean& mean) {
        double logarithm = mean.result;
        for (std::size_t i = 0; i < factors.size(); ++i)
            logarithm += slopes[i] * (std::log(factors[i]) - mean.factors[i]);
        return logarithm;
    };
    if (const auto known = means.find(group); known != means.end()) return std::exp(of(known->second));
    double sum = 0;
    for (const auto& [name, mean] : means) sum += of(mean) / static_cast<double>(means.size());
    return std::exp(sum);
}

}  // namespace sassafras::study
