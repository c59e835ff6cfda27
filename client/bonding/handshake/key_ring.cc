#include "bonding/handshake/key_ring.hh"

#include <cassert>

namespace tributary::bonding {

void KeyRing::seal_with(KeyGeneration generation, TimePoint now) {
  assert(of_[index(generation)]);
  if (generation == sealing_) return;
  sealing_ = generation;
  forgets_at_ = now + kOldOpenFor;
}

void KeyRing::wake(TimePoint now) {
  if (!forgets_at_ || *forgets_at_ > now) return;
  forgets_at_.reset();
  // The next generation may be there already, and wait for the peer.
  for (KeyGeneration old = after(after(sealing_)); old != sealing_; old = after(old)) of_[index(old)].reset();
}

Bytes KeyRing::seal(Use use, PacketHeader header, ByteSpan plain) const {
  header.generation = sealing_;
  return of_[index(sealing_)]->of(use).sealer.seal(header, plain);
}

std::optional<Bytes> KeyRing::open(Use use, const PacketHeader& header, ByteSpan sealed) const {
  const auto& keys = of_[index(header.generation)];
  return keys ? keys->of(use).opener.open(header, sealed) : std::nullopt;
}

}  // namespace tributary::bonding
