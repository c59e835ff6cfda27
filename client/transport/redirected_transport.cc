#include "transport/redirected_transport.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "transport/http/file_versions.hh"
#include "units/redacted_url.hh"

namespace tributary::transport {
namespace {

/// Failures that belong to the address: another address may give another answer.
bool is_refusal(FailureReason reason) {
  return reason == FailureReason::kNotFound || reason == FailureReason::kUnauthorized ||
         reason == FailureReason::kRedirected || reason == FailureReason::kResolve;
}

}  // namespace

RedirectedTransport::RedirectedTransport(Origin home, Connect connect)
    : home_{std::move(home)}, connect_{std::move(connect)}, answered_{&place_of(home_)} {}

void RedirectedTransport::submit(const RangeRequest& request, TimePoint now) {
  now_ = now;
  const auto moved = moved_.find(request.target);
  const bool known = moved != moved_.end();
  try {
    const FileLocation at = known ? moved->second : named(request);
    make_room_for(at.origin);
    ask(asked_.insert_or_assign(request.id, Asked{request, at, 0, known}).first);
  } catch (const UrlError& error) {
    refused_.emplace_back(RequestFailed{request.id, FailureReason::kNotFound, error.what()});
  }
}

void RedirectedTransport::close(FailureReason reason, TimePoint now) {
  now_ = now;
  for (const auto& place : places_) place->transport->close(reason, now);
}

void RedirectedTransport::abandon(TimePoint now) {
  now_ = now;
  for (const auto& place : places_) place->transport->abandon(now);
}

void RedirectedTransport::advance(TimePoint now) {
  now_ = now;
  for (const auto& place : places_) place->transport->advance(now);
}

std::optional<Event> RedirectedTransport::next_event() {
  if (!refused_.empty()) {
    Event event = std::move(refused_.front());
    refused_.pop_front();
    return event;
  }
  while (true) {
    std::optional<Event> event;
    Place* from = nullptr;
    for (const auto& place : places_) {
      event = place->transport->next_event();
      from = place.get();
      if (event) break;
    }
    if (!event) return std::nullopt;
    if (auto told = heard(*std::move(event), *from)) return told;
  }
}

std::optional<TimePoint> RedirectedTransport::next_deadline() const {
  std::optional<TimePoint> first;
  if (!refused_.empty()) first = now_;
  for (const auto& place : places_) {
    const auto deadline = place->transport->next_deadline();
    if (deadline && (!first || *deadline < *first)) first = deadline;
  }
  return first;
}

void RedirectedTransport::ask(Requests::iterator asked) {
  Asked& what = asked->second;
  what.request.place = what.at.target;
  place_of(what.at.origin).transport->submit(what.request, now_);
}

RedirectedTransport::Place& RedirectedTransport::place_of(const Origin& origin) {
  const auto known = std::ranges::find_if(places_, [&](const auto& place) { return place->origin == origin; });
  if (known != places_.end()) return **known;
  return *places_.emplace_back(std::make_unique<Place>(origin, connect_(origin)));
}

std::optional<Event> RedirectedTransport::heard(Event event, Place& from) {
  if (const auto* began = std::get_if<ResponseBegan>(&event)) {
    answered_ = &from;
    remember(asked_.at(began->id));
  }
  if (const auto* done = std::get_if<RequestDone>(&event)) asked_.erase(done->id);
  if (auto* failed = std::get_if<RequestFailed>(&event)) {
    const auto asked = asked_.find(failed->id);
    if (goes_on(asked, *failed)) return std::nullopt;
    if (asked->second.at != named(asked->second.request))
      failed->detail += fmt::format(", redirected to {}", redacted(asked->second.at.url()));
    asked_.erase(asked);
  }
  return event;
}

FileLocation RedirectedTransport::named(const RangeRequest& request) const {
  return request.target.starts_with('/') ? FileLocation{home_, request.target} : parse_url(request.target);
}

void RedirectedTransport::remember(const Asked& asked) {
  if (asked.at == named(asked.request)) return;
  if (moved_.size() >= FileVersions::kTargets) moved_.clear();
  moved_.insert_or_assign(asked.request.target, asked.at);
}

bool RedirectedTransport::goes_on(Requests::iterator asked, RequestFailed& failed) {
  Asked& what = asked->second;
  try {
    if (!failed.location.empty()) {
      follow(asked, failed.location);
      return true;
    }
  } catch (const UrlError& error) {
    failed.detail += fmt::format(": {}", error.what());
  }
  if (!std::exchange(what.remembered, false) || !is_refusal(failed.reason)) return false;
  moved_.erase(what.request.target);
  what.at = named(what.request);
  ask(asked);
  return true;
}

void RedirectedTransport::follow(Requests::iterator asked, const std::string& location) {
  Asked& what = asked->second;
  const FileLocation next = resolve_uri(what.at, location);
  if (what.at.origin.scheme == "https" && next.origin.scheme != "https")
    throw UrlError{"redirected from https to http, which is refused"};
  if (what.redirects == kMostRedirects) throw UrlError{fmt::format("redirected more than {} times", kMostRedirects)};
  make_room_for(next.origin);
  place_of(next.origin);
  what.at = next;
  what.remembered = false;
  ++what.redirects;
  ask(asked);
}

void RedirectedTransport::make_room_for(const Origin& origin) {
  const auto is_there = [&](const auto& place) { return place->origin == origin; };
  if (places_.size() < kMostOrigins || std::ranges::any_of(places_, is_there)) return;
  const auto can_go = [&](const auto& place) {
    return place->origin != home_ &&
           std::ranges::none_of(asked_, [&](const auto& asked) { return asked.second.at.origin == place->origin; });
  };
  const auto idle = std::ranges::find_if(places_, can_go);
  if (idle == places_.end()) throw UrlError{fmt::format("more than {} origins at a time", kMostOrigins)};
  if (answered_ == idle->get()) answered_ = places_.front().get();
  places_.erase(idle);
}

}  // namespace tributary::transport
