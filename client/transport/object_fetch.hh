#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "transport/curl_loop.hh"
#include "transport/document_fetch.hh"
#include "transport/link_rules.hh"
#include "units/data_size.hh"

namespace tributary::transport {

/// What an origin says of an object.
struct ObjectHead {
  std::string url;               // where it was found in the end, after redirects
  std::optional<DataSize> size;  // of the whole object
  bool ranges = false;           // a range was asked for, and came
  std::string etag, last_modified, content_type;
  Duration waited{};  // from the request to the first byte of the answer
};

/// Asks for an object over one link: for its first byte, to learn what it is, or for all of it. An origin that does not
/// know ranges answers with the whole object in any case: it is taken, because nothing else can be had. On a connection of its own; begins when it is
/// made, makes progress while the loop waits, and is given up when it is destroyed.
class ObjectFetch {
 public:
  /// Is told each piece of a whole object in order, with the head that it belongs to, and may throw.
  using TakeBody = std::function<void(const ObjectHead& head, std::span<const std::byte> bytes)>;

  enum class Wanted { kFirstByte, kWhole };
  ObjectFetch(CurlLoop& loop, const std::string& url, const LinkRules& rules, Wanted wanted, TakeBody take);
  ~ObjectFetch();

  /// The head, once, when all of the answer has come; nothing before. Throws FetchError if it cannot be had, and what
  /// `take` threw.
  std::optional<ObjectHead> result();

 private:
  class Transfer;
  std::unique_ptr<Transfer> transfer_;
};

}  // namespace tributary::transport
