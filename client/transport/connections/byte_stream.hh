#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "units/failure_reason.hh"
#include "units/round_trip.hh"

namespace tributary::transport {

/// How a byte stream stands after a read.
enum class StreamStatus { kOpen, kClosed, kReset };

/// A connection to the origin that carries bytes, both ways and in order. It begins to connect when it is
/// made, never waits, and ends when it is destroyed.
class ByteStream {
 public:
  virtual ~ByteStream() = default;

  enum class State { kConnecting, kConnected, kFailed };
  virtual State state() const = 0;

  struct Failure {
    FailureReason reason{};
    std::string detail;
  };
  /// Why it could not be connected; only in state kFailed.
  virtual const Failure& failure() const = 0;

  /// How many bytes were taken from the front; fewer than given when more would have to wait. A broken
  /// connection takes none and shows itself in receive(). Only in state kConnected, as receive().
  virtual std::size_t send(std::string_view bytes) = 0;

  struct Received {
    std::size_t size = 0;  // 0 with kOpen: nothing there now
    StreamStatus status = StreamStatus::kOpen;
  };
  virtual Received receive(std::span<std::byte> buffer) = 0;

  /// What the origin chose of the protocols it was offered (ALPN, RFC 7301), such as "h2"; empty if nothing. Only in state
  /// kConnected.
  virtual std::string_view application_protocol() const { return {}; }

  /// Smoothed round trip, once known.
  virtual std::optional<RoundTrip> round_trip() const = 0;

  /// So long ago the system has received something last, though it may not be readable yet: TLS comes in records of up to 16 kB,
  /// each as a whole. Nothing if that is not known.
  virtual std::optional<Duration> silence() const { return std::nullopt; }
  /// So long ago the other end's system has said something last, be it that it lives (keep-alive): asked for after a second. Nothing
  /// if that is not known.
  virtual std::optional<Duration> silence_of_peer() const { return std::nullopt; }
  /// While it connects: the other end's system has answered, and the rest is the origin's business (TLS).
  virtual bool reached() const { return false; }
};

}  // namespace tributary::transport
