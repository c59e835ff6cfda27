#pragma once

#include <sys/socket.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace tributary::transport {

/// Whether an address is one of the internet: it is public (public_address.hh), and the routes of this machine lead to it
/// through a router (near_address.hh). `link`: over which it is to be reached; empty: any.
bool is_of_internet(const sockaddr& address, const std::string& link);

/// The same of an address as text, over any link. What is no address does not.
bool leads_to_internet(const std::string& address);

/// What is told of an address that a title of the internet may not lead to.
std::string why_refused(const std::string& address);

/// Keeps a title that comes from the internet away from this machine and its neighbours. A title that comes from an address
/// of these may lead anywhere. The address that counts is the one that a connection really leads to, whatever names
/// resolve to before and after. One object for each title, for all of its connections. Thread-safe.
class AddressGuard {
 public:
  using Judge = std::function<bool(const sockaddr& address, const std::string& link)>;
  /// `url`: of the manifest, or of the folder that has it.
  explicit AddressGuard(std::string url, Judge judge = is_of_internet)
      : manifests_{std::move(url)}, judge_{std::move(judge)} {}

  /// The manifest is looked for at this URL, too.
  void has_manifest_at(const std::string& url);
  bool is_of_manifest(const std::string& url) const;
  /// The title's manifest comes from an address of the internet. There is no way back.
  void title_is_of_internet() { title_is_of_internet_ = true; }
  bool refuses_near_ones() const { return title_is_of_internet_; }
  bool is_far(const sockaddr& address, const std::string& link) const { return judge_(address, link); }

  /// To be called before the guard is used. `tell` is called once for each address that is refused, from any thread.
  void tell_refusals(std::function<void(const std::string& why)> tell) { tell_ = std::move(tell); }
  void has_refused(const std::string& address);

 private:
  mutable std::mutex mutex_;
  std::set<std::string> manifests_, refused_;
  Judge judge_;
  std::function<void(const std::string& why)> tell_ = [](const std::string& /*why*/) {};
  std::atomic<bool> title_is_of_internet_ = false;
};

/// The guard's part in one transfer, and in the redirections that follow from it.
class GuardedTransfer {
 public:
  /// A null guard admits all. Where `url` is the manifest's, the address that it leads to tells the guard what may follow.
  GuardedTransfer(std::shared_ptr<AddressGuard> guard, std::string link, const std::string& url)
      : guard_{std::move(guard)}, link_{std::move(link)}, decides_{guard_ && guard_->is_of_manifest(url)} {}

  /// Whether a connection to the address may be made.
  bool may_connect(const sockaddr& address);
  /// Whether a request may be sent to the address, as text, that a connection leads to.
  bool may_ask(const std::string& address);
  /// The address that was refused, and no connection was tried to another one; empty: there is none.
  const std::string& refused() const { return refused_; }

 private:
  std::shared_ptr<AddressGuard> guard_;
  std::string link_;
  bool decides_;
  bool was_far_ = false;        // an earlier request of the transfer was sent to the internet
  bool tried_another_ = false;  // since the last request
  std::string refused_;
};

}  // namespace tributary::transport
