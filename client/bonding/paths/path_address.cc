#include "bonding/paths/path_address.hh"

#include <sodium.h>

#include <utility>

namespace tributary::bonding {

bool PathAddress::came_from(const PeerAddress& from, DataSize size, bool newest) {
  if (from == address_) {
    if (newest) candidate_.reset();
    if (!proven_) credit_ += size;
    return false;
  }
  if (!newest && from != candidate_) return false;
  if (candidate_ != from) {
    candidate_ = from;
    credit_ = {};
    challenge_.reset();
  }
  credit_ += size;
  return true;
}

PathAddress::Challenge PathAddress::challenge() {
  const PeerAddress& to = candidate_ ? *candidate_ : address_;
  // The same token until it is answered: any of several challenges may arrive.
  if (!challenge_ || challenge_->to != to) {
    challenge_ = Challenge{to, {}};
    randombytes_buf(challenge_->token.data(), challenge_->token.size());
  }
  return *challenge_;
}

bool PathAddress::answered(const ChallengeToken& token) {
  if (!challenge_ || sodium_memcmp(challenge_->token.data(), token.data(), token.size()) != 0) return false;
  address_ = std::exchange(challenge_, std::nullopt)->to;
  candidate_.reset();
  proven_ = true;
  return true;
}

bool PathAddress::may_send(const PeerAddress& to, DataSize size) {
  if (to == address_ && proven_) return true;
  if (size > credit_) return false;
  credit_ -= size;
  return true;
}

}  // namespace tributary::bonding
