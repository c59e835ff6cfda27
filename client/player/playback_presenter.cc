#include "player/playback_presenter.hh"

#include <algorithm>

#include "player/memory/address.hh"
#include "player/texts/link_texts.hh"
#include "player/texts/quantity_texts.hh"
#include "player/texts/translation.hh"
#include "presentation/segments/segment_table.hh"

namespace tributary::play {
namespace {

Duration start_of(SegmentIndex segment, const Presentation& presentation) {
  const SegmentTable table{presentation};
  return to_index(segment) < table.segment_count() ? table.starts_at(segment) : table.grid().end();
}

}  // namespace

void PlaybackPresenter::opening() {
  skips_.clear();
  window_.controls().show_tracks({});
  window_.controls().seek_bar().show_chapters({});
}

void PlaybackPresenter::opened() {
  show_tracks();
  show_thumbnails();
}

void PlaybackPresenter::closed() {
  lacking_ = {};
  window_.controls().seek_bar().show_thumbnails(nullptr);
  thumbnails_.reset();
}

void PlaybackPresenter::show_tracks() {
  window_.controls().show_tracks(title_.names);
  window_.controls().seek_bar().show_chapters(title_.info.presentation.chapters);
}

void PlaybackPresenter::show_thumbnails() {
  const Presentation& presentation = title_.info.presentation;
  if (presentation.thumbnails.empty()) return;
  const Track& leading = title_.info.leading_track();
  SeekBar& bar = window_.controls().seek_bar();
  thumbnails_ = std::make_unique<Thumbnails>(
      Thumbnails::Source{.files = presentation.thumbnails,
                         .zero = from_seconds(static_cast<double>(leading.start) / leading.timescale),
                         .manifest = title_.streamed,
                         .rules = title_.info.rules},
      [this] { return links_for_side_files(player_.status().links); }, [&bar] { bar.thumbnail_arrived(); });
  bar.show_thumbnails([this](Duration position) { return thumbnails_->at(position); });
}

void PlaybackPresenter::skipped(const SkippedSegment& skipped) {
  constexpr std::size_t kMost = 100;
  constexpr guint kShownMilliseconds = 5000;
  if (skips_.size() == kMost) skips_.erase(skips_.begin());
  skips_.push_back(title_.info.live ? player_.position() : start_of(skipped.segment, title_.info.presentation));
  const bool told = told_of_skip_.running();
  told_of_skip_.once(kShownMilliseconds, [] {});
  if (told) return;
  window_.toast(skipped.missing.empty()
                    ? say(_("Skipped ahead: it was {} behind the live edge"), span_text(skipped.lag))
                    : say(_("A part is left out: the server does not have {}"), skipped.missing));
}

void PlaybackPresenter::lacks(const ProblemText& problem) {
  lacking_ = problem;
  window_.toast(problem.what, _("Details"), "win.explain");
}

void PlaybackPresenter::refresh(Duration position, bool links_panel) {
  const StreamStatus status = player_.status();
  window_.controls().show(view(status, position));
  window_.controls().show_links(links_text(status));
  window_.video().show_waiting(waiting_for(status), player_.state() == PlayerState::kOpening);
  if (!links_panel || refreshed_++ % 2 != 0) return;
  window_.links().show(status, title_.names.qualities);
  const std::uint64_t drawn = window_.video().pictures_drawn(), came = player_.frames_shown();
  window_.links().show_pictures(drawn, player_.frames_dropped() + came - std::min(drawn, came));
}

PlaybackView PlaybackPresenter::view(const StreamStatus& status, Duration position) const {
  const auto fixed = player_.chosen_quality();
  return {.state = player_.state(),
          .wants_to_play = player_.wants_to_play(),
          .live = title_.info.live,
          .begin = title_.info.live ? status.window_start : Duration{},
          .end = player_.duration(),
          .position = position,
          .ready_until = player_.position() + status.buffered,
          .behind_live = status.behind_live,
          .low_latency = status.latency_target > Duration{},
          .at_the_edge = at_the_edge(status),
          .skips = skips_,
          .speed = player_.speed(),
          .volume = player_.volume(),
          .muted = player_.muted(),
          .quality = title_.names.quality(fixed ? fixed : player_.shown_quality()),
          .quality_fixed = fixed.has_value()};
}

/// Playback counts as at the edge although some segments always lie between: the buffered ones, and the one being made.
bool PlaybackPresenter::at_the_edge(const StreamStatus& status) const {
  constexpr Duration kSteeredTo = std::chrono::seconds{1};
  if (player_.state() == PlayerState::kEnded) return false;
  if (status.latency_target > Duration{})
    return status.behind_live && *status.behind_live <= status.latency_target + kSteeredTo;
  return status.behind_live &&
         to_seconds(*status.behind_live) <= title_.info.presentation.nominal_segment_seconds * (buffer_segments_ + 2);
}

std::string PlaybackPresenter::waiting_for(const StreamStatus& status) const {
  if (player_.state() == PlayerState::kOpening) {
    return say(_("Opening “{}”…"), address_title(title_.url)) +
           (status.waiting_for.empty() ? "" : "\n" + status.waiting_for);
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
