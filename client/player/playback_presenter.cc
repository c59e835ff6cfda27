#include "player/playback_presenter.hh"

#include <algorithm>

#include "player/texts/link_texts.hh"
#include "player/texts/quantity_texts.hh"
#include "player/texts/translation.hh"

namespace tributary::play {

void PlaybackPresenter::opening(const std::string& title) {
  title_ = title;
  names_ = {};
  skips_.clear();
  live_ = false;
  window_.controls().show_tracks(names_);
  window_.controls().seek_bar().show_chapters({});
}

void PlaybackPresenter::opened(const StreamInfo& info, const TrackNames& names) {
  names_ = names;
  live_ = info.live;
  segment_seconds_ = info.presentation.nominal_segment_seconds;
  window_.controls().show_tracks(names_);
  window_.controls().seek_bar().show_chapters(info.presentation.chapters);
}

void PlaybackPresenter::skipped(Duration position) {
  constexpr std::size_t kMost = 100;
  if (skips_.size() == kMost) skips_.erase(skips_.begin());
  skips_.push_back(position);
}

void PlaybackPresenter::refresh(Duration position, bool links_panel) {
  const StreamStatus status = player_.status();
  window_.controls().show(view(status, position));
  window_.controls().show_links(links_text(status));
  window_.video().show_waiting(waiting_for(status), player_.state() == PlayerState::kOpening);
  if (!links_panel) return;
  window_.links().show(status, names_.qualities);
  const std::uint64_t drawn = window_.video().pictures_drawn(), came = player_.frames_shown();
  window_.links().show_pictures(drawn, player_.frames_dropped() + came - std::min(drawn, came));
}

PlaybackView PlaybackPresenter::view(const StreamStatus& status, Duration position) const {
  const auto fixed = player_.chosen_quality();
  return {.state = player_.state(),
          .wants_to_play = player_.wants_to_play(),
          .live = live_,
          .begin = live_ ? status.window_start : Duration{},
          .end = player_.duration(),
          .position = position,
          .ready_until = player_.position() + status.buffered,
          .behind_live = status.behind_live,
          .at_the_edge = at_the_edge(status),
          .skips = skips_,
          .speed = player_.speed(),
          .volume = player_.volume(),
          .muted = player_.muted(),
          .quality = names_.quality(fixed ? fixed : player_.shown_quality()),
          .quality_fixed = fixed.has_value()};
}

/// Playback counts as at the edge although some segments always lie between: the buffered ones, and the one being made.
bool PlaybackPresenter::at_the_edge(const StreamStatus& status) const {
  if (player_.state() == PlayerState::kEnded) return false;
  return status.behind_live && to_seconds(*status.behind_live) <= segment_seconds_ * (buffer_segments_ + 2);
}

std::string PlaybackPresenter::waiting_for(const StreamStatus& status) const {
  if (player_.state() == PlayerState::kOpening) {
    return say(_("Opening “{}”…"), title_) + (status.waiting_for.empty() ? "" : "\n" + status.waiting_for);
  }
  if (player_.state() != PlayerState::kBuffering) return {};
  std::string text = _("Buffering…");
  const auto troubled = [](const LinkStatus& link) { return is_trouble(link.activity); };
  const bool none_works = std::ranges::all_of(
      status.links, [&](const LinkStatus& link) { return troubled(link) || link.activity == LinkActivity::kOff; });
  if (none_works) text = _("No link works. It goes on by itself as soon as one does.");
  for (const LinkStatus& link : status.links) {
    if (troubled(link)) text += fmt::format("\n{}: {}", link_title(link), activity_text(link));
  }
  return text;
}

std::string links_text(const StreamStatus& status) {
  DataRate total;
  std::size_t bringing = 0;
  for (const LinkStatus& link : status.links) {
    total += link.rate_now;
    bringing += link.rate_now > DataRate{} ? 1 : 0;
  }
  return bringing == 0 ? std::string{"–"} : fmt::format("{} · {}", bringing, rate_text(total));
}

}  // namespace tributary::play
