#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "units/session_clock.hh"

namespace tributary {
class LinkCatalogue;
struct Way;
}  // namespace tributary

namespace tributary::transport {

class AddressGuard;
class CookieJar;
class KeptConnections;
struct Origin;
struct OwnFields;
class Preconnections;
class RateLimit;

/// The version of HTTP on a connection: a row of the table in link_transport.cc. Those that no code names have no
/// enumerator.
enum class HttpVersion { kAuto, kHttp1, kHttp2 };
/// Their names in options.
std::span<const std::string_view> names_of(HttpVersion any);

/// How connections over one link are made.
struct LinkRules {
  std::string link;                                  // its name; empty: the routing table chooses
  std::string ca_file;                               // trusted certificates; empty: the system's
  HttpVersion http = HttpVersion::kAuto;             // for ranges; documents always come by HTTP/1.1
  std::shared_ptr<AddressGuard> guard = {};          // of the title (address_guard.hh); null: connections go anywhere
  std::shared_ptr<const OwnFields> own_fields = {};  // of the user; null: none
  std::shared_ptr<RateLimit> rate_limit = {};        // of all connections together; null: none
  /// Where there is one to the origin over the link, it is taken before another is made. Null: there are none.
  std::shared_ptr<Preconnections> preconnections = {};
  std::shared_ptr<CookieJar> cookies = {};     // of the title; null: those of the program (CookieJar::of)
  std::shared_ptr<KeptConnections> kept = {};  // for documents; null: each has a connection of its own
  /// With the TLS handshake. PipelinedTransport has a shorter limit for TCP alone.
  Duration connect_timeout = std::chrono::seconds{45};

  std::shared_ptr<const LinkCatalogue> catalogue = {};  // of links; null: they are interfaces of this machine

  /// How an origin is dialled over the link.
  Way way(const Origin& origin) const;
  /// The same over another link.
  LinkRules over(std::string name) const {
    LinkRules rules = *this;
    rules.link = std::move(name);
    return rules;
  }
};

}  // namespace tributary::transport
