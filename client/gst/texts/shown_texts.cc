#include "gst/texts/shown_texts.hh"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr Duration kAheadOfPlayout = 30s;
/// Cues may go on behind the end of their file, by not much: others repeat them.
constexpr Duration kBehindPlayout = 10s;
/// Longer than any title.
constexpr Duration kWholeTitle = std::chrono::hours{24 * 365};

SideFiles files_of(const Track& track) {
  if (!track.whole) return track.text;
  SideFiles files;
  files.stretches.push_back({std::nullopt, Duration{}});
  files.files.push_back({{*track.whole, {}, true}, Duration{}, kWholeTitle});
  return files;
}

std::shared_ptr<const SideContent> read_cues(const std::string& bytes, const std::string& init) {
  return std::make_shared<const Cues>(read_text_file(std::as_bytes(std::span{bytes}), std::as_bytes(std::span{init})));
}

/// From times of the file's cues to those of the manifest; nothing: not known yet.
std::optional<Duration> shift_of(const PlacedCues& file) {
  switch (file.cues->clock()) {
    case TextFile::Clock::kDocument:
      return file.shift.value_or(Duration{});
    case TextFile::Clock::kMedia:
      return file.shift;
    case TextFile::Clock::kTransport:
      if (!file.shift) return std::nullopt;
      break;
  }
  // The clock begins anew now and then: the cues are those nearest to their file.
  const Duration shift = file.cues->zero() + *file.shift;
  const double turns = to_seconds(file.start - shift) / to_seconds(kTransportWrap);
  return shift + std::llround(turns) * kTransportWrap;
}

}  // namespace

Cues::Cues(TextFile file) : cues_{std::move(file.cues)}, clock_{file.clock}, zero_{file.zero} {
  std::ranges::stable_sort(cues_, {}, &Cue::begin);
  for (const Cue& cue : cues_) longest_ = std::max(longest_, cue.end - cue.begin);
}

std::vector<const Cue*> Cues::at(Duration time) const {
  std::vector<const Cue*> shown;
  auto cue = std::ranges::upper_bound(cues_, time - longest_, {}, &Cue::begin);
  for (; cue != cues_.end() && cue->begin <= time; ++cue) {
    if (cue->end > time) shown.push_back(&*cue);
  }
  return shown;
}

std::string shown_at(Duration time, const std::vector<PlacedCues>& files) {
  std::vector<std::string> texts;
  for (const PlacedCues& file : files) {
    const auto shift = shift_of(file);
    if (!shift) continue;
    const auto of_others = static_cast<std::ptrdiff_t>(texts.size());
    for (const Cue* cue : file.cues->at(time - *shift)) {
      const auto end = texts.begin() + of_others;
      if (std::find(texts.begin(), end, cue->markup) == end) texts.push_back(cue->markup);
    }
  }
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : "\n") + text;
  return all;
}

ShownText::ShownText(const Source& source, const MainContext& context, Calls calls)
    : zero_{source.track.whole ? Duration{} : source.zero},
      live_playlist_{source.track.text.timeline != nullptr},
      calls_{std::move(calls)},
      loader_{{.files = files_of(source.track), .base = source.manifest, .rules = source.rules},
              read_cues,
              {.loaded = [] {},
               .failed =
                   [alive = alive_, &context, failed = calls_.failed](const std::string& error) {
                     context.post([alive, failed, error] {
                       if (*alive) failed(error);
                     });
                   }}} {}

ShownText::~ShownText() { *alive_ = false; }

std::string ShownText::at(Duration position) {
  const Duration time = position + zero_;
  if (loader_.lacks(time, time + kAheadOfPlayout)) loader_.want(time, time + kAheadOfPlayout, calls_.links());
  const std::vector<SideLoader::Held> held = loader_.held(time - kBehindPlayout, time + 1s);
  std::vector<PlacedCues> files;
  for (const SideLoader::Held& one : held) {
    const auto* cues = static_cast<const Cues*>(one.content.get());
    std::optional<Duration> shift = one.stretch.shift;
    // The beginning of a live title tells nothing: cues without X-TIMESTAMP-MAP count as the media do (RFC 8216 section
    // 3.5).
    if (!shift && (live_playlist_ || cues->clock() != TextFile::Clock::kDocument)) {
      if (const auto ahead = calls_.ahead(one.file.start - zero_)) shift = zero_ - *ahead;
    }
    if (!shift && live_playlist_) continue;
    files.push_back({cues, one.file.start, shift});
  }
  return shown_at(time, files);
}

}  // namespace tributary
