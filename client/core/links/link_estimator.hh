#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "core/session_options.hh"
#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Knows the rate of one link. Answers on a link come one after the other: the link turns to a request when the request
/// is sent, or when the answer before it ends, whichever is later.
class LinkEstimator {
 public:
  virtual ~LinkEstimator() = default;

  /// The first byte of the answer to the oldest request came.
  virtual void response_began(TimePoint /*at*/) {}
  /// `size` bytes came of the answer to a request that was sent at `sent`.
  virtual void received(DataSize /*size*/, TimePoint /*sent*/, TimePoint /*at*/) {}
  /// An answer so far.
  struct Answer {
    DataSize size;
    TimePoint sent, last_byte;
  };
  /// Behind these bytes, `size` further ones came that tell nothing of the link, at `at`: the measurement goes on from there.
  void pause(const Answer& answer, DataSize size, TimePoint at) {
    const DataSize before = not_measured(answer.size);
    if (before > DataSize{}) measured(before, std::max(answer.last_byte - begin(answer.sent), Duration{}));
    measured_pieces_ = answer.size + size;
    piece_ = {};
    last_end_ = at;
  }
  void request_done(DataSize size, TimePoint sent, TimePoint done) {
    measured(not_measured(size), done - begin(sent));
    answered(size, sent, done);
    end_answer(done);
  }
  /// The link turned away from a request that will not be measured any further.
  virtual void request_failed(TimePoint at) { end_answer(at); }
  /// The next request needs a new connection.
  virtual void connection_lost() {}

  /// By the completed requests; nothing before the first measurement.
  virtual std::optional<DataRate> throughput() const = 0;
  /// The rate at this moment, with `received` bytes of the answer on its way: an average, of which that answer takes a
  /// part as it comes, or does not come.
  std::optional<DataRate> rate_now(DataSize received, TimePoint sent, TimePoint now) const {
    return with(not_measured(received), now - begin(sent));
  }
  /// The rate on which a quality may count.
  std::optional<DataRate> dependable_rate(DataSize received, TimePoint sent, TimePoint now) const {
    return dependable(not_measured(received), now - begin(sent));
  }

  /// A bound of rate_now(), if there is a rate; it is sooner computed.
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

/// Averages seconds per byte half and half with the average before (thesis section 4.2.4). Bytes behind a lost packet
/// arrive in a burst; an average of rates would multiply the estimate, and times can at most be halved. A pipelined
/// request has no waiting time in it; a request that found the link idle has a round trip in it.
///
/// A link that crawls is asked for little. The first fast answer after a crawl therefore brings back the average from
/// before it. The first answer over a new connection is measured from its first byte. docs/algorithms/scheduling.md has
/// the figures.
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
  bool new_connection_ = false;  // in place of a lost one; it brings the next answer
};

/// Averages the rates of answers half and half with the average before: the text of the thesis, section 4.2.4. An answer
/// takes as long as from its request, or from when the link turned to it, until its end.
class AverageThroughput : public LinkEstimator {
 public:
  explicit AverageThroughput(bool from_request) : from_request_{from_request} {}
  std::optional<DataRate> throughput() const override { return average_; }

 private:
  void measured(DataSize, Duration) override {}
  void answered(DataSize size, TimePoint sent, TimePoint done) override;
  std::optional<DataRate> with(DataSize, Duration) const override { return average_; }

  bool from_request_;
  std::optional<DataRate> average_;
};

/// Bytes over the time in which the link was busy bringing them, forgotten exponentially. An answer that takes long is
/// measured in pieces, so that a link that recovers in the middle of one is noticed. Idle time and the wait for a first
/// byte are left out, because the plan knows of them.
///
/// A link whose answers arrive in one moment is never busy. It carries at least the bytes that came in the time that
/// was waited for them.
class BusyRate : public LinkEstimator {
 public:
  void response_began(TimePoint at) override {
    before_answer_ = last_end_;
    last_end_ = last_end_ ? std::max(*last_end_, at) : at;
  }
  void received(DataSize size, TimePoint sent, TimePoint at) override;
  std::optional<DataRate> throughput() const override { return with({}, {}); }

  /// Since the beginning, without forgetting.
  struct Measured {
    DataSize size;
    Duration busy{};
  };
  Measured in_all() const { return in_all_; }

 private:
  struct Carried {
    double bytes = 0, seconds = 0;
    Carried followed_by(DataSize more, Duration in) const;
    std::optional<DataRate> rate() const;
  };

  void measured(DataSize size, Duration took) override;
  void answered(DataSize size, TimePoint sent, TimePoint done) override;
  std::optional<DataRate> with(DataSize received, Duration in) const override;
  std::optional<DataRate> at_most(DataSize received, Duration in) const override;
  std::optional<DataRate> dependable(DataSize received, Duration in) const override { return with(received, in); }
  bool known() const;

  Carried lately_;
  Measured in_all_;
  Measured waited_for_;                     // as long as it was never busy
  std::optional<TimePoint> before_answer_;  // the end of the one before
};

std::unique_ptr<LinkEstimator> make_estimator(SubsegmentApproach approach, LinkTiming timing);

}  // namespace tributary
