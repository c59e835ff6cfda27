#include "bonding/handshake/admission.hh"

#include <utility>

namespace tributary::bonding {

void Admission::let_in(ClientList clients) {
  clients_ = std::move(clients);
  std::erase_if(known_, [&](const auto& entry) { return !knows(entry.first); });
}

bool Admission::is_new(const PublicKey& client, HelloTime made_at) const {
  const auto found = known_.find(client);
  return found == known_.end() || made_at > found->second.newest;
}

bool Admission::admits(const PublicKey& client, HelloTime made_at, TimePoint now) {
  Known& known = known_[client];
  if (!known.begins.take(now)) return false;
  known.newest = made_at;
  return true;
}

}  // namespace tributary::bonding
