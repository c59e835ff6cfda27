#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "playback/status/stream_status.hh"
#include "proxy/players/present_players.hh"
#include "proxy/requests/exchange.hh"
#include "proxy/titles/documents.hh"
#include "proxy/titles/proxy_rules.hh"
#include "proxy/titles/title_manifests.hh"
#include "proxy/titles/title_media.hh"

namespace tributary::proxy {

/// One title that players of this machine play: manifests pass through with local names, and what they name is brought
/// over all links. Follow mode: the player chooses qualities. Lead mode: the session does, where files of several
/// qualities can stand for each other (leading.hh). Thread-safe.
class ProxiedTitle : public std::enable_shared_from_this<ProxiedTitle> {
 public:
  /// `number`: of the title, the first part of its targets. `outside`: what stands before these in addresses ("/TOKEN").
  /// `wishes`: with the guard of the title (LinkRules::guard). Throws ManifestError for an address that is none. `documents` must outlive it.
  ProxiedTitle(std::size_t number, const std::string& outside, const PlayersManifest& manifest, LinkWishes wishes,
               ProxyRules rules, Documents& documents);

  /// The target of the manifest for players: "/1/0/film/master.m3u8".
  const std::string& target() const { return manifests_->target(); }
  const std::string& manifest() const { return manifests_->url(); }
  /// Lead mode: looks at the qualities of the title, so that facts() tells whether it can be led. Waits.
  void look_at_qualities();
  /// Answers a request for a target below the title's.
  void handle(const Request& request, std::function<void(Answer)> done);
  /// A player left before all of the file was sent.
  void left(const std::shared_ptr<IncomingFile>& file) { media_->store().left(file); }
  void reads(const std::shared_ptr<IncomingFile>& file, bool reads) { media_->store().reads(file, reads); }
  void use_link(const std::string& name, LinkUse use) { media_->files().use_link(name, use); }

  StreamStatus status() const { return media_->files().status(); }
  std::vector<Wait> waits() const { return media_->files().waits(); }
  /// Bytes of media by link.
  std::map<std::string, DataSize> carried() const { return media_->files().carried(); }
  TitleManifests::Facts facts() const { return manifests_->facts(); }
  /// The number of those that asked for something lately.
  std::size_t players() const { return players_.count(now()); }

 private:
  using Clock = std::chrono::steady_clock;

  void follow(const std::string& url, const Request& request, std::function<void(Answer)> done);
  Answer manifest_answer(const std::string& asked, const Documents::Fetched& fetched);
  TimePoint now() const { return TimePoint{std::chrono::duration_cast<Duration>(Clock::now() - start_)}; }

  const LinkWishes wishes_;
  const ProxyRules rules_;
  Documents& documents_;
  const Clock::time_point start_ = Clock::now();
  const std::shared_ptr<TitleManifests> manifests_;
  const std::shared_ptr<TitleMedia> media_;
  PresentPlayers players_;
};

}  // namespace tributary::proxy
