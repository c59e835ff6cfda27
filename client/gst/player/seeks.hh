#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "units/session_clock.hh"

namespace tributary {

/// Which seek is under way, which one waits, and where the title was before. A dragged slider seeks faster than pictures come: a seek waits until
/// the last one has shown a picture, or has had its time.
class Seeks {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit Seeks(Duration start) : last_{start}, target_{start > Duration{} ? std::optional{start} : std::nullopt} {}

  /// False: another seek has begun lately, and this one waits for it. `shown`: the title has shown a picture before.
  bool may_begin(Duration target, bool shown, Time now);
  void begin(Duration target, Time now);
  /// With that number; nothing: it failed.
  void sent(std::optional<std::uint32_t> number) { not_flushed_ = number; }
  void flushed(std::uint32_t number);
  /// Whether messages of the pipeline about pictures are of the time behind the last seek.
  bool up_to_date() const { return !not_flushed_; }
  /// The first frame is there; the pipeline says at which position. Returns it if a seek ends with it, and none waits.
  std::optional<Duration> arrived(std::optional<Duration> position);
  /// The target of the seek that waits, once the last one has had its time.
  std::optional<Duration> due(Time now) const;
  std::optional<Duration> waiting() const { return next_; }

  /// Of the seek that waits or is under way.
  std::optional<Duration> target() const { return next_ ? next_ : target_; }
  /// Where the pipeline was last.
  Duration last() const { return last_; }
  void played_to(Duration position);

 private:
  Duration last_;
  std::optional<Duration> target_, next_;
  Time began_;
  std::optional<std::uint32_t> not_flushed_;  // the last seek, until its flush
};

}  // namespace tributary
