#include "proxy/held/held_question.hh"

#include <algorithm>
#include <utility>

#include "transport/documents/document_fetch.hh"

namespace tributary::proxy {
namespace {

using namespace std::chrono_literals;
using Attempt = HeldAnswer::Attempt;

constexpr Duration kOverdue = 300ms;       // for an answer that nobody holds, beside the round trip
constexpr Duration kLeastSilence = 500ms;  // of a file that is made: chunks have half a second, mostly
constexpr Duration kMostSilence = 3s;
constexpr unsigned kMostInVain = 4;  // doublings of the patience

unsigned status_of(FailureReason reason) {
  if (reason == FailureReason::kNotFound) return 404;
  return reason == FailureReason::kServerBusy ? 503 : 502;
}

}  // namespace

bool HeldQuestion::asks(const std::string& link) const {
  return std::ranges::find(attempts_, link, &Running::link) != attempts_.end();
}

/// So long a link may bring nothing new.
Duration HeldQuestion::patience() const {
  const Duration of_one = comes_ ? std::clamp(2 * longest_silence_ + kOverdue, kLeastSilence + kOverdue, kMostSilence)
                                 : asked_.held_for + kOverdue;
  return of_one * (1U << std::min(asked_in_vain_, kMostInVain));
}

bool HeldQuestion::wants_another(Clock::time_point now) const {
  if (now < not_before_) return false;
  return attempts_.empty() || now >= last_news_ + patience();
}

HeldQuestion::Clock::time_point HeldQuestion::next_deadline() const {
  if (!may_ask_) return give_up_at();
  const Clock::time_point next = attempts_.empty() ? not_before_ : std::max(not_before_, last_news_ + patience());
  return std::min(next, give_up_at());
}

void HeldQuestion::ask(const std::string& link, transport::CurlLoop& loop, const transport::LinkRules& over_link,
                       Clock::time_point now) {
  if (!attempts_.empty()) ++asked_in_vain_;
  attempts_.push_back({link, asked_.answer->ask(loop, over_link)});
  last_news_ = now;
}

void HeldQuestion::keep_to(const std::vector<std::string>& usable) {
  std::erase_if(attempts_,
                [&](const Running& running) { return std::ranges::find(usable, running.link) == usable.end(); });
}

void HeldQuestion::begin_again(Clock::time_point now) {
  failed_.clear();
  not_before_ = now + kPause;
}

void HeldQuestion::has_failed(const std::string& link, FailureReason reason, const std::string& why) {
  last_failure_ = why;
  failed_.insert(link);
  // Another link leads to the same origin, which was asked for something that it does not have.
  if (is_refusal(reason)) refused_ = reason;
}

HeldQuestion::News HeldQuestion::advance(Clock::time_point now) {
  News news;
  for (auto running = attempts_.begin(); running != attempts_.end();) {
    try {
      const Attempt::State state = running->attempt->advance();
      news.received.emplace_back(running->link, running->attempt->take_received());
      if (state != Attempt::State::kWaits) news.brought_by = running->link;
      if (state == Attempt::State::kThere) {
        news.over = true;
        break;
      }
      ++running;
    } catch (const transport::FetchError& error) {
      has_failed(running->link, error.reason, error.what());
      running = attempts_.erase(running);
    }
  }
  if (news.brought_by) {
    if (comes_) longest_silence_ = std::max<Duration>(longest_silence_, now - last_news_);
    comes_ = true;
    asked_in_vain_ = 0;
    last_news_ = now;
    for (const Running& sooner : attempts_) {  // those that were asked before
      if (sooner.link == *news.brought_by) break;
      news.late.push_back(sooner.link);
    }
    std::erase_if(attempts_, [&](const Running& other) { return other.link != *news.brought_by; });
  }
  if (news.over) {
    attempts_.clear();
    asked_.answer->came();
  } else if (refused_ && attempts_.empty()) {
    news.over = true;
    fail(status_of(*refused_), last_failure_);
  }
  return news;
}

}  // namespace tributary::proxy
