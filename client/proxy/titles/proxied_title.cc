#include "proxy/titles/proxied_title.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "manifests/manifest.hh"
#include "proxy/requests/byte_ranges.hh"
#include "proxy/requests/response_head.hh"
#include "proxy/rewriting/mpd_rewriting.hh"
#include "proxy/rewriting/playlist_rewriting.hh"
#include "proxy/titles/file_in_pieces.hh"
#include "proxy/titles/verdicts.hh"
#include "units/text/redacted_url.hh"

namespace tributary::proxy {
namespace {

/// Segments behind the one asked for, in lead mode: many players hold hardly more than the one that they play.
constexpr std::size_t kLedAhead = 3;

/// A player that has a full buffer asks for nothing for a while.
constexpr Duration kPlayerIsGone = std::chrono::seconds{60};
constexpr std::size_t kMostPlayers = 100;

/// Bodies leave a little faster than the links bring them: the links are to be what a player measures.
constexpr double kFaster = 1.03;

// Longer files, as a film that is one file, are brought in pieces.
constexpr Duration kLongestSegment = std::chrono::seconds{60};

constexpr const char* kUnknownType = "application/octet-stream";

std::string content_type_of(std::string_view url) {
  constexpr std::array<std::pair<std::string_view, const char*>, 15> kTypes{{{".m4s", "video/mp4"},
                                                                             {".mp4", "video/mp4"},
                                                                             {".m4v", "video/mp4"},
                                                                             {".cmfv", "video/mp4"},
                                                                             {".m4a", "audio/mp4"},
                                                                             {".cmfa", "audio/mp4"},
                                                                             {".ts", "video/mp2t"},
                                                                             {".aac", "audio/aac"},
                                                                             {".mp3", "audio/mpeg"},
                                                                             {".ac3", "audio/ac3"},
                                                                             {".vtt", "text/vtt"},
                                                                             {".webm", "video/webm"},
                                                                             {".jpg", "image/jpeg"},
                                                                             {".jpeg", "image/jpeg"},
                                                                             {".png", "image/png"}}};
  const std::string_view path = url.substr(0, url.find_first_of("?#"));
  for (const auto& [suffix, type] : kTypes) {
    if (path.ends_with(suffix)) return type;
  }
  return kUnknownType;
}

Answer failure(unsigned status, const std::string& why) {
  return {.status = status, .fields = {{"Content-Type", "text/plain; charset=utf-8"}}, .body = why + "\n"};
}

UtcTime utc_now() { return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()); }

WantedMedia wanted(const std::string& url, std::optional<ByteRange> range, const MediaFile& known) {
  WantedMedia wanted{.url = url, .range = range, .estimate = known.estimate, .due_in = Duration{}};
  if (known.duration > Duration{}) wanted.duration = known.duration;
  return wanted;
}

bool is_dash(const TitleFiles::Rewritten& manifest) { return manifest.content_type.find("dash") != std::string::npos; }

/// A range of a request that has both ends.
std::optional<ByteRange> closed_range(const Request& request) {
  const auto field = request.field("Range");
  const auto asked = field ? read_range(*field) : std::nullopt;
  if (!asked || !asked->first || !asked->last) return std::nullopt;
  return ByteRange{*asked->first, *asked->last + DataSize{1}};
}

/// What must come as it is meant, and not as a server has coded it (Content-Encoding): keys and texts. They are small.
bool comes_decoded(FileKind kind, const std::string& url, const Request& request) {
  return kind == FileKind::kKey || (content_type_of(url) == std::string_view{"text/vtt"} && !closed_range(request));
}

/// An init segment, or a segment: it comes at once. Not so a file of which nobody knows the length, nor a whole film.
bool comes_at_once(const MediaFile& file) {
  return file.init || (file.duration > Duration{} && file.duration <= kLongestSegment);
}

}  // namespace

ProxyRules ProxyRules::without(const std::string& names) {
  ProxyRules rules;
  std::istringstream in{names};
  for (std::string name; std::getline(in, name, ',');) {
    if (name == "pacing")
      rules.pacing = false;
    else if (name == "cmsd")
      rules.cmsd = false;
    else if (name == "prefetch")
      rules.prefetch = false;
    else
      throw std::invalid_argument(
          fmt::format("without \"{}\": expected pacing, cmsd, prefetch, with commas between several", name));
  }
  return rules;
}

ProxiedTitle::ProxiedTitle(std::size_t number, const std::string& outside, PlayersManifest manifest, LinkWishes wishes,
                           ProxyRules rules, Documents& documents)
    : manifest_{std::move(manifest.url)},
      content_type_{std::move(manifest.content_type)},
      wishes_{std::move(wishes)},
      rules_{rules},
      documents_{documents},
      files_{manifest_, wishes_},
      names_{fmt::format("/{}", number), outside},
      facts_{.kind = manifest.kind, .live = manifest.live, .error = {}, .not_led = {}},
      target_{names_.local(manifest_, manifest.kind == TitleKind::kFile ? FileKind::kMedia : FileKind::kManifest)} {
  if (manifest.size) store_.size_is(manifest_, manifest.size);
}

ProxiedTitle::Facts ProxiedTitle::facts() const {
  const std::lock_guard lock{mutex_};
  Facts facts = facts_;
  const auto is_there = [&](const auto& player) { return now() - player.second.asked < kPlayerIsGone; };
  facts.players = static_cast<std::size_t>(std::ranges::count_if(players_, is_there));
  return facts;
}

/// Players are told apart by the session that they state (CMCD), or else by their program.
std::string ProxiedTitle::name_of_player(const Request& request, const Cmcd& cmcd) {
  return cmcd.session ? *cmcd.session : request.field("User-Agent").value_or("");
}

void ProxiedTitle::count_player(const Request& request, const Cmcd& cmcd) {
  const std::string player = name_of_player(request, cmcd);
  std::erase_if(players_, [&](const auto& other) { return now() - other.second.asked >= kPlayerIsGone; });
  if (players_.size() < kMostPlayers || players_.contains(player)) players_[player].asked = now();
}

/// Null: there are too many players.
std::shared_ptr<PlayerLine> ProxiedTitle::line_of(const Request& request, const Cmcd& cmcd) const {
  const auto player = players_.find(name_of_player(request, cmcd));
  return player == players_.end() ? nullptr : player->second.line;
}

void ProxiedTitle::handle(const Request& request, std::function<void(Answer)> done) {
  const Cmcd cmcd = read_cmcd(request.target, request.fields);
  std::optional<std::string> url;
  FileKind kind{};
  {
    const std::lock_guard lock{mutex_};
    count_player(request, cmcd);
    url = names_.upstream(without_cmcd(request.target));
    if (url) kind = names_.kind(*url);
  }
  if (!url) return done(failure(404, "no manifest of this title names this file"));
  if (kind == FileKind::kManifest) files_.expect();
  if (kind == FileKind::kManifest || kind == FileKind::kClock || comes_decoded(kind, *url, request)) {
    documents_.run([this, self = shared_from_this(), url = *url, kind, done = std::move(done)] {
      const Documents::Fetched fetched = documents_.get(url, wishes_);
      if (kind == FileKind::kManifest) return done(manifest_answer(url, fetched));
      done(kind == FileKind::kClock ? clock_answer(fetched) : decoded_answer(url, fetched));
    });
  } else {
    answer_media(*url, request, cmcd, done);
  }
}

// ---- Manifests

/// A service of time: its Date counts, or its text.
Answer ProxiedTitle::clock_answer(const Documents::Fetched& fetched) {
  if (!fetched.file) return failure(fetched.status, fetched.why);
  Answer answer{.status = 200, .fields = {{"Content-Type", "text/plain"}}, .body = fetched.file->bytes};
  if (fetched.file->date) answer.fields.emplace_back("Date", http_date(fetched.file->date->time_since_epoch().count()));
  return answer;
}

Answer ProxiedTitle::decoded_answer(const std::string& url, const Documents::Fetched& fetched) {
  if (!fetched.file) return failure(fetched.status, fetched.why);
  return {.status = 200, .fields = {{"Content-Type", content_type_of(url)}}, .body = fetched.file->bytes};
}

void ProxiedTitle::look_at_qualities() { (void)manifest_answer(manifest_, documents_.get(manifest_, wishes_)); }

Answer ProxiedTitle::manifest_answer(const std::string& asked, const Documents::Fetched& fetched) {
  auto rewritten = taken_in(asked, fetched);
  if (!rewritten) return failure(fetched.file ? 502 : fetched.status, facts().error);
  if (rules_.lead) lead(TitleFiles::name_of(asked), *rewritten);
  return {.status = 200,
          .fields = {{"Content-Type", rewritten->content_type},
                     {"ETag", fmt::format("\"{:016x}\"", std::hash<std::string>{}(rewritten->text))}},
          .body = std::move(rewritten->text)};
}

/// Nothing: facts().error says why.
std::optional<TitleFiles::Rewritten> ProxiedTitle::taken_in(const std::string& asked,
                                                            const Documents::Fetched& fetched) {
  const std::lock_guard lock{mutex_};
  if (!fetched.file) {
    facts_.error = fetched.why;
    return std::nullopt;
  }
  try {
    TitleFiles::Rewritten rewritten = names_.take_in(fetched.file->bytes, fetched.file->url, asked);
    facts_.error.clear();
    facts_.live = facts_.live || rewritten.live;
    // A player asks for the init segment of a playlist next, and the links connect meanwhile.
    const auto init = is_dash(rewritten) || !rules_.prefetch ? std::nullopt : names_.init_of(asked, utc_now());
    if (init) store_.fetch_ahead(wanted(init->url, init->range, *init));
    return rewritten;
  } catch (const ManifestError& error) {
    facts_.error = fmt::format("{}: {}", redacted(fetched.file->url), error.what());
    return std::nullopt;
  }
}

// ---- Lead mode

/// Players are told of one rendition of the picture, if the others can stand for it.
void ProxiedTitle::lead(const std::string& manifest, TitleFiles::Rewritten& rewritten) {
  compare_qualities(manifest);
  const std::lock_guard lock{mutex_};
  if (names_.ladders(manifest).empty()) {
    if (manifest == TitleFiles::name_of(manifest_)) facts_.not_led = "it has one quality";
    return;
  }
  const Leading::Offer offer = leading_.offer(manifest, utc_now());
  facts_.not_led = offer.why_not.value_or("");
  if (offer.why_not) return;
  const std::vector<Rung> rungs = leading_.rungs(manifest, utc_now());
  std::vector<DataRate> bitrates;
  for (const Rung& rung : rungs) bitrates.push_back(rung.bitrate);
  files_.lead(std::move(bitrates), wishes_.spend_for.rung(rungs));
  rewritten.text = is_dash(rewritten) ? without_representations(rewritten.text, offer.left_out)
                                      : without_variants(rewritten.text, offer.left_out);
}

/// Fetches what is not known yet of the renditions beside the announced one.
void ProxiedTitle::compare_qualities(const std::string& manifest) {
  std::vector<WantedFile> playlists;
  {
    const std::lock_guard lock{mutex_};
    for (const std::string& playlist : leading_.playlists_for(manifest)) playlists.push_back({playlist, {}});
  }
  const auto fetched = documents_.get_all(playlists, wishes_);
  std::vector<Leading::Doubt> doubts;
  {
    const std::lock_guard lock{mutex_};
    for (std::size_t i = 0; i < playlists.size(); ++i) {
      try {
        if (fetched[i].file) (void)names_.take_in(fetched[i].file->bytes, fetched[i].file->url, playlists[i].url);
      } catch (const ManifestError&) {  // nothing stands in from it
      }
    }
    doubts = leading_.doubts(manifest, utc_now());
  }
  const std::vector<Verdict> verdicts = verdicts_on(std::move(doubts), documents_, wishes_);
  const std::lock_guard lock{mutex_};
  for (const Verdict& verdict : verdicts) leading_.judge(verdict.doubt, verdict.why_not);
}

/// A player asks for this segment. `in_hand`: it is led, and the player can play so long without it.
void ProxiedTitle::guess_next(const MediaFile& file, std::optional<Duration> in_hand) {
  const NextGuess::Guess guess = guess_.asked(names_.ladder_of(file), file, names_.next(file, utc_now()));
  if (guess.not_wanted) store_.not_wanted(wanted(guess.not_wanted->url, guess.not_wanted->range, *guess.not_wanted));
  if (guess.fetch_ahead) fetch_ahead(file, in_hand);
}

void ProxiedTitle::fetch_ahead(const MediaFile& file, std::optional<Duration> in_hand) {
  MediaFile last = file;
  for (std::size_t i = 0; i < (in_hand ? kLedAhead : 1); ++i) {
    const auto next = names_.next(last, utc_now());
    if (!next || !comes_at_once(*next)) return;
    WantedMedia ahead = wanted(next->url, next->range, *next);
    if (in_hand) ahead.renditions = renditions_of(*next, *in_hand += last.duration);
    if (rules_.cmcd) ahead.cmcd = own_cmcd(next->url, *next, {});
    store_.fetch_ahead(ahead);
    last = *next;
  }
}

std::shared_ptr<Renditions> ProxiedTitle::renditions_of(const MediaFile& file, Duration in_hand) const {
  std::vector<Renditions::File> files;
  for (const MediaFile& quality : leading_.qualities(file, utc_now()))
    files.push_back({quality.url, quality.range, quality.estimate});
  return files.empty() ? nullptr : std::make_shared<Renditions>(std::move(files), in_hand);
}

// ---- Media

/// The segment that the request asks for, or for a part of which it asks. Nothing: it comes in pieces. Sets `range` to
/// what is to be fetched; nothing: the whole file.
std::optional<MediaFile> ProxiedTitle::asked_segment(const std::string& url, std::optional<ByteRange>& range) const {
  // A part of a segment that is a file of its own is taken from the whole.
  auto whole = names_.file(url, std::nullopt, utc_now());
  if (whole && !whole->range && comes_at_once(*whole)) {
    range.reset();
    return whole;
  }
  if (!range) return std::nullopt;
  auto part = names_.file(url, range, utc_now());
  return part && part->range && comes_at_once(*part) ? part : std::nullopt;
}

/// What the player is told that it can have, and is sent: what free links bring, and as much as is spent for. Nothing: no
/// link was measured. A moment in which a link has yet to answer makes no difference.
std::optional<DataRate> ProxiedTitle::offered_rate() const {
  const StreamStatus status = files_.status();
  DataRate of_free, of_all;
  bool spends = false;
  for (const LinkStatus& link : status.links) {
    using enum LinkActivity;
    if (link.activity == kUsedUp || link.activity == kOff || link.activity == kDown || link.activity == kAvoided)
      continue;
    spends = spends || link.cost.kind == CostKind::kMetered || link.cost.kind == CostKind::kPaid;
    const DataRate rate = link.rate_when_busy.value_or(DataRate{});
    of_all += rate;
    if (link.cost.kind == CostKind::kFree) of_free += rate;
  }
  const DataRate offered = of_free > DataRate{} ? of_free : of_all;
  if (offered <= DataRate{}) return status.throughput;
  const auto spent = spends ? wishes_.spend_for.bitrate(names_.ladders(TitleFiles::name_of(manifest_))) : std::nullopt;
  // Players choose what needs four fifths of what they have, or so.
  return spent ? std::max(offered, 1.25 * *spent) : offered;
}

PacedBody::Rate ProxiedTitle::rate_of_links() const {
  return [self = shared_from_this()]() -> std::optional<DataRate> {
    const std::lock_guard lock{self->mutex_};
    const auto offered = self->offered_rate();
    return offered ? std::optional{kFaster * *offered} : std::nullopt;
  };
}

/// Of what the player says, the origin learns the bitrate, and whether the player starts.
OwnCmcd ProxiedTitle::own_cmcd(const std::string& url, const MediaFile& file, const Cmcd& player) const {
  OwnCmcd said{.session = cmcd_session_,
               .dash = facts_.kind == TitleKind::kDash,
               .live = facts_.live,
               .object_type = object_type(player.object_type, file.init, content_type_of(url)),
               .bitrate = player.bitrate,
               .duration = {},
               .throughput = files_.status().throughput,
               .startup = player.startup};
  if (file.duration > Duration{}) {
    said.duration = file.duration;
    if (!said.bitrate && file.estimate > DataSize{}) said.bitrate = file.estimate / file.duration;
  }
  return said;
}

void ProxiedTitle::answer_media(const std::string& url, const Request& request, const Cmcd& cmcd,
                                const std::function<void(Answer)>& done) {
  std::optional<ByteRange> range = closed_range(request);
  FileBody body;
  body.content_type = content_type_of(url);
  if (body.content_type == kUnknownType && !content_type_.empty()) body.content_type = content_type_;
  std::optional<DataRate> offered;
  const auto due_in = [&](Duration otherwise) {
    return cmcd.startup ? Duration{} : cmcd.deadline.value_or(cmcd.buffered.value_or(otherwise));
  };
  {
    const std::lock_guard lock{mutex_};
    offered = offered_rate();
    if (const auto known = asked_segment(url, range)) {
      WantedMedia media = wanted(url, range, *known);
      const bool segment = !known->init;
      Duration in_hand{};
      if (segment && rules_.lead)
        in_hand = due_in(pace_.left(known->rendition, known->grid.number, known->duration, now()));
      if (segment) {
        media.player_lasts = cmcd.deadline ? cmcd.deadline : cmcd.buffered;
        if (!media.player_lasts) media.player_lasts = pace_.lasts(known->rendition, known->duration, now());
        if (cmcd.startup) media.player_lasts.reset();
        media.due_in = due_in(pace_.asked(known->rendition, known->duration, now()));
      }
      if (segment && rules_.lead) media.renditions = renditions_of(*known, in_hand);
      if (rules_.cmcd) media.cmcd = own_cmcd(url, *known, cmcd);
      body.file = store_.read(media);
      if (range) body.part = FilePart{range->begin, std::nullopt};
      // dash.js asks for some segments twice: they shall not come over the links again. Chromium asks for ranges of a file
      // that it keeps one after the other.
      body.may_be_kept = !range && !facts_.live && !rules_.lead;
      if (segment && rules_.pacing && !media.renditions) {
        body.pacing = Pacing{.rate = rate_of_links(),
                             .line = line_of(request, cmcd),
                             .estimate = media.estimate,
                             .patience = media.player_lasts.value_or(Duration{}) / 2};
      }
      if (segment && rules_.prefetch) guess_next(*known, media.renditions ? std::optional{in_hand} : std::nullopt);
    } else {
      const auto store = std::shared_ptr<MediaStore>{shared_from_this(), &store_};
      // A range of a film that is one file is a segment, mostly: its length follows from the bitrate.
      const auto film = range ? names_.file(url, std::nullopt, utc_now()) : std::nullopt;
      const bool segment = film && !film->init && film->duration > Duration{} && film->estimate > DataSize{};
      const auto length = [&] { return range->size() / (film->estimate / film->duration); };
      if (segment && rules_.pacing) body.pacing = Pacing{.rate = rate_of_links()};
      body.pieces = std::make_shared<FileInPieces>(
          store, url, due_in(segment ? pace_.asked(film->rendition, length(), now()) : Duration{}));
    }
  }
  Answer answer{.status = 200, .fields = {}, .body = std::move(body)};
  if (rules_.cmsd && offered) answer.fields.emplace_back("CMSD-Dynamic", cmsd_dynamic(*offered, *offered));
  done(std::move(answer));
}

}  // namespace tributary::proxy
