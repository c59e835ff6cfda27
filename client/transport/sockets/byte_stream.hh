#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "units/failure_reason.hh"
#include "units/round_trip.hh"

namespace tributary::transport {

/// The state of a byte stream after a read.
/// kCutOff: closed, without the end that encryption announces (close_notify).
enum class StreamStatus { kOpen, kClosed, kCutOff, kReset };

/// A connection to the origin that carries bytes both ways, in order. The constructor begins to connect, and the
/// destructor closes. No call waits.
class ByteStream {
 public:
  virtual ~ByteStream() = default;

  enum class State { kConnecting, kConnected, kFailed };
  virtual State state() const = 0;

  struct Failure {
    FailureReason reason{};
    std::string detail;
  };
  /// The reason why the connection failed; only in state kFailed.
  virtual const Failure& failure() const = 0;

  /// Takes bytes from the front, and returns their number; it is lower than given if more would have to wait. A broken
  /// connection takes none; receive() tells that it is broken. Only in state kConnected, as receive().
  virtual std::size_t send(std::string_view bytes) = 0;

  struct Received {
    std::size_t size = 0;  // 0 with kOpen: no bytes are there now
    StreamStatus status = StreamStatus::kOpen;
  };
  virtual Received receive(std::span<std::byte> buffer) = 0;

  /// The protocol that the origin chose (ALPN, RFC 7301), such as "h2"; empty if none. Only in state kConnected.
  virtual std::string_view application_protocol() const { return {}; }

  /// Nothing until it is known.
  virtual std::optional<RoundTrip> round_trip() const = 0;

  /// Time since the system last received data, which may not be readable yet: TLS records of up to 16 kB are read
  /// whole. Nothing if unknown.
  virtual std::optional<Duration> silence() const { return std::nullopt; }
  /// Time since the other end's system last sent anything, be it an answer to keep-alive, which asks after a second.
  /// Nothing if unknown.
  virtual std::optional<Duration> silence_of_peer() const { return std::nullopt; }
  /// While connecting: the other end's system has answered, and only the TLS handshake is left.
  virtual bool reached() const { return false; }
  /// receive() gives nothing before this time is over, whatever has come. Nothing: it gives what has come.
  virtual std::optional<Duration> held_for() const { return std::nullopt; }
};

}  // namespace tributary::transport
