#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "transport/sockets/byte_stream.hh"
#include "units/data_rate.hh"
#include "units/data_size.hh"

namespace tributary::transport {

/// A rate that connections share. What one of them does not read, others may. For one thread.
class RateLimit {
 public:
  using Clock = std::function<Duration()>;

  /// The rate must be positive. `clock` never goes back.
  explicit RateLimit(DataRate rate, Clock clock = steady_time);

  DataRate rate() const { return rate_; }
  static Duration steady_time() { return std::chrono::steady_clock::now().time_since_epoch(); }

  /// The part of one connection, as long as that lasts.
  class Share {
   public:
    explicit Share(std::shared_ptr<RateLimit> limit);
    ~Share();
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    /// The number of bytes that may be read now.
    DataSize allowed();
    void took(DataSize size);
    /// The time until more may be read, if nothing may now.
    std::optional<Duration> held_for() const;

   private:
    std::shared_ptr<RateLimit> limit_;
    DataSize granted_;  // by the last allowed()
    Duration next_{};   // when it may read again
  };

 private:
  void fill();

  DataRate rate_;
  Clock clock_;
  Duration filled_at_;
  double bytes_ = 0;  // that may be read
  int shares_ = 0;
};

/// A connection that is read at no more than its share of a rate. What is not read waits in the system, which lets the
/// origin know (TCP's window).
class LimitedStream final : public ByteStream {
 public:
  LimitedStream(std::unique_ptr<ByteStream> stream, std::shared_ptr<RateLimit> limit)
      : stream_{std::move(stream)}, share_{std::move(limit)} {}

  State state() const override { return stream_->state(); }
  const Failure& failure() const override { return stream_->failure(); }
  std::size_t send(std::string_view bytes) override { return stream_->send(bytes); }
  Received receive(std::span<std::byte> buffer) override;
  std::string_view application_protocol() const override { return stream_->application_protocol(); }
  std::optional<RoundTrip> round_trip() const override { return stream_->round_trip(); }
  std::optional<Duration> silence() const override { return stream_->silence(); }
  std::optional<Duration> silence_of_peer() const override { return stream_->silence_of_peer(); }
  bool reached() const override { return stream_->reached(); }
  std::optional<Duration> held_for() const override { return share_.held_for(); }

 private:
  std::unique_ptr<ByteStream> stream_;
  RateLimit::Share share_;
};

}  // namespace tributary::transport
