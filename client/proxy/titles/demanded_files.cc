#include "proxy/titles/demanded_files.hh"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "proxy/titles/demand_queue.hh"
#include "proxy/titles/demand_session.hh"
#include "transport/connections/origin_addresses.hh"
#include "transport/connections/preconnections.hh"
#include "units/overloaded.hh"
#include "worlds/discovery/connect_ahead.hh"
#include "worlds/found_presentation.hh"
#include "worlds/streaming_job.hh"

namespace tributary::proxy {
namespace {

constexpr unsigned kBadGateway = 502, kNotWanted = 503, kGatewayTimeout = 504;

/// No reader of files waits any longer, and no user: a player tries again.
constexpr Duration kGiveUpAfter = std::chrono::seconds{30};

/// Shorter than in sessions of our own players: a player that reads a file from its front waits for each range.
constexpr DataSize kSubsegment{64'000};

/// The qualities that are chosen from; empty: none is.
struct Choice {
  std::vector<DataRate> bitrates;
  std::optional<std::size_t> spent_for;

  bool leads() const { return bitrates.size() > 1; }
};

/// What a session needs before its first file.
struct Beginning {
  transport::CurlLoop loop;
  FoundPresentation found;
  std::chrono::steady_clock::time_point expected;  // last
};

/// Addresses and links may have changed since.
constexpr Duration kNotExpectedAnyMore = std::chrono::seconds{5};

/// Throws LookupError.
std::unique_ptr<Beginning> beginning_at(const std::string& home, const transport::LinkRules& rules) {
  auto beginning = std::make_unique<Beginning>();
  FoundPresentation& found = beginning->found;
  found.location = transport::parse_url(home);
  found.addresses = transport::resolve(found.location.origin, rules);
  found.preconnections =
      std::make_shared<transport::Preconnections>(beginning->loop, found.location.origin, found.addresses);
  return beginning;
}

SessionOptions session_options(const LinkWishes& wishes, const Choice& choice) {
  SessionOptions options;
  options.mode = StreamingMode::kDemanded;
  options.adaptation = choice.leads() ? "planned" : "fixed:files";
  if (choice.leads()) options.spend_for = choice.spent_for ? quality_id(*choice.spent_for) : kSpendForStall;
  options.start = StartRule::kFast;
  options.subsegment_size = kSubsegment;
  options.stays_open = true;
  options.duplicates_percent = wishes.duplicates_percent;
  options.connections = wishes.connections;
  options.give_up_after = kGiveUpAfter;
  if (wishes.refuses_large_ranges) ask_for_small_ranges(options);
  return options;
}

}  // namespace

struct DemandedFiles::Impl {
  Impl(std::string home_url, LinkWishes link_wishes)
      : home{std::move(home_url)}, wishes{std::move(link_wishes)}, uses{wishes.use}, thread{[this] { run(); }} {}

  /// The thread: a session, and another one when it has ended and a file is wanted.
  void run() {
    while (auto first = wait_for_first()) {
      try {
        play(*first);
      } catch (const std::exception& error) {
        first->file->fail(kBadGateway, error.what());
      }
    }
  }

  /// Nothing: it is closed.
  std::optional<demand::Want> wait_for_first();
  void expect();
  void wait_for_call();
  void play(const demand::Want& first);
  void session_ended(const StreamStatus& last);
  HeldRules held_rules();
  void hold(const Demanded& demanded, const WantedMedia& wanted);
  /// Of what is wanted before a session.
  void call_off(std::uint64_t number);
  void put_off(const demand::Due& due);

  const std::string home;
  const LinkWishes wishes;
  DemandQueue queue;
  StatusBoard board;
  Waits waits;
  std::atomic<std::uint64_t> last_number = 0;
  mutable std::mutex mutex;
  std::map<std::string, DataSize> carried_before;  // by earlier sessions
  Choice choice;
  // Of the thread:
  transport::CurlLoop idle;
  LinkUses uses;
  std::unique_ptr<Beginning> beginning;     // of the next session; null: nobody expects one
  std::deque<demand::Want> before_session;  // wanted while none runs
  bool closed = false;
  std::unique_ptr<HeldAnswers> held = std::make_unique<HeldAnswers>(held_rules());
  std::thread thread;  // last: it uses all of the above
};

HeldRules DemandedFiles::Impl::held_rules() {
  const auto known = [this](const std::string& name) {
    const CostKind kind = wishes.terms(name).kind;
    HeldLink link{.costs = kind == CostKind::kMetered || kind == CostKind::kPaid};
    const StreamStatus status = board.look();
    const auto found = std::ranges::find(status.links, name, &LinkStatus::name);
    if (found == status.links.end()) return link;
    link.rate = found->rate_when_busy;
    link.round_trip = found->round_trip;
    return link;
  };
  return {
      .links = wishes.links, .use = free_links_first(wishes.use, wishes.terms), .known = known, .rules = wishes.rules};
}

void DemandedFiles::Impl::hold(const Demanded& demanded, const WantedMedia& wanted) {
  constexpr Duration kLeast = std::chrono::milliseconds{1};
  HeldAnswers::Wanted asked{.url = wanted.url,
                            .held_for = *wanted.held_for,
                            .rate = wanted.estimate / std::max(wanted.duration, kLeast),
                            .file = demanded.file};
  if (wanted.range)
    asked.from = wanted.range->begin;
  else
    asked.otherwise = [this, demanded, wanted] { queue.push(demand::Want{demanded.number, wanted, demanded.file}); };
  held->file(demanded.number, std::move(asked));
}

void DemandedFiles::Impl::call_off(std::uint64_t number) {
  std::erase_if(before_session, [&](const demand::Want& want) {
    if (want.number != number) return false;
    want.file->fail(kNotWanted, "the player does not want it any more");
    return true;
  });
}

void DemandedFiles::Impl::put_off(const demand::Due& due) {
  const auto found = std::ranges::find(before_session, due.number, &demand::Want::number);
  if (found == before_session.end()) return;
  found->wanted.due_in = due.in;
  if (due.player_lasts) found->wanted.player_lasts = due.player_lasts;
}

void DemandedFiles::Impl::expect() try {
  if (!beginning) beginning = beginning_at(home, wishes.rules);
  beginning->expected = std::chrono::steady_clock::now();
  transport::Preconnections& connections = *beginning->found.preconnections;
  const UseOfLink use = free_links_first([this](const std::string& link) { return uses.of(link); }, wishes.terms);
  connect_ahead(connections, beginning->found.addresses, wishes.links, use, wishes.rules);
  connections.answered();  // the origin is busy with the manifest
} catch (const std::exception&) {
  beginning.reset();  // whoever wants a file is told why
}

void DemandedFiles::Impl::wait_for_call() {
  std::array<transport::CurlLoop::ExtraFd, 1> extra{{{queue.file_descriptor()}}};
  if (!beginning) return idle.wait(std::nullopt, extra);
  beginning->loop.wait(transport::Preconnections::kLongest, extra);
  if (!extra[0].ready) beginning->found.preconnections->close_late();  // what has been called may need them
  if (std::chrono::steady_clock::now() - beginning->expected > kNotExpectedAnyMore) beginning.reset();
}

std::optional<demand::Want> DemandedFiles::Impl::wait_for_first() {
  while (true) {
    for (DemandCall& call : queue.take()) {
      std::visit(
          Overloaded{[&](demand::Want& want) { before_session.push_back(std::move(want)); },
                     [&](demand::NotWanted& not_wanted) { call_off(not_wanted.number); },
                     [&](demand::UseLink& use) { uses.set(use.name, use.use); }, [&](demand::Expect&) { expect(); },
                     [&](demand::Close&) { closed = true; }, [&](demand::Due& due) { put_off(due); }},
          call);
    }
    if (closed) {
      for (const demand::Want& want : before_session) want.file->fail(kBadGateway, "closed");
      return std::nullopt;
    }
    if (!before_session.empty()) {
      demand::Want first = std::move(before_session.front());
      before_session.pop_front();
      return first;
    }
    wait_for_call();
  }
}

void DemandedFiles::Impl::play(const demand::Want& first) {
  const std::unique_ptr<Beginning> own = beginning ? std::move(beginning) : beginning_at(home, wishes.rules);
  FoundPresentation& found = own->found;
  const Choice choice_now = [&] {
    const std::lock_guard lock{mutex};
    return choice;
  }();
  Session session{table_with(first.wanted, choice_now.bitrates), session_options(wishes, choice_now)};
  StreamingJob job{{.links = wishes.links,
                    .rules = wishes.rules,
                    .use = [this](const std::string& link) { return uses.of(link); },
                    .terms = wishes.terms,
                    .budget = wishes.budget.get(),
                    .memory = wishes.memory.get()},
                   found.addresses,
                   &own->loop};
  StatusRecorder recorder{session, job.links(), uses};
  for (demand::Want& want : std::exchange(before_session, {})) queue.push(std::move(want));
  DemandSession demanded{queue, first, session, uses, recorder, board, waits};
  try {
    job.run(session, {.connections = connections_to(found, own->loop, wishes.rules),
                      .network = {.others = &demanded,
                                  .sink = &demanded,
                                  .brought_of = [&](RequestId request,
                                                    DataSize stated) { return demanded.brought_of(request, stated); },
                                  .brings_front = [&](RequestId request) { return demanded.brings_front(request); },
                                  .fields_of = [&](RequestId request) { return demanded.fields_of(request); }},
                      .observers = {&recorder, &demanded}});
    demanded.fail_all(kGatewayTimeout, demanded.why_finished());
  } catch (const std::exception& error) {
    demanded.fail_all(kBadGateway, error.what());
  }
  session_ended(board.look());
  closed = closed || demanded.closed();
  if (closed) queue.push(demand::Close{});
}

void DemandedFiles::Impl::session_ended(const StreamStatus& last) {
  const std::lock_guard lock{mutex};
  for (const LinkStatus& link : last.links) carried_before[link.name] += link.received;
  board.put_up({});
}

DemandedFiles::DemandedFiles(std::string home, LinkWishes wishes)
    : impl_{std::make_unique<Impl>(std::move(home), std::move(wishes))} {}

DemandedFiles::~DemandedFiles() {
  impl_->held.reset();  // it may hand on what it was asked for
  impl_->queue.push(demand::Close{});
  impl_->thread.join();
}

DemandedFiles::Demanded DemandedFiles::want(WantedMedia wanted) {
  Demanded demanded{++impl_->last_number, std::make_shared<IncomingFile>()};
  if (wanted.held_for) {
    impl_->hold(demanded, wanted);
    return demanded;
  }
  impl_->queue.push(demand::Want{demanded.number, std::move(wanted), demanded.file});
  return demanded;
}

void DemandedFiles::due(std::uint64_t number, std::optional<Duration> in, std::optional<Duration> player_lasts) {
  impl_->queue.push(demand::Due{number, in, player_lasts});
}
void DemandedFiles::not_wanted(std::uint64_t number) {
  impl_->held->not_wanted(number);
  impl_->queue.push(demand::NotWanted{number});
}
HeldAnswers& DemandedFiles::held() { return *impl_->held; }
void DemandedFiles::expect() { impl_->queue.push(demand::Expect{}); }
void DemandedFiles::use_link(const std::string& name, LinkUse use) { impl_->queue.push(demand::UseLink{name, use}); }

void DemandedFiles::lead(std::vector<DataRate> bitrates, std::optional<std::size_t> spent_for) {
  const std::lock_guard lock{impl_->mutex};
  impl_->choice = {std::move(bitrates), spent_for};
}

std::map<std::string, DataSize> DemandedFiles::carried() const {
  const std::lock_guard lock{impl_->mutex};
  std::map<std::string, DataSize> carried = impl_->carried_before;
  for (const LinkStatus& link : impl_->board.look().links) carried[link.name] += link.received;
  for (const auto& [link, size] : impl_->held->carried()) carried[link] += size;
  return carried;
}

StreamStatus DemandedFiles::status() const { return impl_->board.look(); }
std::vector<Wait> DemandedFiles::waits() const { return impl_->waits.all(); }

}  // namespace tributary::proxy
