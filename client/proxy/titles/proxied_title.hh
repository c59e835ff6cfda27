#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "playback/status/stream_status.hh"
#include "proxy/leading/leading.hh"
#include "proxy/pacing/paced_body.hh"
#include "proxy/pacing/player_line.hh"
#include "proxy/requests/cmcd.hh"
#include "proxy/requests/exchange.hh"
#include "proxy/rewriting/media_file.hh"
#include "proxy/rewriting/title_files.hh"
#include "proxy/titles/demanded_files.hh"
#include "proxy/titles/documents.hh"
#include "proxy/titles/media_store.hh"
#include "proxy/titles/next_guess.hh"
#include "proxy/titles/player_pace.hh"

namespace tributary::proxy {

/// What a proxy does for players. Each can be left out, to measure it.
struct ProxyRules {
  bool pacing = true;    // media are sent no faster than the links bring them
  bool cmsd = true;      // the player is told what the links bring
  bool prefetch = true;  // the segment after the one that was asked for is fetched ahead
  bool cmcd = false;     // the origin is told when files are needed, and what the links bring
  bool lead = false;     // the player is told of one quality, and given the one that the links can bring

  /// Throws std::invalid_argument that lists the names.
  static ProxyRules without(const std::string& names);
};

/// One title that players of this machine play: manifests pass through with local names, and what they name is brought
/// over all links. Follow mode: the player chooses qualities. Lead mode: the session does, where files of several
/// qualities can stand for each other (leading.hh). Thread-safe.
class ProxiedTitle : public std::enable_shared_from_this<ProxiedTitle> {
 public:
  /// `number`: of the title, the first part of its targets. `outside`: what stands before these in addresses ("/TOKEN").
  /// `wishes`: with the guard of the title (LinkRules::guard). Throws ManifestError for an address that is none. `documents` must outlive it.
  ProxiedTitle(std::size_t number, const std::string& outside, PlayersManifest manifest, LinkWishes wishes,
               ProxyRules rules, Documents& documents);

  /// The target of the manifest for players: "/1/0/film/master.m3u8".
  const std::string& target() const { return target_; }
  const std::string& manifest() const { return manifest_; }
  /// Lead mode: looks at the qualities of the title, so that facts() tells whether it can be led. Waits.
  void look_at_qualities();
  /// Answers a request for a target below the title's.
  void handle(const Request& request, std::function<void(Answer)> done);
  /// A player left before all of the file was sent.
  void left(const std::shared_ptr<IncomingFile>& file) { store_.left(file); }
  void reads(const std::shared_ptr<IncomingFile>& file, bool reads) { store_.reads(file, reads); }
  void use_link(const std::string& name, LinkUse use) { files_.use_link(name, use); }

  StreamStatus status() const { return files_.status(); }
  std::vector<Wait> waits() const { return files_.waits(); }
  /// Bytes of media by link.
  std::map<std::string, DataSize> carried() const { return files_.carried(); }
  struct Facts {
    TitleKind kind = TitleKind::kHls;
    bool live = false;
    std::string error;        // the last one of a manifest; empty: it can be had
    std::size_t players = 0;  // that asked for something lately
    std::string not_led;      // lead mode: why the player chooses the quality all the same
  };
  Facts facts() const;

 private:
  using Clock = std::chrono::steady_clock;

  struct Player {
    TimePoint asked;  // last
    std::shared_ptr<PlayerLine> line = std::make_shared<PlayerLine>();
  };

  static std::string name_of_player(const Request& request, const Cmcd& cmcd);
  void count_player(const Request& request, const Cmcd& cmcd);
  std::shared_ptr<PlayerLine> line_of(const Request& request, const Cmcd& cmcd) const;
  static Answer clock_answer(const Documents::Fetched& fetched);
  static Answer decoded_answer(const std::string& url, const Documents::Fetched& fetched);
  Answer manifest_answer(const std::string& asked, const Documents::Fetched& fetched);
  std::optional<TitleFiles::Rewritten> taken_in(const std::string& asked, const Documents::Fetched& fetched);
  void lead(const std::string& manifest, TitleFiles::Rewritten& rewritten);
  void compare_qualities(const std::string& manifest);
  void guess_next(const MediaFile& file, std::optional<Duration> in_hand);
  void fetch_ahead(const MediaFile& file, std::optional<Duration> in_hand);
  std::shared_ptr<Renditions> renditions_of(const MediaFile& file, Duration in_hand) const;
  std::optional<MediaFile> asked_segment(const std::string& url, std::optional<ByteRange>& range) const;
  std::optional<DataRate> offered_rate() const;
  PacedBody::Rate rate_of_links() const;
  OwnCmcd own_cmcd(const std::string& url, const MediaFile& file, const Cmcd& player) const;
  void answer_media(const std::string& url, const Request& request, const Cmcd& cmcd,
                    const std::function<void(Answer)>& done);
  TimePoint now() const { return TimePoint{std::chrono::duration_cast<Duration>(Clock::now() - start_)}; }

  const std::string manifest_;
  const std::string content_type_;  // of a title that is one file
  const LinkWishes wishes_;
  const ProxyRules rules_;
  Documents& documents_;
  const Clock::time_point start_ = Clock::now();
  const std::string cmcd_session_ = made_up_session();
  DemandedFiles files_;
  MediaStore store_{files_};
  mutable std::mutex mutex_;  // of what follows
  TitleFiles names_;
  Leading leading_{names_};
  PlayerPace pace_;
  NextGuess guess_;
  Facts facts_;
  std::map<std::string, Player> players_;  // by what they call themselves
  std::string target_;
};

}  // namespace tributary::proxy
