#include "gst/player/seeks.hh"

#include <utility>

namespace tributary {
namespace {

constexpr Duration kOneSeek = std::chrono::milliseconds{200};

}  // namespace

bool Seeks::may_begin(Duration target, bool shown, Time now) {
  if (!target_ || !shown || now >= began_ + kOneSeek) return true;
  next_ = target;
  return false;
}

void Seeks::begin(Duration target, Time now) {
  next_.reset();
  target_ = target;
  began_ = now;
}

void Seeks::flushed(std::uint32_t number) {
  if (not_flushed_ == number) not_flushed_.reset();
}

std::optional<Duration> Seeks::arrived(std::optional<Duration> position) {
  const auto target = std::exchange(target_, std::nullopt);
  if (!target) return std::nullopt;
  last_ = position.value_or(*target);
  return next_ ? std::nullopt : std::optional{last_};
}

std::optional<Duration> Seeks::due(Time now) const { return now >= began_ + kOneSeek ? next_ : std::nullopt; }

void Seeks::played_to(Duration position) {
  if (!target_) last_ = position;
}

}  // namespace tributary
