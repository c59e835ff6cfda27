#include "gst/texts/chosen_text.hh"

#include <algorithm>
#include <utility>

#include "media/track_clock.hh"

namespace tributary {

void ChosenText::choose(std::optional<std::size_t> track, const StreamInfo& info, PictureCaptions* captions) {
  files_.reset();
  track_.reset();
  const bool known = track && std::ranges::find(info.texts, *track) != info.texts.end();
  const Track text = known ? info.presentation.tracks[*track] : Track{};
  if (text.whole || !text.text.empty()) {
    const Track& leading = info.leading_track();
    const auto zero = ticks_to_time(static_cast<std::int64_t>(leading.start), leading.timescale).value_or(Duration{});
    files_ = std::make_unique<ShownText>(ShownText::Source{text, zero, manifest_, info.rules}, context_, calls_);
  }
  if (files_ || !text.captions.empty() || (known && added_.contains(*track))) track_ = track;
  if (captions == nullptr) return;
  const auto field = text.captions == "CC3" ? CaptionField::kSecond : CaptionField::kFirst;
  captions->choose(text.captions.empty() ? std::nullopt : std::optional{field});
}

std::size_t ChosenText::add(const std::string& name, TextFile file, StreamInfo& info) {
  Track text;
  text.kind = TrackKind::kText;
  text.id = text.group = text.label.name = name;
  const std::size_t track = info.presentation.tracks.size();
  info.presentation.tracks.push_back(std::move(text));
  info.texts.push_back(track);
  added_.emplace(track, Cues{std::move(file)});
  return track;
}

bool ChosenText::look(Duration position, const PictureCaptions* captions) {
  std::string now = at(position, captions);
  return std::exchange(shown_, now) != now;
}

std::string ChosenText::at(Duration position, const PictureCaptions* captions) const {
  if (files_) return files_->at(position);
  if (const auto own = track_ ? added_.find(*track_) : added_.end(); own != added_.end())
    return shown_at(position, {{&own->second, {}, Duration{}}});
  return captions != nullptr ? captions->at(position) : "";
}

}  // namespace tributary
