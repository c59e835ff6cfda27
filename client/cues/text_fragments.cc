#include "cues/text_fragments.hh"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "cues/ttml.hh"
#include "cues/web_vtt.hh"
#include "media/cmaf_reader.hh"
#include "media/track_clock.hh"

namespace tributary {
namespace {

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

struct SampleTime {
  Duration begin, end;
};

/// Cues of WebVTT that are shown during the sample (ISO/IEC 14496-30 section 7.4): boxes, each with its text in a payl.
void add_vtt(std::span<const std::byte> sample, const SampleTime& time, std::vector<Cue>& cues) {
  for (const Box& box : boxes_in("the sample", sample)) {
    if (box.type != "vttc") continue;
    const auto payload = box.find("payl");
    if (!payload) continue;
    Cue cue{time.begin, time.end, cue_markup(text_of(payload->body))};
    if (!cue.markup.empty()) cues.push_back(std::move(cue));
  }
}

}  // namespace

std::vector<Cue> read_text_fragments(std::span<const std::byte> content, std::span<const std::byte> init) {
  try {
    const InitFacts facts = read_init(init.empty() ? content : init);
    if (facts.sample_entry != "wvtt" && facts.sample_entry != "stpp")
      throw TextError{fmt::format("the text is of the kind \"{}\", which cannot be shown", facts.sample_entry)};
    const Salvage read = salvage_segment(content, facts);
    std::vector<Cue> cues;
    std::size_t bytes = 0;
    for (const MediaSample& sample : read.facts.samples) {
      const auto begin = ticks_to_time(sample.shown, facts.timescale);
      const auto end = ticks_to_time(sample.shown + sample.duration, facts.timescale);
      if (!begin || !end || sample.size == 0) continue;
      const auto content_of = content.subspan(sample.begin, sample.size);
      const std::size_t before = cues.size();
      if (facts.sample_entry == "wvtt")
        add_vtt(content_of, {*begin, *end}, cues);
      else
        std::ranges::move(read_ttml(text_of(content_of)), std::back_inserter(cues));
      for (std::size_t i = before; i < cues.size(); ++i) bytes += cues[i].markup.size();
      if (cues.size() > kMostCues || bytes > kMostMarkup) throw TextError{"the text is too long"};
    }
    if (read.facts.samples.empty() && read.damage) throw TextError{*read.damage};
    return cues;
  } catch (const BoxError& error) {
    throw TextError{error.what()};
  }
}

}  // namespace tributary
