#include "download/title_download.hh"

#include <fmt/format.h>
#include <poll.h>

#include <array>
#include <optional>
#include <stdexcept>

#include "download/files/part_file.hh"
#include "download/film/film_error.hh"
#include "download/film/film_writer.hh"
#include "download/report/exit_status.hh"
#include "download/report/missing_segments.hh"
#include "download/report/user_message.hh"
#include "download/search/title_choice.hh"
#include "download/search/title_search.hh"
#include "hls/channel_list.hh"
#include "manifests/manifest_kind.hh"
#include "memory/network_memory.hh"
#include "program/recording.hh"
#include "units/text/quantity_text.hh"
#include "units/text/redacted_url.hh"
#include "worlds/found_presentation.hh"
#include "worlds/streaming_job.hh"

namespace tributary {
namespace {

constexpr std::size_t kSegmentsInRecord = 32;  // the figures at the end are of links

bool is_readable(int fd) {
  pollfd asked{fd, POLLIN, 0};
  return fd >= 0 && poll(&asked, 1, 0) > 0;
}

FoundPresentation find_title(const DownloadRun& run, const SessionToCome& session) {
  PresentationSearch search = title_search(run.options, run.costs, run.stop_fd, run.line);
  search.session.emplace(session);
  return with_get_errors([&] { return find_presentation(search); });
}

/// A title, and what of it becomes the film.
struct ChosenTitle {
  SegmentTable table;
  QualityIndex quality{};
};

ChosenTitle choose(const FoundPresentation& found, const GetOptions& options) {
  const std::string url = redacted(found.location.url());
  const Presentation& presentation = found.presentation;
  if (presentation.live && !presentation.complete)
    throw GetError{kUnreadable, url + " is live: only a title that is complete can be fetched"};
  try {
    ChosenTitle title{SegmentTable{presentation}};
    title.quality = quality_of(title.table, options.quality);
    if (!options.audio.empty()) title.table.choose_sound(sound_of(presentation, options.audio));
    if (presentation.tracks[title.table.ladder().front()].kind == TrackKind::kData)
      throw GetError{kUnreadable, url + ": plain bytes for benchmarks become no film"};
    return title;
  } catch (const NotInTitle& error) {
    throw GetError{2, fmt::format("{}: {}", url, error.what())};
  } catch (const std::invalid_argument& error) {
    throw GetError{kUnreadable, fmt::format("{}: {}", url, error.what())};
  }
}

std::string text_of(const ChosenTitle& title) {
  const SegmentTable& table = title.table;
  std::string text =
      fmt::format("{}, {}", table.quality_name(title.quality), format_rate(table.bitrate(title.quality)));
  if (const auto sound = table.sound()) {
    const Track& track = table.presentation().tracks[*sound];
    text += fmt::format("; sound {}", track.label.language.empty() ? track.id : track.label.language);
  }
  return text;
}

/// The film under its name, or nothing of it at all.
class UnfinishedFilm {
 public:
  UnfinishedFilm(const std::string& path, const std::string& url)
      : path_{path}, part_{path, PartFile::Content::kFresh} {
    // Says whose FILE.part is, so that the next download may begin anew if this one is killed.
    part_.note({.url = url, .size = {}, .etag = {}, .last_modified = {}, .complete = {}});
  }
  ~UnfinishedFilm() {
    if (finished_) return;
    part_.discard();
    tell_user(fmt::format("{} is not whole, and nothing of it is kept", path_));
  }
  UnfinishedFilm(const UnfinishedFilm&) = delete;
  UnfinishedFilm& operator=(const UnfinishedFilm&) = delete;

  int descriptor() const { return part_.descriptor(); }
  void finish() {
    part_.finish(part_.size());
    finished_ = true;
  }

 private:
  std::string path_;
  PartFile part_;
  bool finished_ = false;
};

void say_what_comes(ProgressLine& line, const std::string& path, const FoundPresentation& found,
                    const ChosenTitle& title) {
  for (const std::string& left_out : found.left_out) line.say("left out: " + left_out);
  line.say(fmt::format("{}: {}", path, text_of(title)));
}

/// Fetches the title's segments into the film, over all links. Returns the exit status.
int fetch_segments(const DownloadRun& run, const FoundPresentation& found, const ChosenTitle& title,
                   const SessionToCome& to_come, FilmWriter& film, MissingSegments& missing) {
  Session session{title.table, title_options(run.options, *run.report.quality,
                                             size_of_title(title.table, title.quality), title.table.segment_count())};
  const auto memory = link_memory(found.addresses, tell_user);
  Recording recording{session, run.trace, kSegmentsInRecord};
  EndObserver end;
  recording.show(end);
  recording.show(missing);
  std::optional<GetProgress> progress;
  if (run.line != nullptr) {
    recording.show(progress.emplace(*run.line, recording.record(), DataSize{},
                                    [&] { return size_of_title(session.table(), title.quality); }));
  }
  StreamingJob job{links_of(run, to_come.rules, memory.get()), found.addresses, &to_come.loop};
  const auto finish_line = [&] {
    if (run.line != nullptr) run.line->finish();
  };
  try {
    job.run(session, {.connections = connections_to(found, to_come.loop, to_come.rules),
                      .network = {.stop_fd = run.stop_fd, .sink = &film},
                      .observers = recording.observers()});
  } catch (...) {
    finish_line();
    throw;
  }
  finish_line();
  add_links(run.report, recording.record());
  run.trace.close();
  const int status = job.stopped() ? kInterrupted : end.exit_status();
  if (status != 0) tell_user(job.stopped() ? "interrupted" : recording.record().ended_because());
  advise_user(status, run.options.url);
  return status;
}

/// False after Ctrl-C.
bool write_rest(FilmWriter& film, int stop_fd) {
  film.end();
  while (!film.wait(std::chrono::milliseconds{100})) {
    if (!is_readable(stop_fd)) continue;
    tell_user("interrupted");
    return false;
  }
  return true;
}

}  // namespace

const char* manifest_name(std::string_view first_bytes) {
  const auto kind = manifest_kind(first_bytes);
  if (!kind) return nullptr;
  switch (*kind) {
    case ManifestKind::kMpd:
      return "an MPD";
    case ManifestKind::kHls:
      return hls::read_channels(first_bytes) ? "a list of channels or files" : "an HLS playlist";
    case ManifestKind::kIndex:
      break;
  }
  // Other JSON begins alike.
  return first_bytes.find("\"tributary-index\"") != std::string_view::npos ? "an index.json" : nullptr;
}

int download_title(const DownloadRun& run, const TitleTarget& target, const transport::LinkRules& rules) {
  const SessionToCome to_come{run.loop, rules};
  const FoundPresentation found = find_title(run, to_come);
  const ChosenTitle title = choose(found, run.options);
  run.costs.lead_to(found.addresses);
  if (run.line != nullptr) say_what_comes(*run.line, target.path, found, title);
  run.report.quality = title.table.quality_name(title.quality);
  run.report.ranges = true;

  UnfinishedFilm file{target.path, run.options.url};
  FilmWriter film{
      {.descriptor = file.descriptor(), .name = PartFile::part_path(target.path), .container = target.container},
      film_tracks(title.table, title.quality),
      found.presentation.title};
  MissingSegments missing{title.table.segment_count()};
  if (const int status = fetch_segments(run, found, title, to_come, film, missing); status != 0) return status;
  if (!write_rest(film, run.stop_fd)) return kInterrupted;
  file.finish();
  for (const std::string& line_of_segment : missing.told()) tell_user(line_of_segment);
  if (missing.leave_holes()) {
    tell_user(fmt::format("{} has all the rest of the title", target.path));
    return kPartial;
  }
  run.report.complete = true;
  return 0;
}

}  // namespace tributary
