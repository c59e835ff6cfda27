#pragma once

#include <memory>
#include <string>

#include "stream_origin.hh"

namespace tributary::testing {

/// A server in a network namespace of its own, and the calling thread in another one, from which two links, "wifi" and "lte",
/// lead to it. There is no way back for the thread, and none is needed: each test takes a fresh pair.
class TwoLinks {
 public:
  /// Throws NotAllowed if this machine does not let us.
  struct NotAllowed {};
  explicit TwoLinks(const StreamOrigin::Content& content);

  const StreamOrigin& origin() const { return *origin_; }
  /// Of the index, on an address that both links lead to.
  std::string url() const;
  /// The same where nobody answers.
  static std::string url_of_nobody();

  /// The device appears (both are there at first), or is not there any more.
  void plug(const std::string& link) const;
  void unplug(const std::string& link) const;
  /// The carrier of a link.
  void set_carrier(const std::string& link, bool on) const;
  /// The link looks as if it were up, and nothing comes back over it.
  void set_silent(const std::string& link, bool silent) const;

 private:
  void at_the_server(const std::string& ip_arguments) const;

  std::unique_ptr<StreamOrigin> origin_;
};

}  // namespace tributary::testing
