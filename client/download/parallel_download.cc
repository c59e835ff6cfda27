#include "download/parallel_download.hh"

#include <fmt/format.h>

#include <algorithm>

#include "download/chunk_fetch.hh"
#include "download/files/chunk_sink.hh"
#include "download/files/part_file.hh"
#include "download/report/exit_status.hh"
#include "download/report/user_message.hh"

namespace tributary {
namespace {

/// Throws GetError if what was left behind is of another object.
DownloadState state_of(const FoundObject& object, const DownloadTarget& target, bool quiet) {
  DownloadState fresh{object.location.url(), *object.head.size, object.head.etag, object.head.last_modified, {}};
  if (!target.left_behind) return fresh;
  if (const auto why = why_not_continued(*target.left_behind, object.head, fresh.url)) {
    throw GetError{kRangeRefused, fmt::format("cannot continue {}: {}; without --continue it is begun anew",
                                              PartFile::part_path(target.path), *why)};
  }
  if (!quiet && has_another_tag(*target.left_behind, object.head))
    tell_user(fmt::format("{} goes on with another ETag: {}; size and time of the last change are the same",
                          PartFile::part_path(target.path), object.head.etag));
  return *target.left_behind;
}

/// Throws GetError if less is there than was noted.
void open_part(std::optional<PartFile>& part, const DownloadTarget& target, const DownloadState& state,
               const GetOptions& options) {
  part.emplace(target.path, target.left_behind ? PartFile::Content::kKept : PartFile::Content::kFresh,
               options.checksum);
  if (state.complete.size() > DataSize{} && part->size() < state.complete.ranges().back().end) {
    throw GetError{kRangeRefused, fmt::format("cannot continue {}: it is shorter than {} says",
                                              PartFile::part_path(target.path), PartFile::state_path(target.path))};
  }
  part->cut_to(state.size);
}

/// From the end to the front, where the answer that found the object fills the file from its front.
std::vector<ByteRange> chunks_of(const FoundObject& object, const DownloadState& state) {
  if (!object.front) return chunks_to_fetch(state.size, state.complete);
  std::vector<ByteRange> chunks = chunks_to_fetch(state.size, state.complete, chunk_size_from_both_ends(state.size));
  std::ranges::reverse(chunks);
  return chunks;
}

/// All of the object may be had in one answer, where what was left behind need not be kept.
bool may_be_had_whole(const ChunkFetch::Outcome& outcome, const DownloadTarget& target) {
  return outcome.failure && !target.left_behind && may_be_for_the_range(*outcome.failure);
}

void say_why(const ChunkFetch::Outcome& outcome, const DownloadTarget& target, const std::string& url) {
  if (outcome.exit_status == 0) return;
  if (may_be_had_whole(outcome, target))
    return tell_user((outcome.has_changed() ? "the object has changed on the server: entity-changed" : outcome.why) +
                     "; all of it is asked for in one answer");
  tell_user(outcome.why);
  if (!outcome.has_changed()) advise_user(outcome.exit_status, url);
}

}  // namespace

std::optional<int> download_in_parallel(const DownloadRun& run, const DownloadTarget& target, FoundObject& object) {
  DownloadState state = state_of(object, target, run.options.quiet);
  std::optional<PartFile> part;
  if (!target.in_place) open_part(part, target, state, run.options);
  Destination& destination = part ? static_cast<Destination&>(*part) : *target.in_place;
  run.report.ranges = true;
  run.report.resumed = state.complete.size();
  ChunkFetch::Outcome outcome;
  if (const std::vector<ByteRange> chunks = chunks_of(object, state); !chunks.empty()) {
    ChunkSink sink{destination, state, chunks};
    sink.save();
    outcome = ChunkFetch{run, {object, chunks, sink, state, !target.left_behind}}.fetch();
    say_why(outcome, target, run.options.url);
    if (outcome.exit_status != 0) sink.save();
    if (may_be_had_whole(outcome, target)) return std::nullopt;
  }
  run.report.complete = outcome.exit_status == 0;
  if (run.report.complete) {
    destination.finish(state.size);
  } else if (part) {
    tell_user(fmt::format("{} of {} bytes are in {}; --continue goes on from there", state.complete.size().bytes(),
                          state.size.bytes(), PartFile::part_path(target.path)));
  }
  return outcome.exit_status;
}

}  // namespace tributary
