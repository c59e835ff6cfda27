#include "transport/sockets/rate_limit.hh"

#include <algorithm>
#include <utility>

namespace tributary::transport {
namespace {

using namespace std::chrono_literals;

constexpr Duration kBetweenReads = 20ms;  // of a connection: between them, others have their turn
constexpr Duration kMostSaved = 500ms;    // of the rate, for a connection that had nothing to read

}  // namespace

RateLimit::RateLimit(DataRate rate, Clock clock) : rate_{rate}, clock_{std::move(clock)}, filled_at_{clock_()} {}

void RateLimit::fill() {
  const Duration now = clock_();
  const double each_second = rate_.bits_per_second() / 8;
  const double most = std::max(each_second * to_seconds(kMostSaved), 1.0);
  bytes_ = std::min(bytes_ + each_second * to_seconds(now - filled_at_), most);
  filled_at_ = now;
}

RateLimit::Share::Share(std::shared_ptr<RateLimit> limit) : limit_{std::move(limit)} { ++limit_->shares_; }
RateLimit::Share::~Share() { --limit_->shares_; }

DataSize RateLimit::Share::allowed() {
  granted_ = {};
  if (held_for()) return granted_;
  limit_->fill();
  return granted_ = DataSize{static_cast<std::int64_t>(limit_->bytes_ / limit_->shares_)};
}

void RateLimit::Share::took(DataSize size) {
  limit_->bytes_ -= static_cast<double>(size.bytes());
  if (size == granted_) next_ = limit_->clock_() + kBetweenReads;
}

std::optional<Duration> RateLimit::Share::held_for() const {
  const Duration left = next_ - limit_->clock_();
  return left > Duration{} ? std::optional{left} : std::nullopt;
}

ByteStream::Received LimitedStream::receive(std::span<std::byte> buffer) {
  const auto allowed = static_cast<std::size_t>(share_.allowed().bytes());
  if (allowed == 0) {
    if (!share_.held_for()) share_.took({});
    return {};
  }
  const Received received = stream_->receive(buffer.first(std::min(allowed, buffer.size())));
  if (received.size > 0) share_.took(DataSize{static_cast<std::int64_t>(received.size)});
  return received;
}

}  // namespace tributary::transport
