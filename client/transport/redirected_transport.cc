#include "transport/redirected_transport.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "transport/http/file_versions.hh"
#include "units/text/data_address.hh"
#include "units/text/redacted_url.hh"

namespace tributary::transport {
namespace {

/// Failures that belong to the address: another address may give another answer.
bool is_of_the_address(FailureReason reason) {
  return is_refusal(reason) || reason == FailureReason::kRedirected || reason == FailureReason::kResolve ||
         reason == FailureReason::kNotAllowed;
}

/// Failures before any byte, which belong to an address or to its server.
bool may_do_better_elsewhere(FailureReason reason) {
  switch (reason) {
    using enum FailureReason;
    case kNoRoute:
    case kConnectTimeout:
    case kRefused:
    case kTls:
    case kTlsVerification:
    case kServerBusy:
      return true;
    default:
      return is_of_the_address(reason);
  }
}

/// Whatever stood at the address may stand elsewhere by now.
bool may_have_moved(FailureReason reason) {
  return may_do_better_elsewhere(reason) || reason == FailureReason::kClosedUnanswered ||
         reason == FailureReason::kStalled;
}

/// The link may be what does not answer: the origin is not waited for as well.
bool takes_long_to_fail(FailureReason reason) {
  return reason == FailureReason::kConnectTimeout || reason == FailureReason::kStalled;
}

/// Failures of which an address may not be the cause.
bool is_of_the_link(FailureReason reason) {
  return reason == FailureReason::kLinkDown || reason == FailureReason::kInterface ||
         reason == FailureReason::kAbandoned;
}

}  // namespace

RedirectedTransport::RedirectedTransport(Origin home, Connect connect, AlternativeAddresses alternatives)
    : home_{std::move(home)},
      connect_{std::move(connect)},
      alternatives_{std::move(alternatives)},
      answered_{&place_of(home_)} {}

void RedirectedTransport::submit(const RangeRequest& request, TimePoint now) {
  now_ = now;
  if (is_data_address(request.target)) return answer_from_address(request);
  const auto moved = moved_.find(request.target);
  Asked asked{.request = request, .at = {}, .remembered = moved != moved_.end()};
  try {
    const bool here = request.target.starts_with('/');
    asked.alternative = alternatives_.find(here ? home_.url() + request.target : request.target);
    if (asked.alternative) asked.beginning = preferred_[asked.alternative->group];
    asked.at = asked.remembered ? moved->second : named(asked);
    make_room_for(asked.at.origin);
    ask(asked_.insert_or_assign(request.id, std::move(asked)).first);
  } catch (const UrlError& error) {
    told_.push_back({RequestFailed{request.id, FailureReason::kNotFound, error.what()}});
  }
}

void RedirectedTransport::answer_from_address(const RangeRequest& request) {
  const auto data = data_of(request.target);
  const DataSize size{static_cast<std::int64_t>(data ? data->size() : 0)};
  const DataSize end = request.open ? std::min(request.range.end, size) : request.range.end;
  if (!data || request.range.begin >= size || end > size) {
    told_.push_back({RequestFailed{request.id, FailureReason::kNotFound, "its address does not hold these bytes"}});
    return;
  }
  const ByteRange range{request.range.begin, request.whole_file() ? size : end};
  told_.push_back({ResponseBegan{request.id, size}});
  told_.push_back(
      {BodyReceived{request.id, range.begin, {}},
       data->substr(static_cast<std::size_t>(range.begin.bytes()), static_cast<std::size_t>(range.size().bytes()))});
  told_.push_back({RequestDone{request.id}});
}

std::optional<Event> RedirectedTransport::next_told() {
  if (told_.empty()) return std::nullopt;
  Told told = std::move(told_.front());
  told_.pop_front();
  last_bytes_ = std::move(told.bytes);
  if (auto* body = std::get_if<BodyReceived>(&told.event)) body->bytes = std::as_bytes(std::span{last_bytes_});
  return std::move(told.event);
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
  if (auto told = next_told()) return told;
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
  if (!told_.empty()) first = now_;
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
    if (asked->second.at != named(asked->second))
      failed->detail += fmt::format(", redirected to {}", redacted(asked->second.at.url()));
    asked_.erase(asked);
  }
  return event;
}

FileLocation RedirectedTransport::named(const Asked& asked) const {
  if (const auto& match = asked.alternative)
    return parse_url(alternatives_.beginnings(match->group)[asked.beginning] + match->rest);
  const std::string& target = asked.request.target;
  return target.starts_with('/') ? FileLocation{home_, target} : parse_url(target);
}

void RedirectedTransport::remember(const Asked& asked) {
  if (asked.at == named(asked)) return;
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
  if (!std::exchange(what.remembered, false) || !may_have_moved(failed.reason))
    return turns_to_next(asked, failed.reason);
  forget_place_of(what);
  if (takes_long_to_fail(failed.reason)) return turns_to_next(asked, failed.reason);
  what.at = named(what);
  ask(asked);
  return true;
}

void RedirectedTransport::forget_place_of(const Asked& asked) {
  const auto moved = moved_.find(asked.request.target);
  if (moved != moved_.end() && moved->second == asked.at) moved_.erase(moved);
}

bool RedirectedTransport::turns_to_next(Requests::iterator asked, FailureReason reason) {
  Asked& what = asked->second;
  if (!what.alternative || is_of_the_link(reason)) return false;
  const std::size_t all = alternatives_.beginnings(what.alternative->group).size();
  const std::size_t next = (what.beginning + 1) % all;
  std::size_t& preferred = preferred_[what.alternative->group];
  if (preferred == what.beginning) preferred = next;
  if (!may_do_better_elsewhere(reason) || ++what.failed == all) return false;
  Asked elsewhere = what;
  elsewhere.remembered = false;
  elsewhere.beginning = next;
  elsewhere.at = named(elsewhere);
  try {
    make_room_for(elsewhere.at.origin);
  } catch (const UrlError&) {
    return false;
  }
  moved_.erase(what.request.target);
  what = std::move(elsewhere);
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
