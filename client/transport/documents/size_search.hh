#pragma once

#include <optional>
#include <string>

#include "transport/connections/curl_loop.hh"
#include "transport/connections/link_rules.hh"
#include "transport/documents/end_search.hh"
#include "transport/documents/object_fetch.hh"

namespace tributary::transport {

/// Asks the questions of an EndSearch over one link, each as soon as the one before is answered. Of each answer only the
/// head is read.
class SizeSearch {
 public:
  enum class State { kAsks, kKnown, kInVain };

  /// `known`: the range of the object that an answer has brought. The loop must outlive it. Begins.
  SizeSearch(CurlLoop& loop, std::string url, LinkRules rules, ByteRange known);

  /// To be called whenever an answer may have come.
  State advance();
  /// Once it is known.
  std::optional<DataSize> size() const { return end_.size(); }

 private:
  State ask_next();

  CurlLoop& loop_;
  std::string url_;
  LinkRules rules_;
  EndSearch end_;
  std::optional<ObjectFetch> question_;  // as long as its answer is waited for
  State state_;                          // last: the first question begins it
};

}  // namespace tributary::transport
