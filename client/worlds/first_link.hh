#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include "core/link_use.hh"
#include "links/link_monitor.hh"
#include "units/failure_reason.hh"

namespace tributary {

/// No link brought what was asked for. The text says for each link what was tried and what came back.
class NoLinkWorked : public std::runtime_error {
 public:
  NoLinkWorked(FailureReason why, bool asked, const std::string& text)
      : std::runtime_error{text}, reason{why}, tried{asked} {}
  FailureReason reason;  // on the last link that was tried
  bool tried;            // there was a link to try
};

/// What a link of this name may be used for.
using UseOfLink = std::function<LinkUse(const std::string& link)>;

/// Calls `fetch` with one link after another that the monitor, which is fresh, calls usable, until it does not throw
/// transport::FetchError: first with those that may be used, then with those for when they are needed. Throws NoLinkWorked if
/// it always did.
void over_first_link(const std::string& url, LinkMonitor& monitor, const UseOfLink& use,
                     const std::function<void(const std::string& link)>& fetch);

/// All links may be used.
inline LinkUse use_any_link(const std::string& /*link*/) { return LinkUse::kUse; }

}  // namespace tributary
