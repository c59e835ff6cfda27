#pragma once

#include <atomic>

#include "segmenter/encode/encode_job.hh"
#include "segmenter/encode/encode_progress.hh"
#include "segmenter/encode/section_ranges.hh"
#include "segmenter/encode/unfinished_run.hh"
#include "segmenter/encoders/first_pass.hh"
#include "segmenter/libav/input_decoder.hh"

namespace tributary::segmenter {

/// What all ranges of a title have in common.
struct RangeJob {
  const EncodeOptions& options;
  const SegmentPlan& plan;
  const Publication& publication;
  UnfinishedRun& run;
  EncodeProgress& progress;
  const std::atomic<bool>& interrupted;
  const std::atomic<bool>& failed;  // another range has, so that this one is of no use
  const std::vector<Subtitles>& subtitles;
  const FirstPass* first_pass;  // of two, or null
  const PictureStarts* starts;  // null: decode from the beginning
  int decoder_threads;
};

/// Encodes the sections of a range. Sound is encoded from its beginning to its end, in one piece, with the range that ends
/// the title, and then subtitles are published. Returns what was damaged.
SourceDamage encode_range(const RangeJob& job, const SectionRange& range);
/// The same with an input that was opened, and from which nothing was read.
SourceDamage encode_range(const RangeJob& job, const SectionRange& range, InputDecoder& input);

SoundChoice sounds_of(const EncodeOptions& options);
/// "audio", "audio-2" ...; the names of a ladder are others.
std::string sound_id(std::size_t index);

}  // namespace tributary::segmenter
