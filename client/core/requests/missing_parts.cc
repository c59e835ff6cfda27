#include "core/requests/missing_parts.hh"

#include <fmt/format.h>

#include <optional>

#include "core/scheduling/segment_start.hh"
#include "core/session_state.hh"
#include "presentation/track_choice.hh"

namespace tributary {
namespace {

constexpr std::size_t kManySounds = 3;  // in a row; an origin without more of them has none

bool is_picture(const SegmentAssembly& segment, const SegmentPart& part, const SessionState& s) {
  return part.track == s.timeline.table().ladder()[to_index(segment.quality())];
}

void note_missing(const SegmentAssembly& segment, QualityIndex quality, bool may_come_yet, SessionState& s) {
  if (may_come_yet)
    s.missing.lacks_until_now(segment.segment(), quality);
  else if (s.missing.lacks(segment.segment(), quality, s.now))
    tell_left_out(quality, s);
}

/// The nearest quality that has another file in the place of this part, which is not there; lower ones first.
std::optional<QualityIndex> other_quality(const SegmentAssembly& segment, const SegmentPart& part, bool may_come_yet,
                                          SessionState& s) {
  const SegmentTable& table = s.timeline.table();
  if (!is_picture(segment, part, s)) return std::nullopt;  // of the sound, which all have
  if (part.init && s.missing.lacks_init(segment.quality(), s.now)) tell_left_out(segment.quality(), s);
  note_missing(segment, segment.quality(), may_come_yet, s);
  while (true) {
    const auto other = s.missing.instead_of(segment.quality(), segment.segment(), table.highest_quality(), s.now);
    if (!other || part.init) return other;
    const SegmentPart there = table.parts(segment.segment(), *other).back();
    if (there.resource.uri != part.resource.uri || there.resource.range != part.resource.range) return other;
    note_missing(segment, *other, may_come_yet, s);  // its file is the same in all qualities
  }
}

void begin_anew(SegmentAssembly& segment, QualityIndex quality, const std::string& why, SessionState& s) {
  begin_anew(segment, {quality, why}, aggregate(s.links.estimates(s.book.outstanding(), s.now)), s);
}

void go_on_without_this_sound(const std::string& why, std::vector<std::size_t>& left_out, SessionState& s) {
  const SegmentTable& table = s.timeline.table();
  left_out.push_back(*table.sound());
  const std::string name = table.presentation().tracks[*table.sound()].id;
  const auto other = sound_like(table.presentation(), *table.sound(), left_out);
  s.timeline.choose_sound(other);
  s.actions.push(action::LeaveOut{
      other ? fmt::format("the sound {} is left out for {}", name, table.presentation().tracks[*other].id)
            : fmt::format("the sound {} is left out, the title goes on silent", name),
      "the origin does not have it: " + why});
  s.book.forget_init_parts();
  for (SegmentAssembly& segment : s.book.segments())
    begin_anew(segment, segment.quality(), "the origin does not have its sound", s);
}

}  // namespace

void tell_left_out(QualityIndex quality, SessionState& s) {
  s.actions.push(
      action::LeaveOut{fmt::format("the quality {} is left out for {:.0f} s", s.timeline.table().quality_name(quality),
                                   to_seconds(MissingQualities::kLeftOutFor)),
                       "the origin does not have its files"});
}

bool ask_for_another_quality(const OutstandingRequest& request, const std::string& why, bool may_come_yet,
                             SessionState& s) {
  if (!plays(s.options.mode) || s.timeline.is_bound(request.segment)) return false;
  SegmentAssembly* segment = s.book.find_segment(request.segment);
  const auto other = other_quality(*segment, s.part_of(*segment, request.part), may_come_yet, s);
  if (!other) return false;
  const std::string& name = s.timeline.table().quality_name(segment->quality());
  begin_anew(*segment, *other, fmt::format("the origin does not have it in {}: {}", name, why), s);
  bring_lost_init_parts(s);
  return true;
}

OtherQuality look_for_other_quality(const OutstandingRequest& request, const std::string& why, bool may_come_yet,
                                    SessionState& s) {
  using enum OtherQuality;
  SegmentAssembly* segment = request.abandoned ? nullptr : s.book.find_segment(request.segment);
  if (segment == nullptr || !plays(s.options.mode) || s.timeline.left_window(request.segment)) return kNone;
  // Where the size is an estimate, the range may lie behind the end.
  if (request.range.begin > DataSize{} && !segment->size_is_known(request.part)) return kNone;
  if (!may_come_yet) return ask_for_another_quality(request, why, false, s) ? kAsked : kNone;
  const auto looked = s.missing.looked_everywhere(request.segment);
  const bool too_soon = looked && s.now - *looked < s.timeline.table().duration(request.segment) / 2;
  if (!s.missing.looks_for(request.segment) && (request.wrong_answers == 0 || too_soon)) return kNone;
  if (ask_for_another_quality(request, why, true, s)) return kAsked;
  if (!is_picture(*segment, s.part_of(*segment, request.part), s)) return kNone;
  if (!s.missing.looks_for(request.segment)) return kNone;  // it continues another one: there is one quality only
  const QualityIndex first = s.missing.not_there_yet(request.segment, s.now);
  if (first == segment->quality()) return kNone;
  begin_anew(*segment, first, "no quality has it yet", s);
  bring_lost_init_parts(s);
  return kNoneYet;
}

bool goes_on_without_sound(const OutstandingRequest& request, const std::string& why,
                           std::vector<std::size_t>& left_out, SessionState& s) {
  SegmentAssembly& segment = *s.book.find_segment(request.segment);
  const SegmentPart part = s.part_of(segment, request.part);
  if (!plays(s.options.mode) || part.track != s.timeline.table().sound()) return false;
  if (part.init || s.timeline.lose(part) >= kManySounds) {
    go_on_without_this_sound(why, left_out, s);
  } else {
    s.actions.push(action::LeaveOut{fmt::format("segment {} comes without its sound", to_index(request.segment)),
                                    "the origin does not have it: " + why});
    begin_anew(segment, segment.quality(), "the origin does not have its sound", s);
    bring_lost_init_parts(s);
  }
  s.book.abandon_what_is_not_wanted(s.links_now(), s.actions);
  return true;
}

}  // namespace tributary
