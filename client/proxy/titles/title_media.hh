#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "proxy/pacing/player_line.hh"
#include "proxy/players/next_guess.hh"
#include "proxy/players/player_needs.hh"
#include "proxy/requests/cmcd.hh"
#include "proxy/requests/exchange.hh"
#include "proxy/titles/demanded_files.hh"
#include "proxy/titles/media_store.hh"
#include "proxy/titles/proxy_rules.hh"
#include "proxy/titles/title_manifests.hh"

namespace tributary::proxy {

/// Brings the media of a title to its players over all links: when each file is needed, what will be needed next, and
/// how fast it leaves. Thread-safe.
class TitleMedia : public std::enable_shared_from_this<TitleMedia> {
 public:
  TitleMedia(std::shared_ptr<const TitleManifests> manifests, const PlayersManifest& title, LinkWishes wishes,
             ProxyRules rules);

  /// To a request for the file at this address. `line`: the answers to the player; may be null.
  Answer answer(const std::string& url, const Request& request, const Cmcd& cmcd, std::shared_ptr<PlayerLine> line);
  /// A manifest was taken in: what is new in it may be what a player asks for next.
  void listed(const std::string& manifest);
  /// A player will ask for it.
  void fetch_ahead(const MediaFile& file);

  DemandedFiles& files() { return files_; }
  MediaStore& store() { return store_; }

 private:
  using Clock = std::chrono::steady_clock;
  /// What a player is led to: the time that it can play without the segment.
  using Led = std::optional<Duration>;

  /// What is announced, from a place on that the player knows.
  std::optional<MediaFile> asked_rest(const std::string& url, const Request& request,
                                      std::optional<ByteRange>& range) const;
  /// Nothing: it is no segment, and comes in pieces.
  std::optional<MediaFile> asked_segment(const std::string& url, std::optional<ByteRange>& range) const;
  void bring_segment(const MediaFile& segment, const Cmcd& cmcd, WantedMedia& media, FileBody& body);
  void bring_pieces(const std::string& url, const std::optional<ByteRange>& range, const Cmcd& cmcd, FileBody& body);
  void guess_next(const MediaFile& segment, Led in_hand);
  void fetch_behind(const MediaFile& segment, Led in_hand);
  std::shared_ptr<Renditions> renditions_of(const MediaFile& file, Duration in_hand) const;
  OwnCmcd own_cmcd(const std::string& url, const MediaFile& file, const Cmcd& player) const;
  std::optional<DataRate> offered() const;
  PacedBody::Rate rate_of_links() const;
  TimePoint now() const { return TimePoint{std::chrono::duration_cast<Duration>(Clock::now() - start_)}; }

  const std::shared_ptr<const TitleManifests> manifests_;
  const std::string content_type_;  // of a title that is one file
  const SpendFor spend_for_;
  const ProxyRules rules_;
  const Clock::time_point start_ = Clock::now();
  const std::string cmcd_session_ = made_up_session();
  DemandedFiles files_;
  MediaStore store_{files_};
  std::mutex mutex_;  // of what follows
  PlayerNeeds needs_;
  NextGuess guess_;
  std::map<std::string, MediaFile> last_parts_;  // of players that ask in order, by manifest
};

}  // namespace tributary::proxy
