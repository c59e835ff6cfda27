#pragma once

#include <atomic>

#include "segmenter/encode/encode_job.hh"
#include "segmenter/encode/encode_progress.hh"
#include "segmenter/encode/section_ranges.hh"
#include "segmenter/encode/unfinished_run.hh"
#include "segmenter/encoders/first_pass.hh"
#include "segmenter/libav/input_decoder.hh"

namespace tributary::segmenter {

/// The context that all ranges of a title share.
struct RangeJob {
  const EncodeOptions& options;
  const SegmentPlan& plan;
  const Publication& publication;
  UnfinishedRun& run;
  EncodeProgress& progress;
  const std::atomic<bool>& interrupted;
  const std::atomic<bool>& failed;  // another range has failed, so that this one is of no use
  const std::vector<Subtitles>& subtitles;
  const FirstPass* first_pass;  // null: there is only one pass
  const PictureStarts* starts;  // null: decode from the beginning
  int decoder_threads;
};

/// Encodes the sections of a range. The range that ends the title also encodes the whole sound in one piece, and
/// publishes subtitles. Returns the damage of the source.
SourceDamage encode_range(const RangeJob& job, const SectionRange& range);
/// Encodes a range with an input that is open, and from which no frame was read.
SourceDamage encode_range(const RangeJob& job, const SectionRange& range, InputDecoder& input);

SoundChoice sounds_of(const EncodeOptions& options);
/// "audio", "audio-2" ...; a ladder does not use these names.
std::string sound_id(std::size_t index);

}  // namespace tributary::segmenter
