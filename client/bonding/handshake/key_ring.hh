#pragma once

#include <array>
#include <optional>

#include "bonding/handshake/session_keys.hh"
#include "bonding/wire/sealing.hh"
#include "units/session_clock.hh"

namespace tributary::bonding {

/// The keys of a connection, which are made anew every two minutes: whoever learns those of now reads only packets of these
/// two minutes. New keys open packets at once. The old ones still open what is on its way, and are forgotten after a minute.
///
/// A packet's number is never given again, whichever keys seal it.
class KeyRing {
 public:
  static constexpr Duration kOldOpenFor = std::chrono::minutes{1};
  /// Packets, and records on connections of TCP, have keys of their own, so that their numbers may be the same.
  enum class Use { kDatagrams, kRecords };

  explicit KeyRing(const SessionKeys& first) { put(KeyGeneration{}, first); }

  KeyGeneration sealing() const { return sealing_; }
  void put(KeyGeneration generation, const SessionKeys& keys) { of_[index(generation)].emplace(keys); }
  /// Seals with these keys from now on: the peer has them.
  void seal_with(KeyGeneration generation, TimePoint now);
  /// When wake() forgets the old keys.
  const std::optional<TimePoint>& forgets_at() const { return forgets_at_; }
  void wake(TimePoint now);

  /// `header` gets the generation.
  Bytes seal(Use use, PacketHeader header, ByteSpan plain) const;
  /// Nothing unless the peer has sealed it with keys that are still known.
  std::optional<Bytes> open(Use use, const PacketHeader& header, ByteSpan sealed) const;

 private:
  struct OneUse {
    Sealer sealer;
    Opener opener;
    explicit OneUse(const SessionKeys& keys) : sealer{keys.send}, opener{keys.receive} {}
  };
  struct Generation {
    OneUse datagrams, records;
    explicit Generation(const SessionKeys& keys) : datagrams{keys}, records{record_keys(keys)} {}
    const OneUse& of(Use use) const { return use == Use::kDatagrams ? datagrams : records; }
  };
  static std::size_t index(KeyGeneration generation) { return static_cast<std::size_t>(generation) % kGenerations; }

  std::array<std::optional<Generation>, kGenerations> of_;
  KeyGeneration sealing_{};
  std::optional<TimePoint> forgets_at_;
};

}  // namespace tributary::bonding
