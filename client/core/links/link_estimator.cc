#include "core/links/link_estimator.hh"

#include <algorithm>
#include <cmath>

namespace tributary {
namespace {

// A subsegment of a few bytes arrives in the same packet as the one before: its rate says nothing. Small subsegments
// are measured together with the next ones until they have this size.
constexpr DataSize kSmallestMeasurement{20'000};
// Or until they have taken this long: a link that crawls is measured, too.
constexpr Duration kLongestMeasurement = std::chrono::seconds{1};
// A crawl takes kCrawl times as long as expected, and longer than lost packets explain. A measurement kCrawlIsOver
// times faster than the average of a crawl ends it.
constexpr double kCrawl = 2, kCrawlIsOver = 4;
constexpr Duration kLongestLoss = std::chrono::seconds{3};
// Seconds of busy time after which a measurement counts 1/e.
constexpr double kMemory = 0.5;
// Pieces of a long answer: half of the memory.
constexpr Duration kPiece = std::chrono::milliseconds{250};
constexpr double kRounding = 1 + 1e-9;

}  // namespace

void SubsegmentTimes::response_began(TimePoint at) {
  if (new_connection_) last_end_ = last_end_ ? std::max(*last_end_, at) : at;
  new_connection_ = false;
}

void SubsegmentTimes::request_failed(TimePoint at) {
  LinkEstimator::request_failed(at);
  connection_lost();
}

void SubsegmentTimes::measured(DataSize size, Duration took) {
  measured_ += size;
  measured_for_ += took;
  const DataSize smallest = before_crawl_ ? scale(kSmallestMeasurement, 0.5) : kSmallestMeasurement;
  if (measured_ < smallest && measured_for_ < kLongestMeasurement) return;
  if (measured_ == DataSize{} || measured_for_ <= Duration::zero()) return;
  look_for_crawl();
  take_in(to_seconds(measured_for_) / static_cast<double>(measured_.bytes()));
  measured_ = {};
  measured_for_ = {};
}

void SubsegmentTimes::take_in(double seconds_per_byte) {
  const double before = average_seconds_per_byte_.value_or(seconds_per_byte);
  const bool crawl_is_over = before_crawl_ && seconds_per_byte * kCrawlIsOver < before;
  const double average = crawl_is_over ? std::min(*before_crawl_, before) : (before + seconds_per_byte) / 2;
  average_seconds_per_byte_ = average;
  if (before_crawl_ && average < 2 * *before_crawl_) before_crawl_.reset();
}

void SubsegmentTimes::look_for_crawl() {
  if (before_crawl_ || !average_seconds_per_byte_) return;
  const Duration expected = from_seconds(*average_seconds_per_byte_ * static_cast<double>(measured_.bytes()));
  if (measured_for_ > kLongestLoss + kCrawl * expected) before_crawl_ = average_seconds_per_byte_;
}

std::optional<DataRate> SubsegmentTimes::throughput() const {
  if (!average_seconds_per_byte_) return std::nullopt;
  return DataRate::bits_per_second(8 / *average_seconds_per_byte_);
}

std::optional<DataRate> SubsegmentTimes::with(DataSize received, Duration in) const {
  if (!average_seconds_per_byte_) return std::nullopt;
  // As if kSmallestMeasurement had come at the average rate just before.
  const double before = static_cast<double>(kSmallestMeasurement.bytes());
  const double seconds = before * *average_seconds_per_byte_ + to_seconds(in);
  return DataRate::bits_per_second(8 * (before + static_cast<double>(received.bytes())) / seconds);
}

void AverageThroughput::answered(DataSize size, TimePoint sent, TimePoint done) {
  const Duration took = done - (from_request_ ? sent : begin(sent));
  if (size == DataSize{} || took <= Duration::zero()) return;
  const DataRate rate = size / took;
  average_ = average_ ? DataRate::bits_per_second((average_->bits_per_second() + rate.bits_per_second()) / 2) : rate;
}

BusyRate::Carried BusyRate::Carried::followed_by(DataSize more, Duration in) const {
  const double more_bytes = static_cast<double>(more.bytes()), more_seconds = to_seconds(in);
  if (more_seconds <= 0) return {bytes + more_bytes, seconds};
  const double keep = std::exp(-more_seconds / kMemory);
  const double weight = kMemory * (1 - keep);
  return {bytes * keep + more_bytes / more_seconds * weight, seconds * keep + weight};
}

std::optional<DataRate> BusyRate::Carried::rate() const {
  if (bytes <= 0 || seconds <= 0) return std::nullopt;
  return DataRate::bits_per_second(8 * bytes / seconds);
}

void BusyRate::measured(DataSize size, Duration took) {
  lately_ = lately_.followed_by(size, took);
  in_all_.size += size;
  in_all_.busy += took;
}

void BusyRate::answered(DataSize size, TimePoint sent, TimePoint done) {
  if (in_all_.busy > Duration::zero()) return;
  waited_for_.size += size;
  waited_for_.busy += done - (before_answer_ ? std::max(*before_answer_, sent) : sent);
}

void BusyRate::received(DataSize size, TimePoint sent, TimePoint at) {
  piece_ += size;
  const Duration took = at - begin(sent);
  if (took < kPiece) return;
  measured(piece_, took);
  measured_pieces_ += piece_;
  piece_ = {};
  last_end_ = at;
}

bool BusyRate::known() const { return in_all_.size >= kSmallestMeasurement || in_all_.busy >= kLongestMeasurement; }

std::optional<DataRate> BusyRate::with(DataSize received, Duration in) const {
  if (!known()) return std::nullopt;
  const auto rate = lately_.followed_by(received, in).rate();
  if (rate || waited_for_.busy <= Duration::zero()) return rate;
  return waited_for_.size / waited_for_.busy;
}

/// The rate is an average of those before and since.
std::optional<DataRate> BusyRate::at_most(DataSize received, Duration in) const {
  if (!known() || in <= Duration::zero() || lately_.seconds <= 0 || lately_.bytes <= 0) return with(received, in);
  return kRounding * std::max(received / in, DataRate::bits_per_second(8 * lately_.bytes / lately_.seconds));
}

std::unique_ptr<LinkEstimator> make_estimator(SubsegmentApproach approach, LinkTiming timing) {
  if (traits_of(approach).busy_rates) return std::make_unique<BusyRate>();
  if (timing != LinkTiming::kOurs) return std::make_unique<AverageThroughput>(timing == LinkTiming::kFromRequest);
  return std::make_unique<SubsegmentTimes>();
}

}  // namespace tributary
