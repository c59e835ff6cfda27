#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lend/daily_use.hh"
#include "lend/member_shares.hh"
#include "lend/places.hh"
#include "lend/surroundings.hh"
#include "lending/identity/code_file.hh"
#include "lending/identity/identity.hh"
#include "lending/identity/lender_status.hh"
#include "lending/identity/peers.hh"
#include "lending/pairing_desk.hh"
#include "lending/reachable.hh"

namespace tributary::lending {

/// Who borrows, what may be borrowed, and who wants to be a member: what all connections of a lender share. For one
/// thread.
class Lender {
 public:
  struct Options {
    std::string name;
    std::optional<std::string> link{};
    Reachable reachable{};
    LendingLimits limits{};
    std::filesystem::path folder{};  // of the user's files for lending
  };
  using Say = std::function<void(const std::string& text)>;

  /// `log`: a line for each thing that the lender may want to read later. Throws std::runtime_error.
  Lender(const boost::asio::any_io_executor& executor, Options options, Say log);

  const Identity& identity() const { return identity_; }
  const Options& options() const { return options_; }
  Surroundings& surroundings() { return surroundings_; }
  const Say& log() const { return log_; }
  void came(std::size_t bytes) { shares_.came(bytes); }
  /// Those for connections.
  Places& places() { return places_; }

  // ---- Members

  /// Null: it is none.
  const Peer* member(const MemberKey& key) const;
  std::shared_ptr<MemberShare> share_for_use(const Peer& member);
  /// Null: it has as many programs that ask for the status as it may.
  Turns::Turn begin_to_watch(const Peer& member) { return shares_.of(member)->watchers().try_begin(); }
  LenderStatus status_for(const Peer& member, const IpAddress& address, const std::set<std::string>& gateways);
  /// The file has changed. A file that cannot be read leaves members as they were.
  void read_members();

  // ---- Pairing

  PairingDesk& desk() { return desk_; }
  const CodeFile& code_file() const { return code_file_; }
  /// The file has changed.
  void read_code(TimePoint now);
  /// Somebody knows the code. Returns our name for it.
  std::string admit(Peer peer);
  /// No code can be tried any more.
  void close_desk();

  // ---- Time

  /// To be called each MemberShares::kTick while somebody borrows.
  void tick(TimePoint now) {
    shares_.tick([this] { return surroundings_.received(); }, now);
  }
  /// Or while nobody can, because the owner takes all: nobody else would see when that ends.
  bool is_borrowed() const { return shares_.any() || shares_.is_taken(); }
  /// Expires when somebody begins to borrow.
  boost::asio::steady_timer& somebody_borrows() { return somebody_; }
  /// To be called at the end: what was taken of caps and not used is given back.
  void settle() { shares_.settle(); }
  /// To be called each few seconds: interfaces come and go, and members have lent us something.
  void look(TimePoint now);

 private:
  Options options_;
  Say log_;
  Identity identity_;
  PeersFile members_file_, lenders_file_;
  CodeFile code_file_;
  Surroundings surroundings_;
  std::string said_;  // why nothing can be lent
  Places places_;
  DailyUse use_;
  MemberShares shares_;
  boost::asio::steady_timer somebody_;
  std::vector<Peer> members_;
  PairingDesk desk_;
};

}  // namespace tributary::lending
