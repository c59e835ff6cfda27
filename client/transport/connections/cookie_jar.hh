#pragma once

#include <curl/curl.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "transport/connections/link_rules.hh"
#include "transport/connections/origin.hh"

namespace tributary::transport {

/// The cookies that origins have set with documents, such as a manifest (RFC 6265): all links send them, with documents
/// and with ranges. Cookies that come with ranges are not kept. Nothing is written to a disk. Thread-safe.
///
/// A program with several titles has a jar for each: the session of one is nothing to the other.
class CookieJar {
 public:
  /// That of the rules, or of the program, whose only title all of its connections are for.
  static std::shared_ptr<CookieJar> of(const LinkRules& rules);

  /// The transfers of this handle keep cookies, and begin with those of the jar.
  void give_to(CURL* handle);
  /// The jar gets the cookies of the handle, which has done a transfer.
  void take_from(CURL* handle);
  /// The value of the Cookie field of a request for this file: "name=value; other=value". Empty: there are none.
  std::string cookies_for(const FileLocation& file);

 private:
  std::mutex mutex_;
  std::map<std::string, std::string> lines_;  // as libcurl lists cookies, by domain, path and name
};

}  // namespace tributary::transport
