#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "manifests/live/live_title.hh"
#include "presentation/presentation.hh"
#include "transport/connections/kept_connections.hh"
#include "transport/connections/link_rules.hh"
#include "transport/connections/origin.hh"
#include "transport/connections/preconnections.hh"
#include "transport/documents/document_fetch.hh"
#include "units/text/alternative_addresses.hh"
#include "worlds/discovery/first_link.hh"
#include "worlds/discovery/manifest_lookup.hh"
#include "worlds/network_world.hh"

namespace tributary {

/// A presentation, and the way to its files.
struct FoundPresentation {
  Presentation presentation;
  std::vector<std::string> left_out;               // of it, and why; for people
  AlternativeAddresses alternatives;               // of its files
  std::unique_ptr<LiveTitle> live;                 // of an MPD or playlists that go on
  transport::FileLocation location;                // of the manifest, after redirects
  std::vector<std::string> addresses;              // of its origin
  std::shared_ptr<transport::AddressGuard> guard;  // of all that the title names
  Duration waited{};                               // from the request to the first byte of the answer
  /// To the origin, for the session. Null: nobody told that there will be one.
  std::shared_ptr<transport::Preconnections> preconnections;
};

/// The session that follows a search: it connects by these rules, in this loop, which must outlive what is found. Where
/// the rules have no preconnections, the search makes them.
struct SessionToCome {
  transport::CurlLoop& loop;
  transport::LinkRules rules;
  bool goes_on_with_answer = false;  // no further connection is begun over the link of an answer
};

/// How to look for a presentation. A caller that must not wait sets functions of its own, which may throw.
struct PresentationSearch {
  std::string
      url;  // of the manifest, of the folder that has one, or of a list of channels (units/text/channel_address.hh)
  std::vector<std::string> links;  // only these; empty: all
  /// Of connections for documents; the link is set for each. Without a guard, a search for a title makes one. Kept connections
  /// are those of earlier searches, and for later ones; null: they are kept for the files of this search only.
  transport::LinkRules rules;
  UseOfLink use = use_any_link;
  bool by_parts = false;  // ManifestMoment
  /// Nothing: none. Otherwise links in use connect for it at once, while the manifest is waited for.
  std::optional<SessionToCome> session = {};
  std::function<std::vector<std::string>(const transport::Origin& origin)> resolve;
  std::function<void(transport::CurlLoop& loop, std::optional<Duration> at_most)> wait;
  std::function<void(const std::string& what_for)> tell;  // called as long as nothing comes

  /// Sets functions that wait, and tell nothing.
  PresentationSearch(std::string manifest_url, std::vector<std::string> only, transport::LinkRules how = {});
};

/// A manifest that was found, and cannot be played.
class UnreadableManifest : public std::runtime_error {
 public:
  UnreadableManifest(std::string where, const std::string& why) : std::runtime_error{why}, url{std::move(where)} {}
  std::string url;  // where it was found
};

/// What was found is no manifest, nor a list of channels.
class NoManifestFound : public UnreadableManifest {
 public:
  NoManifestFound(std::string where, const std::string& why, std::string address)
      : UnreadableManifest{std::move(where), why}, asked{std::move(address)} {}
  std::string asked;  // the address that was asked: the given one, or that of a channel
};

/// It is sound or picture.
class MediaFound : public NoManifestFound {
 public:
  MediaFound(std::string where, const std::string& why, std::string address, std::string type)
      : NoManifestFound{std::move(where), why, std::move(address)}, content_type{std::move(type)} {}
  std::string content_type;
};

/// A manifest, not read yet, and the addresses of the origin that it was asked of.
struct FoundManifest : FoundDocument {
  transport::Origin origin;
  std::vector<std::string> addresses;
};

/// Fetches the manifest at the address, or in the folder there, over the first link that finds one (manifest_lookup.hh). It
/// may be a list of channels (channel_search.hh). Throws transport::UrlError, NoLinkWorked, or UnreadableManifest if an
/// answer was there and was none.
FoundManifest find_document(PresentationSearch& search);

/// Fetches the manifest, and what it needs, over the first link that can (first_link.hh), and reads it. If the origin
/// refuses the address, or has something else there, asks for the manifests that a folder may have. A live title of which
/// no segment is there yet is waited for, a minute at most. Throws
/// std::runtime_error: transport::UrlError, NoLinkWorked, or UnreadableManifest.
FoundPresentation find_presentation(PresentationSearch search);

/// Fetches files of any origins, each over the first link that can. `search.url` is not used. Throws what
/// find_presentation throws.
std::vector<FetchedFile> fetch_files(const PresentationSearch& search, std::span<const WantedFile> wanted);

/// Connections to the origin of a presentation over any link, made by these rules, those that were begun first. `found`
/// and `loop` must outlive them.
NetworkWorld::Connections connections_to(const FoundPresentation& found, transport::CurlLoop& loop,
                                         const transport::LinkRules& rules);

}  // namespace tributary
