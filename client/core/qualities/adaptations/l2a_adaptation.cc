#include "core/qualities/adaptations/l2a_adaptation.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/qualities/segments_ahead.hh"

namespace tributary {
namespace {

constexpr double kSustained = 0.9;
constexpr Duration kFilled = std::chrono::milliseconds{1500};
constexpr double kConvergesIn = 4;                                                 // choices until it converges
const double kCautious = std::pow(kConvergesIn, 0.99);                             // V
const double kAlpha = std::max(kConvergesIn, kCautious* std::sqrt(kConvergesIn));  // alpha
constexpr double kReaction = 2;  // factor on Q, where the bitrate was too high

double mean(const std::vector<double>& values, const std::vector<double>& chances) {
  return std::inner_product(values.begin(), values.end(), chances.begin(), 0.0);
}

}  // namespace

std::vector<double> on_simplex(std::vector<double> point) {
  std::vector<double> sorted = point;
  std::ranges::sort(sorted, std::greater{});
  double sum = 0, less = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sum += sorted[i];
    less = (sum - 1) / static_cast<double>(i + 1);
    if (i + 1 < sorted.size() && less >= sorted[i + 1]) break;
  }
  for (double& coordinate : point) coordinate = std::max(coordinate - less, 0.0);
  return point;
}

void L2aAdaptation::measured(const SegmentMeasurement& measurement) {
  history_.add(measurement);
  size_ += measurement.size;
  took_ += measurement.duration + measurement.latency;
}

void L2aAdaptation::told(DataRate forecast) {
  history_.told(forecast);
  told_ = forecast;
}

void L2aAdaptation::look_at_measurements() {
  if (took_ > Duration::zero()) throughput_ = std::max((size_ / took_).bits_per_second(), 1.0);
  if (told_) throughput_ = std::max(told_->bits_per_second(), 1.0);
  size_ = {};
  took_ = {};
}

QualityChoice L2aAdaptation::choose(const AdaptationInput& input, const SegmentTable& table) {
  if (!history_.throughput()) return {QualityIndex{0}, "no segment measured yet: lowest"};
  look_at_measurements();
  std::string why = "is carried until the buffer is filled";
  if (chances_.empty()) {
    previous_ = to_index(history_.sustainable(input.segment, table, kSustained));
    if (level_at_transfer(input) >= kFilled) {
      chances_.assign(table.quality_count(), 0);
      chances_[previous_] = 1;
      multiplier_ = kCautious;
    }
  } else {
    std::vector<double> bitrates;
    for (std::size_t q = 0; q < table.quality_count(); ++q)
      bitrates.push_back(table.bitrate(static_cast<QualityIndex>(q)).bits_per_second());
    step(to_seconds(group_duration(input.segment, table)), bitrates);
    why = fmt::format("is nearest to {:.0f} kbit/s", mean(bitrates, chances_) / 1e3);
  }
  const auto chosen = static_cast<QualityIndex>(previous_);
  return {chosen, fmt::format("{} {} at {:.0f} kbit/s", table.quality_name(chosen), why, throughput_ / 1e3)};
}

void L2aAdaptation::step(double segment, const std::vector<double>& bitrates) {
  std::vector<double> moved = chances_;
  for (std::size_t q = 0; q < moved.size(); ++q) {
    const double sign = bitrates[q] > throughput_ ? -1 : 1;
    moved[q] += sign * segment / (2 * kAlpha) * (multiplier_ + kCautious) * bitrates[q] / throughput_;
  }
  moved = on_simplex(std::move(moved));
  const double now = mean(bitrates, moved), before = mean(bitrates, chances_);
  chances_ = std::move(moved);
  multiplier_ = std::max(0.0, multiplier_ - segment + segment * (2 * now - before) / throughput_);
  const auto nearest = std::ranges::min_element(bitrates, {}, [now](double b) { return std::abs(b - now); });
  const auto wanted = static_cast<std::size_t>(nearest - bitrates.begin());
  if (wanted <= previous_)
    previous_ = wanted;
  else if (bitrates[previous_ + 1] <= throughput_)
    ++previous_;
  if (bitrates[previous_] >= throughput_) multiplier_ = kReaction * std::max(kCautious, multiplier_);
}

}  // namespace tributary
