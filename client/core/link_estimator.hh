#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "core/session_options.hh"
#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Knows what one link has carried lately. Answers on a link come one after the other: the link turns to a request when it
/// is sent, or when the one before it ends, whichever is later.
class LinkEstimator {
 public:
  virtual ~LinkEstimator() = default;

  /// The first byte of the answer to the oldest request came.
  virtual void response_began(TimePoint /*at*/) {}
  /// So much came of the answer to a request that was sent then.
  virtual void received(DataSize /*size*/, TimePoint /*sent*/, TimePoint /*at*/) {}
  void request_done(DataSize size, TimePoint sent, TimePoint done) {
    measured(not_measured(size), done - begin(sent));
    answered(size, sent, done);
    end_answer(done);
  }
  /// The link turned away from a request that will not be measured any further.
  virtual void request_failed(TimePoint at) { end_answer(at); }
  /// What comes next needs a new connection.
  virtual void connection_lost() {}

  /// By the requests that are done; nothing if nothing was measured yet.
  virtual std::optional<DataRate> throughput() const = 0;
  /// What the link seems to carry at this moment, with `received` bytes of the request that it answers: the average, of
  /// which the answer takes the place as it comes, or does not come.
  std::optional<DataRate> rate_now(DataSize received, TimePoint sent, TimePoint now) const {
    return with(not_measured(received), now - begin(sent));
  }
  /// The same, as far as a quality may count on it.
  std::optional<DataRate> dependable_rate(DataSize received, TimePoint sent, TimePoint now) const {
    return dependable(not_measured(received), now - begin(sent));
  }

  /// What rate_now() does not exceed, if there is one: that is sooner said.
  std::optional<DataRate> most_now(DataSize received, TimePoint sent, TimePoint now) const {
    return at_most(not_measured(received), now - begin(sent));
  }

  /// When the link turned to a request.
  TimePoint begin(TimePoint sent) const { return last_end_ ? std::max(*last_end_, sent) : sent; }

 protected:
  virtual void measured(DataSize size, Duration took) = 0;
  virtual void answered(DataSize /*size*/, TimePoint /*sent*/, TimePoint /*done*/) {}
  virtual std::optional<DataRate> with(DataSize received, Duration in) const = 0;
  virtual std::optional<DataRate> at_most(DataSize received, Duration in) const { return with(received, in); }
  virtual std::optional<DataRate> dependable(DataSize /*received*/, Duration /*in*/) const { return throughput(); }

  std::optional<TimePoint> last_end_;  // of an answer, or of a piece of one
  DataSize measured_pieces_, piece_;   // of the answer that is coming

 private:
  DataSize not_measured(DataSize size) const { return std::max(size - measured_pieces_, DataSize{}); }
  void end_answer(TimePoint at) {
    last_end_ = at;
    measured_pieces_ = piece_ = {};
  }
};

/// How long a subsegment takes is measured, and averaged with the average before, half and half (thesis section 4.2.4). What
/// is averaged is time per byte, not rate: bytes that waited behind a lost packet arrive in a burst, whose rate says
/// nothing, and which can then no more than halve the time. A pipelined request has no waiting time in it, one that found the
/// link idle has a round trip in it, as the thesis wants it.
///
/// A link that crawls is asked for little, and seldom, so that halving the time would take it minutes to be seen to have come back.
/// The first request of some size that says that the crawl is over brings back what was known before. Nor does a link carry less for
/// having been lost: the first answer over its new connection is measured from its first byte, without the time until it was connected.
class SubsegmentTimes : public LinkEstimator {
 public:
  void response_began(TimePoint at) override;
  void request_failed(TimePoint at) override;
  void connection_lost() override { new_connection_ = true; }
  std::optional<DataRate> throughput() const override;

 private:
  void measured(DataSize size, Duration took) override;
  std::optional<DataRate> with(DataSize received, Duration in) const override;
  void look_for_crawl();
  void take_in(double seconds_per_byte);

  DataSize measured_;
  Duration measured_for_{};
  std::optional<double> average_seconds_per_byte_;
  std::optional<double> before_crawl_;
  bool new_connection_ = false;  // brings the next answer, instead of one that was lost
};

/// Bytes by the time in which the link was busy bringing them; what is longer ago counts less, however large the requests
/// were: an answer that takes long is measured in pieces, so that a link that comes back in the middle of one is seen to. Neither idle time is in it nor the wait for a first byte, which the plan knows of by itself. A rise has to last for
/// some time before it is depended on.
///
/// A link so fast that each answer is there in one moment (the machine's own, a cable) is never busy. It carries at least what came,
/// in the time that was waited for it.
class BusyRate : public LinkEstimator {
 public:
  void response_began(TimePoint at) override {
    before_answer_ = last_end_;
    last_end_ = last_end_ ? std::max(*last_end_, at) : at;
  }
  void received(DataSize size, TimePoint sent, TimePoint at) override;
  std::optional<DataRate> throughput() const override { return with({}, {}); }

  /// Since the beginning, nothing forgotten.
  struct Measured {
    DataSize size;
    Duration busy{};
  };
  Measured in_all() const { return in_all_; }

 private:
  struct Carried {
    double bytes = 0, seconds = 0;
    Carried followed_by(DataSize more, Duration in, double memory) const;
    std::optional<DataRate> rate() const;
  };

  void measured(DataSize size, Duration took) override;
  void answered(DataSize size, TimePoint sent, TimePoint done) override;
  std::optional<DataRate> with(DataSize received, Duration in) const override;
  std::optional<DataRate> at_most(DataSize received, Duration in) const override;
  std::optional<DataRate> dependable(DataSize received, Duration in) const override;
  bool known() const;

  Carried lately_, longer_;
  Measured in_all_;
  Measured waited_for_;                     // as long as it was never busy
  std::optional<TimePoint> before_answer_;  // the end of the one before
};

std::unique_ptr<LinkEstimator> make_estimator(SubsegmentApproach approach);

}  // namespace tributary
