#include "segmenter/encode/encode_plan.hh"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "segmenter/encode/automatic_ladder.hh"
#include "segmenter/encode/range_job.hh"
#include "units/text/quantity_text.hh"

namespace tributary::segmenter {

std::optional<std::uint64_t> EncodePlan::segments() const {
  if (!duration) return std::nullopt;
  return static_cast<std::uint64_t>(std::max(1.0, std::ceil(to_seconds(*duration) / segment_seconds - 1e-6)));
}

std::optional<DataSize> EncodePlan::size(const PlannedTrack& track) const {
  if (!duration) return std::nullopt;
  return DataSize{std::llround(track.rate.bits_per_second() / 8 * to_seconds(*duration))};
}

Survey survey(InputDecoder& input, const EncodeOptions& options, const std::atomic<bool>& interrupted) {
  Survey survey;
  std::error_code error;
  // A growing playlist is a file, too, but has no end and states no duration.
  const bool is_whole = std::filesystem::is_regular_file(options.input, error) && input.duration();
  std::optional<PictureTimes> times;
  if (is_whole) {
    survey.starts = InputDecoder{options.input, SoundChoice::kNone, interrupted, 1}.find_starts();
    if (!survey.starts->times.empty()) times = PictureTimes{survey.starts->times, input.picture().time_base};
  }
  survey.rate = choose_picture_rate(input.picture().stated_rate, options.fastest, times);
  input.encode_at(survey.rate.rate);
  return survey;
}

EncodePlan plan_encoding(const EncodeOptions& options, const std::atomic<bool>& interrupted) {
  InputDecoder input{options.input, sounds_of(options), interrupted};
  const Survey found = survey(input, options, interrupted);
  return plan_of(input, options, found.rate);
}

EncodePlan plan_of(const InputDecoder& input, const EncodeOptions& options, const PictureRate& rate) {
  const SegmentPlan cut{input.picture().rate, options.segment, options.section};
  EncodePlan plan;
  const std::vector<Quality> ladder = ladder_for(options.ladder, input.picture(), options.video.codec);
  for (const Quality& quality : ladder)
    plan.tracks.push_back({quality.name, quality.rate, picture_size(quality, input.picture().shown), ""});
  for (const SoundFormat& sound : input.sounds())
    plan.tracks.push_back(
        {sound_id(plan.tracks.size() - ladder.size()), options.audio->rate, {}, sound.label.language});
  plan.frame_rate = cut.frame_rate();
  plan.rate = rate;
  plan.segment_seconds = cut.seconds(static_cast<std::uint64_t>(cut.pictures_per_segment()));
  plan.section_seconds = cut.seconds(cut.pictures_per_section());
  plan.duration = input.duration();
  if (plan.duration) plan.section_seconds = std::min(plan.section_seconds, to_seconds(*plan.duration));
  return plan;
}

EncodePlan plan_of(const std::vector<Track>& tracks, double segment_seconds, std::optional<Duration> duration) {
  EncodePlan plan;
  plan.segment_seconds = segment_seconds;
  plan.duration = duration;
  for (const Track& track : tracks) {
    EncodePlan::PlannedTrack planned{track.id, track.bitrate.target, {}, track.label.language};
    if (track.kind == TrackKind::kVideo) {
      planned.size = PictureSize{track.width, track.height};
      plan.frame_rate = {track.frame_rate_num, track.frame_rate_den};
    }
    plan.tracks.push_back(std::move(planned));
  }
  return plan;
}

std::string plan_text(const EncodePlan& plan) {
  std::string text;
  DataSize sum;
  for (const EncodePlan::PlannedTrack& track : plan.tracks) {
    const std::string picture =
        track.size ? fmt::format("{}x{}", track.size->width, track.size->height) : track.language;
    const auto size = plan.size(track);
    sum += size.value_or(DataSize{});
    text += fmt::format("{:<10} {:>10}  {:<9}{}\n", track.name, format_rate(track.rate), picture,
                        size ? fmt::format("  about {}", format_size(*size)) : "");
  }
  text += fmt::format("{}\nsegments of {:.6g} s, sections of {:.6g} s\n", rate_text(*plan.rate), plan.segment_seconds,
                      plan.section_seconds);
  if (!plan.duration) return text + "the input does not say how long it is\n";
  return text + fmt::format("{}: segments: {} in each track, about {} in all\n", format_duration(*plan.duration),
                            *plan.segments(), format_size(sum));
}

nlohmann::ordered_json plan_event(const EncodePlan& plan) {
  nlohmann::ordered_json event{{"event", "plan"}};
  if (plan.frame_rate) event["frameRate"] = {plan.frame_rate->num, plan.frame_rate->den};
  if (plan.rate) event["sourceRate"] = source_name(plan.rate->source);
  if (plan.rate && plan.rate->lost) event["picturesLost"] = *plan.rate->lost;
  event["segmentDuration"] = plan.segment_seconds;
  if (plan.section_seconds > 0) event["sectionDuration"] = plan.section_seconds;
  if (plan.duration) {
    event["seconds"] = to_seconds(*plan.duration);
    event["segments"] = *plan.segments();
  }
  event["tracks"] = nlohmann::ordered_json::array();
  for (const EncodePlan::PlannedTrack& track : plan.tracks) {
    nlohmann::ordered_json one{{"id", track.name}};
    if (track.rate > DataRate{}) one["rate"] = track.rate.whole_bits_per_second();
    if (track.size) one["width"] = track.size->width, one["height"] = track.size->height;
    if (!track.language.empty()) one["lang"] = track.language;
    if (const auto size = plan.size(track); size && *size > DataSize{}) one["bytes"] = size->bytes();
    event["tracks"].push_back(std::move(one));
  }
  return event;
}

}  // namespace tributary::segmenter
