#include "proxy/titles/title_media.hh"

#include <utility>

#include "proxy/players/rate_measurement.hh"
#include "proxy/requests/byte_ranges.hh"
#include "proxy/requests/content_types.hh"
#include "proxy/titles/file_in_pieces.hh"
#include "proxy/titles/offered_rate.hh"
#include "system/utc_now.hh"

namespace tributary::proxy {
namespace {

/// Segments behind the one asked for, in lead mode: many players hold hardly more than the one that they play.
constexpr std::size_t kLedAhead = 3;

/// An origin that knows no ranges brings each part over one link: two links bring two parts side by side.
constexpr std::size_t kPartsAhead = 2;

/// Bodies leave a little faster than the links bring them: the links are to be what a player measures.
constexpr double kFaster = 1.03;

// Longer files, as a film that is one file, are brought in pieces.
constexpr Duration kLongestSegment = std::chrono::seconds{60};

WantedMedia wanted(const std::string& url, std::optional<ByteRange> range, const MediaFile& known) {
  WantedMedia wanted{.url = url, .range = range, .estimate = known.estimate, .due_in = Duration{}};
  if (known.duration > Duration{}) wanted.duration = known.duration;
  if (!known.init) wanted.place = {known.rendition, known.grid.number};
  return wanted;
}

WantedMedia wanted(const MediaFile& file) { return wanted(file.url, file.range, file); }

/// How long an origin may hold it, if it has to make it first. Nothing: it is there. Clocks differ, and encoders are late.
std::optional<Duration> held_for(const MediaFile& file, UtcTime now) {
  constexpr std::chrono::milliseconds kLate{1'000};
  if (file.announced) return 2 * file.duration;
  if (!file.made_until || now >= *file.made_until + kLate) return std::nullopt;
  return kLate;
}

/// An init segment, or a segment: it comes at once. Not so a file of which nobody knows the length, nor a whole film.
bool comes_at_once(const MediaFile& file) {
  return file.init || (file.duration > Duration{} && file.duration <= kLongestSegment);
}

}  // namespace

TitleMedia::TitleMedia(std::shared_ptr<const TitleManifests> manifests, const PlayersManifest& title, LinkWishes wishes,
                       ProxyRules rules)
    : manifests_{std::move(manifests)},
      content_type_{title.content_type},
      spend_for_{wishes.spend_for},
      rules_{rules},
      files_{title.url, std::move(wishes)} {
  if (title.size) store_.size_is(title.url, title.size);
}

Answer TitleMedia::answer(const std::string& url, const Request& request, const Cmcd& cmcd,
                          std::shared_ptr<PlayerLine> line) {
  std::optional<ByteRange> range = closed_range(request.field("Range"));
  FileBody body;
  body.content_type = content_type_of(url);
  if (body.content_type == kUnknownType && !content_type_.empty()) body.content_type = content_type_;
  bool held = false;
  {
    const std::lock_guard lock{mutex_};
    auto known = asked_rest(url, request, range);
    const bool rest = known.has_value();
    if (!known) known = asked_segment(url, range);
    if (known) {
      WantedMedia media = wanted(url, range, *known);
      if (!rules_.lead && (!range || rest)) media.held_for = held_for(*known, utc_now());
      held = media.held_for.has_value();
      if (rules_.cmcd) media.cmcd = own_cmcd(url, *known, cmcd);
      if (range) body.part = FilePart{range->begin, std::nullopt, rest};
      // dash.js asks for some segments twice: they shall not come over the links again. Chromium asks for ranges of a
      // file that it keeps one after the other.
      body.may_be_kept = !range && !manifests_->facts().live && !rules_.lead;
      if (known->init) {
        body.file = store_.read(media);
      } else {
        bring_segment(*known, cmcd, media, body);
        // What is made meanwhile comes at the pace at which it is made.
        if (rules_.pacing && !held && !media.renditions && measures_rates(request)) {
          body.pacing = Pacing{.rate = rate_of_links(),
                               .line = std::move(line),
                               .estimate = media.estimate,
                               .patience = media.player_lasts.value_or(Duration{}) / 2};
        }
      }
    } else {
      bring_pieces(url, range, cmcd, body);
    }
  }
  Answer answer{.status = 200, .fields = {}, .body = std::move(body)};
  const auto rate = held ? std::nullopt : offered();  // one link brings it
  if (rules_.cmsd && rate) answer.fields.emplace_back("CMSD-Dynamic", cmsd_dynamic(*rate, *rate));
  return answer;
}

/// Sets `range` to what is to be fetched.
std::optional<MediaFile> TitleMedia::asked_rest(const std::string& url, const Request& request,
                                                std::optional<ByteRange>& range) const {
  const auto field = request.field("Range");
  const auto asked = field ? read_range(*field) : std::nullopt;
  if (!asked || !asked->first || asked->last || *asked->first == DataSize{}) return std::nullopt;
  const ByteRange first{*asked->first, *asked->first + DataSize{1}};
  auto file = manifests_->file(url, first, utc_now());
  if (!file || !file->announced) return std::nullopt;
  range = ByteRange{first.begin, file->range ? file->range->end : first.end};
  return file;
}

/// Sets `range` to what is to be fetched; nothing: the whole file.
std::optional<MediaFile> TitleMedia::asked_segment(const std::string& url, std::optional<ByteRange>& range) const {
  // A part of a segment that is a file of its own is taken from the whole.
  auto whole = manifests_->file(url, std::nullopt, utc_now());
  if (whole && !whole->range && comes_at_once(*whole)) {
    range.reset();
    return whole;
  }
  if (!range) return std::nullopt;
  auto part = manifests_->file(url, range, utc_now());
  return part && part->range && comes_at_once(*part) ? part : std::nullopt;
}

void TitleMedia::bring_segment(const MediaFile& segment, const Cmcd& cmcd, WantedMedia& media, FileBody& body) {
  const PlayerNeeds::Need need = needs_.of_segment(segment, cmcd, rules_.lead, now());
  media.due_in = need.due_in;
  media.player_lasts = need.lasts;
  if (rules_.lead) media.renditions = renditions_of(segment, need.in_hand);
  body.file = store_.read(media);
  if (rules_.prefetch) guess_next(segment, media.renditions ? std::optional{need.in_hand} : std::nullopt);
}

/// A range of a film that is one file is a segment, mostly: its length follows from the bitrate.
void TitleMedia::bring_pieces(const std::string& url, const std::optional<ByteRange>& range, const Cmcd& cmcd,
                              FileBody& body) {
  const auto film = range ? manifests_->file(url, std::nullopt, utc_now()) : std::nullopt;
  const bool segment = film && !film->init && film->duration > Duration{} && film->estimate > DataSize{};
  if (segment && rules_.pacing) body.pacing = Pacing{.rate = rate_of_links()};
  Duration due_in = PlayerNeeds::due_in(cmcd, {});
  if (segment) due_in = needs_.of_part(film->rendition, range->size() / (film->estimate / film->duration), cmcd, now());
  const auto store = std::shared_ptr<MediaStore>{shared_from_this(), &store_};
  body.pieces = std::make_shared<FileInPieces>(store, url, due_in);
}

// ---- Ahead of the player

void TitleMedia::fetch_ahead(const MediaFile& file) { store_.fetch_ahead(wanted(file)); }

/// A player asks for this segment. `in_hand`: it is led.
void TitleMedia::guess_next(const MediaFile& segment, Led in_hand) {
  const NextGuess::Guess guess =
      guess_.asked(manifests_->ladder_of(segment), segment, manifests_->next(segment, utc_now()));
  if (guess.not_wanted) store_.not_wanted(wanted(*guess.not_wanted));
  // Who asks for a part plays at the live edge, and goes on with the next one.
  if (!guess.fetch_ahead && !segment.place.parts) return;
  fetch_behind(segment, in_hand);
  if (segment.place.parts) last_parts_.insert_or_assign(segment.manifest, segment);
}

void TitleMedia::listed(const std::string& manifest) {
  const std::lock_guard lock{mutex_};
  const auto last = last_parts_.find(manifest);
  if (last == last_parts_.end()) return;
  if (const auto known = manifests_->file(last->second.url, last->second.range, utc_now()))
    fetch_behind(*known, std::nullopt);
  else
    last_parts_.erase(last);
}

void TitleMedia::fetch_behind(const MediaFile& segment, Led in_hand) {
  MediaFile last = segment;
  const std::size_t ahead_of_it = in_hand ? kLedAhead : segment.place.parts ? kPartsAhead : 1;
  for (std::size_t i = 0; i < ahead_of_it; ++i) {
    const auto next = manifests_->next(last, utc_now());
    if (!next || !comes_at_once(*next) || held_for(*next, utc_now())) return;
    WantedMedia ahead = wanted(*next);
    if (in_hand) ahead.renditions = renditions_of(*next, *in_hand += last.duration);
    if (rules_.cmcd) ahead.cmcd = own_cmcd(next->url, *next, {});
    store_.fetch_ahead(ahead);
    last = *next;
  }
}

std::shared_ptr<Renditions> TitleMedia::renditions_of(const MediaFile& file, Duration in_hand) const {
  std::vector<Renditions::File> files;
  for (const MediaFile& quality : manifests_->qualities(file, utc_now()))
    files.push_back({quality.url, quality.range, quality.estimate});
  return files.empty() ? nullptr : std::make_shared<Renditions>(std::move(files), in_hand);
}

// ---- What is told

std::optional<DataRate> TitleMedia::offered() const {
  return offered_rate(files_.status(), manifests_->bitrate_of(spend_for_));
}

PacedBody::Rate TitleMedia::rate_of_links() const {
  return [self = shared_from_this()]() -> std::optional<DataRate> {
    const auto offered = self->offered();
    return offered ? std::optional{kFaster * *offered} : std::nullopt;
  };
}

/// Of what the player says, the origin learns the bitrate, and whether the player starts.
OwnCmcd TitleMedia::own_cmcd(const std::string& url, const MediaFile& file, const Cmcd& player) const {
  const TitleManifests::Facts facts = manifests_->facts();
  OwnCmcd said{.session = cmcd_session_,
               .dash = facts.kind == TitleKind::kDash,
               .live = facts.live,
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

}  // namespace tributary::proxy
