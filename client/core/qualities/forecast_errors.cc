#include "core/qualities/forecast_errors.hh"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace tributary {
namespace {

constexpr double kKeep = 0.9;                                  // of the weight, with each segment
constexpr double kMostError = 2;                               // a link that died says nothing of the others
constexpr Duration kTooShort = std::chrono::milliseconds{50};  // to say anything
// Assumed before the first measurement, and beside the later ones: this number of forecasts with this error.
constexpr double kAssumed = 3, kAssumedError = 0.15;

}  // namespace

void ForecastErrors::expected(SegmentIndex segment, TimePoint now, Duration in) {
  while (!open_.empty() && open_.back().segment >= segment) open_.pop_back();  // from before a seek
  open_.push_back({segment, now, in});
}

void ForecastErrors::complete(SegmentIndex segment, TimePoint now) {
  while (!open_.empty() && open_.front().segment < segment) open_.pop_front();
  if (open_.empty() || open_.front().segment != segment) return;
  count(open_.front(), now);
  open_.pop_front();
}

void ForecastErrors::given_up(SegmentIndex segment, TimePoint would_be) {
  const auto found = std::ranges::find(open_, segment, &Forecast::segment);
  if (found == open_.end()) return;
  count(*found, would_be);
  open_.erase(found);
}

void ForecastErrors::count(const Forecast& forecast, TimePoint complete) {
  if (forecast.in < kTooShort) return;
  const double error = std::clamp(to_seconds(complete - forecast.made) / to_seconds(forecast.in) - 1, 0.0, kMostError);
  count_ = kKeep * count_ + 1;
  squares_ = kKeep * squares_ + error * error;
}

double ForecastErrors::spread() const {
  return std::sqrt((squares_ + kAssumed * kAssumedError * kAssumedError) / (count_ + kAssumed));
}

}  // namespace tributary
