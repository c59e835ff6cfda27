#include "proxy/held/held_answers.hh"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <list>
#include <mutex>
#include <thread>
#include <tuple>
#include <utility>
#include <variant>

#include "playback/call_queue.hh"
#include "proxy/held/held_question.hh"
#include "transport/connections/curl_loop.hh"
#include "transport/connections/kept_connections.hh"
#include "units/overloaded.hh"
#include "units/text/redacted_url.hh"
#include "worlds/discovery/origin_links.hh"

namespace tributary::proxy {
namespace {

using Clock = HeldQuestion::Clock;
using namespace std::chrono_literals;

constexpr unsigned kBadGateway = 502, kUnavailable = 503, kGatewayTimeout = 504;
constexpr Duration kLongestWait = 1s;               // until links are looked at again, by what the user wants of them
constexpr Duration kShun = 2s, kLongestShun = 30s;  // a link that was late; twice as long each time
constexpr Duration kLongestDocument = 10s;
constexpr std::size_t kMostOrigins = 16;
constexpr std::uint64_t kDocuments = std::uint64_t{1} << 63;  // their numbers, behind those of files

struct NotWanted {
  std::uint64_t number = 0;
};
struct Close {};
using Call = std::variant<std::unique_ptr<HeldQuestion>, NotWanted, Close>;

}  // namespace

struct HeldAnswers::Impl {
  explicit Impl(HeldRules held_rules) : rules{std::move(held_rules)} {
    rules.rules.kept = std::make_shared<transport::KeptConnections>();
  }

  /// The thread begins with the first question: most titles have none.
  void add(HeldQuestion::Asked asked);
  void run();
  void take_calls();
  OriginLinks& links_to(const std::string& url);
  void advance(Clock::time_point now);
  bool is_over(HeldQuestion& question, Clock::time_point now);
  void note(const HeldQuestion& question, const HeldQuestion::News& news, Clock::time_point now);
  std::optional<std::string> link_for(const HeldQuestion& question, const OriginLinks& to, Clock::time_point now) const;
  DataRate taken_of(const std::string& link) const;
  void wait();

  HeldRules rules;
  CallQueue<Call> queue;
  std::atomic<std::size_t> waiting = 0;
  std::atomic<std::uint64_t> next_document = kDocuments;
  mutable std::mutex mutex;  // of the next two
  std::map<std::string, DataSize> carried;
  std::thread thread;
  // Of the thread:
  transport::CurlLoop loop;
  std::map<std::string, OriginLinks> origins;  // by URL
  std::list<std::unique_ptr<HeldQuestion>> questions;
  struct Lateness {
    Clock::time_point until{};
    Duration next = kShun;
  };
  std::map<std::string, Lateness> late;
  bool closed = false;
};

void HeldAnswers::Impl::add(HeldQuestion::Asked asked) {
  if (waiting.load() >= kMost) return asked.answer->failed(kUnavailable, "too many answers are waited for");
  ++waiting;
  queue.push(std::make_unique<HeldQuestion>(std::move(asked), Clock::now()));
  const std::lock_guard lock{mutex};
  if (!thread.joinable()) thread = std::thread{[this] { run(); }};
}

void HeldAnswers::Impl::run() {
  while (true) {
    take_calls();
    if (closed) break;
    advance(Clock::now());
    wait();
  }
  for (const auto& question : questions) question->fail(kBadGateway, "closed");
  questions.clear();
}

void HeldAnswers::Impl::take_calls() {
  for (Call& call : queue.take()) {
    std::visit(Overloaded{[&](std::unique_ptr<HeldQuestion>& question) {
                            const std::uint64_t number = question->asked().number;
                            question->when_left([this, number] { queue.push(NotWanted{number}); });
                            questions.push_back(std::move(question));
                          },
                          [&](const NotWanted& not_wanted) {
                            std::erase_if(questions, [&](const auto& question) {
                              if (question->asked().number != not_wanted.number) return false;
                              question->fail(kUnavailable, "nobody waits for it any more");
                              --waiting;
                              return true;
                            });
                          },
                          [&](const Close&) { closed = true; }},
               call);
  }
}

OriginLinks& HeldAnswers::Impl::links_to(const std::string& url) {
  const transport::Origin origin = transport::parse_url(url).origin;
  if (origins.size() >= kMostOrigins && !origins.contains(origin.url())) origins.clear();
  return origins.try_emplace(origin.url(), origin, rules.rules, rules.links).first->second;
}

void HeldAnswers::Impl::advance(Clock::time_point now) {
  for (auto& [url, links] : origins) links.look();
  for (auto question = questions.begin(); question != questions.end();) {
    if (is_over(**question, now)) {
      --waiting;
      question = questions.erase(question);
    } else {
      ++question;
    }
  }
}

bool HeldAnswers::Impl::is_over(HeldQuestion& question, Clock::time_point now) try {
  OriginLinks& to = links_to(question.asked().url);
  to.look();
  question.keep_to(to.usable());
  question.may_ask(!to.usable().empty());
  const HeldQuestion::News news = question.advance(now);
  note(question, news, now);
  if (news.over) return true;
  if (now >= question.give_up_at()) {
    const std::string& why = question.last_failure().empty() ? to.obstacle() : question.last_failure();
    question.fail(kGatewayTimeout, fmt::format("no answer for {}: {}", redacted(question.asked().url), why));
    return true;
  }
  if (to.usable().empty() || !question.wants_another(now)) return false;
  if (const auto link = link_for(question, to, now)) {
    question.ask(*link, loop, rules.rules.over(*link), now);
  } else if (question.asks_any()) {
    question.postpone(now);
  } else {
    const bool only_costly = question.asked().is_file && std::ranges::all_of(to.usable(), [&](const std::string& one) {
                               return rules.known(one).costs;
                             });
    if (only_costly && question.asked().otherwise) {
      question.hand_on();
      return true;
    }
    question.begin_again(now);
  }
  return false;
} catch (const std::exception& error) {
  question.fail(kBadGateway, error.what());
  return true;
}

void HeldAnswers::Impl::note(const HeldQuestion& question, const HeldQuestion::News& news, Clock::time_point now) {
  for (const std::string& link : news.late) {
    Lateness& lateness = late[link];
    lateness.until = now + lateness.next;
    lateness.next = std::min(2 * lateness.next, kLongestShun);
  }
  if (news.over && news.brought_by && news.late.empty()) late[*news.brought_by] = {};
  if (!question.asked().is_file) return;
  const std::lock_guard lock{mutex};
  for (const auto& [link, size] : news.received) carried[link] += size;
}

/// What files that are made take of it.
DataRate HeldAnswers::Impl::taken_of(const std::string& link) const {
  DataRate taken;
  for (const auto& question : questions) {
    if (question->asked().is_file && question->asks(link)) taken += question->asked().rate;
  }
  return taken;
}

std::optional<std::string> HeldAnswers::Impl::link_for(const HeldQuestion& question, const OriginLinks& to,
                                                       Clock::time_point now) const {
  std::optional<std::string> best;
  std::tuple<bool, bool, double, Duration> best_rank;
  for (const std::string& link : to.usable()) {
    const LinkUse use = rules.use(link);
    const HeldLink known = rules.known(link);
    if (use == LinkUse::kDoNotUse || question.asks(link) || question.has_failed_over(link)) continue;
    if (question.asked().is_file && known.costs) continue;
    const auto lateness = late.find(link);
    const double room = known.rate.value_or(DataRate{}).bits_per_second() - taken_of(link).bits_per_second();
    const std::tuple rank{use == LinkUse::kWhenNeeded, lateness != late.end() && now < lateness->second.until,
                          question.asked().is_file ? -room : 0., known.round_trip.value_or(Duration::max())};
    if (best && rank >= best_rank) continue;
    best = link;
    best_rank = rank;
  }
  return best;
}

void HeldAnswers::Impl::wait() {
  std::vector<transport::CurlLoop::ExtraFd> extra{{queue.file_descriptor()}};
  for (const auto& [url, links] : origins) extra.push_back({links.file_descriptor()});
  std::optional<Duration> timeout;
  if (!questions.empty()) timeout = kLongestWait;
  const Clock::time_point now = Clock::now();
  for (const auto& question : questions) timeout = std::clamp<Duration>(question->next_deadline() - now, 1ms, *timeout);
  loop.wait(timeout, extra);
}

HeldAnswers::HeldAnswers(HeldRules rules) : impl_{std::make_unique<Impl>(std::move(rules))} {}

HeldAnswers::~HeldAnswers() {
  impl_->queue.push(Close{});
  if (impl_->thread.joinable()) impl_->thread.join();
}

void HeldAnswers::document(const std::string& url, Duration held_for, std::stop_token left,
                           std::function<void(HeldDocument)> done) {
  impl_->add({.number = impl_->next_document++,
              .url = url,
              .held_for = held_for,
              .answer = held_document(url, held_for + kLongestDocument, std::move(done)),
              .left = std::move(left)});
}

void HeldAnswers::file(std::uint64_t number, Wanted wanted) {
  impl_->add({.number = number,
              .url = wanted.url,
              .held_for = wanted.held_for,
              .rate = wanted.rate,
              .is_file = true,
              .answer = held_file(wanted.url, wanted.from, std::move(wanted.file)),
              .otherwise = std::move(wanted.otherwise)});
}

void HeldAnswers::not_wanted(std::uint64_t number) { impl_->queue.push(NotWanted{number}); }

std::map<std::string, DataSize> HeldAnswers::carried() const {
  const std::lock_guard lock{impl_->mutex};
  return impl_->carried;
}

}  // namespace tributary::proxy
