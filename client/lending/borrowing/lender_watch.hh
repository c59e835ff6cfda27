#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "lending/identity/identity.hh"
#include "lending/identity/lender_status.hh"
#include "lending/identity/peers.hh"
#include "transport/sockets/event_fd.hh"
#include "units/session_clock.hh"

namespace tributary::lending {

/// Keeps a connection to one lender, which tells over it what may be borrowed; finds the lender again where it has another
/// address, which counts once the lender answers there under its key. In a thread of its own. May be asked from any thread.
class LenderWatch {
 public:
  /// `lenders`: the file that is told a new address.
  LenderWatch(Peer lender, std::shared_ptr<const Identity> own, PeersFile lenders);
  ~LenderWatch();
  LenderWatch(const LenderWatch&) = delete;

  struct Known {
    std::optional<LenderStatus> status;  // nothing: it is not there
    std::string why_not;                 // then: "does not answer"
  };
  Known known() const;
  /// It has not said its first word, nor is it known that none comes: it is asked and looked for.
  bool is_being_asked() const;
  /// Waits for that.
  void wait_for_word(Duration most) const;
  std::string address() const;
  const Peer& lender() const { return lender_; }

  /// Signals it at each change, until it is forgotten.
  void tell(transport::EventFd& bell);
  void forget(transport::EventFd& bell);

 private:
  void run(const std::stop_token& stop);
  bool listen(const std::string& address, const std::stop_token& stop);
  std::vector<std::string> look_for_it(const std::stop_token& stop) const;
  void answered_at(const std::string& address);
  void set(Known known);
  void has_asked();

  const Peer lender_;
  std::shared_ptr<const Identity> own_;
  PeersFile lenders_;
  mutable std::mutex mutex_;  // of what follows
  std::string address_;       // where it answered last
  Known known_{std::nullopt, "it has not answered yet"};
  bool asked_ = false;
  mutable std::condition_variable heard_;
  std::set<transport::EventFd*> bells_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace tributary::lending
