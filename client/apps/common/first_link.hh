#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "units/failure_reason.hh"

namespace tributary {

/// No link brought what was asked for. The text says for each link what was tried and what came back.
class NoLinkWorked : public std::runtime_error {
 public:
  NoLinkWorked(FailureReason why, const std::string& text) : std::runtime_error{text}, reason{why} {}
  FailureReason reason;  // on the last link that was tried
};

/// Calls `fetch` with one link after another that leads to the addresses (of those that were named, if any were), until
/// it does not throw transport::FetchError. Throws NoLinkWorked if it always did.
void over_first_link(const std::string& url, const std::vector<std::string>& addresses,
                     const std::vector<std::string>& only,
                     const std::function<void(const std::string& link)>& fetch);

}  // namespace tributary
