#include "simulation/reno_sender.hh"

#include <algorithm>
#include <utility>

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr int kDuplicates = 3;
constexpr int kLimitedTransmit = 2;                            // RFC 3042
constexpr Duration kLeastTimeOut = 200ms, kMostTimeOut = 60s;  // the least of Linux; RFC 6298 has 1 s

}  // namespace

double RenoSender::halved() const { return std::max(in_flight() / 2, 2.0); }

std::vector<RenoSender::Segment> RenoSender::take_segments(TimePoint now) {
  std::vector<Segment> segments = std::exchange(again_, {});
  const int limited = duplicates_count() ? std::min(duplicates_, kLimitedTransmit) : 0;
  const double room = std::min(window_ + limited, allowed_);
  while (in_flight() + 1 <= room) {
    segments.push_back({next_, static_cast<std::uint32_t>(size_)});
    next_ += static_cast<std::uint64_t>(size_);
    if (next_ <= highest_) {
      ++retransmissions_;
    } else if (!timed_) {
      timed_ = {next_, now};
    }
    highest_ = std::max(highest_, next_);
  }
  return segments;
}

void RenoSender::send_again(std::uint64_t sequence) {
  again_.push_back({sequence, static_cast<std::uint32_t>(size_)});
  ++retransmissions_;
  timed_.reset();  // Karn
}

void RenoSender::acknowledged(std::uint64_t next_expected, TimePoint now) {
  if (next_expected < acknowledged_) return;
  if (next_expected > acknowledged_) {
    progress(next_expected, now);
  } else if (next_ > acknowledged_) {
    duplicate();
  }
}

void RenoSender::progress(std::uint64_t next_expected, TimePoint now) {
  const double newly = static_cast<double>(next_expected - acknowledged_) / static_cast<double>(size_);
  acknowledged_ = next_expected;
  next_ = std::max(next_, acknowledged_);
  duplicates_ = 0;
  measure(now);
  timer_ = now + time_out_;
  if (!recovering_) {
    window_ += window_ < threshold_ ? std::min(newly, 2.0) : newly / window_;  // RFC 3465
    return;
  }
  if (next_expected >= *recover_) {
    window_ = std::min(threshold_, std::max(in_flight(), 1.0) + 1);
    recovering_ = false;
    return;
  }
  send_again(acknowledged_);  // the next hole
  window_ = std::max(window_ - newly + 1, 1.0);
}

void RenoSender::duplicate() {
  ++duplicates_;
  if (recovering_) {
    ++window_;
  } else if (duplicates_ == kDuplicates && duplicates_count()) {
    threshold_ = halved();
    window_ = threshold_ + kDuplicates;
    recover_ = next_;
    recovering_ = true;
    send_again(acknowledged_);
  }
}

void RenoSender::measure(TimePoint now) {
  if (!timed_ || acknowledged_ < timed_->end) return;
  const Duration sample = now - timed_->sent;
  timed_.reset();
  if (!round_trip_) {
    round_trip_ = sample;
    deviation_ = sample / 2;
  } else {
    deviation_ = (3 * deviation_ + std::chrono::abs(*round_trip_ - sample)) / 4;
    round_trip_ = (7 * *round_trip_ + sample) / 8;
  }
  time_out_ = std::clamp<Duration>(*round_trip_ + 4 * deviation_, kLeastTimeOut, kMostTimeOut);
}

void RenoSender::wake(TimePoint now) {
  if (now < timer_) return;
  threshold_ = halved();
  window_ = 1;
  recover_ = highest_;
  recovering_ = false;
  duplicates_ = 0;
  next_ = acknowledged_;
  again_.clear();
  timed_.reset();
  time_out_ = std::min<Duration>(2 * time_out_, kMostTimeOut);
  timer_ = now + time_out_;
}

std::uint64_t RenoReceiver::got(const RenoSender::Segment& segment) {
  if (segment.sequence >= next_expected_) out_of_order_.insert(segment.sequence);
  while (out_of_order_.erase(next_expected_) == 1) next_expected_ += segment.length;
  return next_expected_;
}

}  // namespace tributary
