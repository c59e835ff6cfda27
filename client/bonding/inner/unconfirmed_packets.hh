#pragma once

#include <map>
#include <optional>

#include "bonding/wire/bytes.hh"
#include "bonding/wire/identifiers.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary::bonding {

/// Copies of inner packets that may have to be sent again, because their path may be dead. Beyond 4 MB the oldest are
/// forgotten.
class UnconfirmedPackets {
 public:
  static constexpr DataSize kMost{4'000'000};

  struct Copy {
    Bytes packet;
    TimePoint first_sent_at{};
  };

  void sent(GlobalSequence sequence, Bytes packet, TimePoint now) {
    size_ += size_of(packet);
    copies_.emplace(sequence, Copy{std::move(packet), now});
    while (size_ > kMost) forget(copies_.begin());
  }
  /// It has arrived, or is given up.
  void settled(GlobalSequence sequence) {
    const auto found = copies_.find(sequence);
    if (found != copies_.end()) forget(found);
  }
  /// Nothing if it is settled or forgotten.
  const Copy* find(GlobalSequence sequence) const {
    const auto found = copies_.find(sequence);
    return found == copies_.end() ? nullptr : &found->second;
  }
  DataSize size() const { return size_; }

 private:
  using Copies = std::map<GlobalSequence, Copy>;
  void forget(Copies::iterator copy) {
    size_ -= size_of(copy->second.packet);
    copies_.erase(copy);
  }

  Copies copies_;
  DataSize size_;
};

}  // namespace tributary::bonding
