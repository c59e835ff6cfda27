#pragma once

#include <chrono>

#include "units/data_rate.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Whether the answers beside a session are worth their link, compared once a second. The session is seen to be ahead in
/// what has become of the file: bytes that both have brought are there once.
class PaceComparison {
 public:
  struct Sizes {
    DataSize all;  // of the object, whoever brought it
    DataSize own;  // that the answers brought
  };
  explicit PaceComparison(Sizes sizes) : before_{sizes} {}

  /// A second begins now.
  void begin_second(Sizes sizes, TimePoint now) {
    before_ = sizes;
    due_at_ = now + kEvery;
  }
  /// The same, with another answer.
  void begin_anew(Sizes sizes, TimePoint now) {
    begin_second(sizes, now);
    behind_ = 0;
  }
  TimePoint due_at() const { return due_at_; }
  /// To be called when it is due. True if the session brought more than the answers, twice in a row. While it has to leave
  /// the link to the first answer, it proves nothing.
  bool compare(Sizes sizes, bool proves, TimePoint now) {
    const DataSize all = sizes.all - before_.all, own = sizes.own - before_.own;
    rate_ = own / (now - due_at_ + kEvery);
    behind_ = proves && all > own + own ? behind_ + 1 : 0;
    begin_second(sizes, now);
    return behind_ >= kMostBehind;
  }
  /// Of the answers, in the last second.
  DataRate rate() const { return rate_; }

 private:
  static constexpr Duration kEvery = std::chrono::seconds{1};
  static constexpr int kMostBehind = 2;

  Sizes before_;
  TimePoint due_at_{kEvery};
  DataRate rate_;
  int behind_ = 0;  // times in a row
};

}  // namespace tributary
