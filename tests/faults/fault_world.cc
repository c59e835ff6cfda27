#include "fault_world.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "support/tables.hh"
#include "worlds/transport_events.hh"

namespace tributary::testing {
namespace {

std::map<std::string, std::int64_t> files_of(const SegmentTable& table) {
  std::map<std::string, std::int64_t> sizes;
  for (std::size_t quality = 0; quality < table.quality_count(); ++quality) {
    for (std::size_t segment = 0; segment < table.segment_count(); ++segment) {
      for (const SegmentPart& part :
           table.parts(static_cast<SegmentIndex>(segment), static_cast<QualityIndex>(quality)))
        sizes["/" + part.resource.uri] = part.size().bytes();
    }
  }
  return sizes;
}

}  // namespace

SegmentTable table_of(const FaultPlan& plan) {
  constexpr std::array kQualities{"low", "medium", "high", "super"};
  std::vector<QualityRow> rows;
  for (std::size_t q = 0; q < plan.sizes.size(); ++q) {
    std::vector<DataSize> sizes;
    for (const std::int64_t size : plan.sizes[q]) sizes.emplace_back(size);
    rows.push_back({kQualities[q], std::move(sizes)});
  }
  return SegmentTable{presentation_of(rows)};
}

FaultWorld::Link::Link(const FaultPlan& plan, std::uint32_t number, VirtualOrigin& origin,
                       const transport::FileVersions& versions)
    : link{plan, number, origin},
      transport{[this] { return link.connect(); },
                "origin.example",
                {.versions = versions.over(fmt::format("link{}", number))}} {}

FaultWorld::FaultWorld(const FaultPlan& plan, const Session& session)
    : plan_{plan}, origin_{plan, files_of(session.table())}, parts_{session.table(), session.outstanding()} {
  const transport::FileVersions versions;
  for (std::uint32_t number = 0; number < plan.links.size(); ++number)
    links_.push_back(std::make_unique<Link>(plan, number, origin_, versions));
  if (is_live(plan.options.mode)) live_.emplace(session.table(), plan.options.segments_at_start());
}

TimedEvent FaultWorld::next_event(std::optional<TimePoint> deadline) {
  while (happened_.empty()) {
    const auto next = next_time();
    if (deadline && (!next || *deadline < *next)) {
      move_to(*deadline);
      if (happened_.empty()) return {now_, event::DeadlineReached{}};
    } else if (!next) {
      return {now_, event::StopRequested{"nothing can happen any more"}};
    } else {
      move_to(*next);
    }
  }
  TimedEvent first = std::move(happened_.front());
  happened_.pop_front();
  return first;
}

std::optional<TimePoint> FaultWorld::next_time() const {
  std::optional<TimePoint> earliest;
  const auto consider = [&](std::optional<TimePoint> t) {
    if (t && *t < TimePoint::max() - std::chrono::hours{2} && (!earliest || *t < *earliest))
      earliest = std::max(*t, now_);
  };
  for (const auto& link : links_) {
    consider(link->transport.next_deadline());
    consider(link->link.agenda().next());
    if (link->next_phase < link->link.phases().size()) consider(link->link.phases()[link->next_phase].at);
  }
  if (live_) consider(live_->next_at());
  if (next_wish_ < plan_.wishes.size()) consider(plan_.wishes[next_wish_].at);
  return earliest;
}

void FaultWorld::move_to(TimePoint time) {
  now_ = std::max(now_, time);
  for (std::size_t i = 0; i < links_.size(); ++i) {
    Link& link = *links_[i];
    const auto id = static_cast<LinkId>(i);
    link.link.agenda().run_until(now_);
    change_phases(id, link);
    link.transport.advance(now_);
    while (const auto event = link.transport.next_event()) {
      if (const auto* body = std::get_if<transport::BodyReceived>(&*event)) parts_.store(*body);
      append_events(happened_, *event, id, link.transport, now_);
    }
  }
  while (live_ && live_->next_at() && *live_->next_at() <= now_) happened_.push_back({now_, live_->publish()});
  while (next_wish_ < plan_.wishes.size() && plan_.wishes[next_wish_].at <= now_)
    happened_.push_back({now_, plan_.wishes[next_wish_++].event});
}

void FaultWorld::change_phases(LinkId id, Link& link) {
  const std::vector<LinkPhase>& phases = link.link.phases();
  while (link.next_phase < phases.size() && phases[link.next_phase].at <= now_) {
    const bool up = phases[link.next_phase++].state != LinkPhase::State::kDown;
    if (up == link.up) continue;
    link.up = up;
    if (up) {
      happened_.push_back({now_, event::LinkUp{id, "link" + std::to_string(to_index(id))}});
    } else {
      happened_.push_back({now_, event::LinkDown{id, "by plan"}});
      link.transport.close(FailureReason::kLinkDown, now_);
    }
  }
}

void FaultWorld::perform(const Action& action, TimePoint now) {
  if (const auto* start = std::get_if<action::StartSegment>(&action)) parts_.start(*start);
  if (const auto* skipped = std::get_if<action::SkipSegment>(&action)) parts_.forget(skipped->segment);
  if (const auto* dropped = std::get_if<action::DropSegment>(&action)) parts_.forget(dropped->segment);
  if (const auto* complete = std::get_if<action::DeliverSegment>(&action))
    deliver(complete->segment, parts_.take(complete->segment));
  if (const auto* abandon = std::get_if<action::AbandonRequests>(&action))
    links_[to_index(abandon->link)]->transport.abandon(now);
  if (const auto* send = std::get_if<action::SendRequest>(&action)) {
    const auto target = parts_.requested().target(*send);
    links_[to_index(send->link)]->transport.submit(
        {send->request, "/" + target.uri, target.range, target.file_size, send->afresh}, now);
  }
}

}  // namespace tributary::testing
