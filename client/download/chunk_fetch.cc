#include "download/chunk_fetch.hh"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "download/files/chunk_plan.hh"
#include "download/report/user_message.hh"
#include "memory/network_memory.hh"

namespace tributary {
namespace {

// The figures at the end are of links; and a large file takes a great many requests.
constexpr std::size_t kSegmentsRemembered = 32;

SessionOptions options_of_session(const GetOptions& options, const FoundObject& object) {
  SessionOptions session = session_options(options, *object.head.size);
  if (object.refuses_large_ranges) ask_for_small_ranges(session, options.subsegment_size.value_or(kSmallRange));
  return session;
}

/// Where there is a single chunk, another link would bring the same.
LinkHold::Holds held_by_front(const GetOptions& options, std::size_t chunks) {
  if (options.rules.http == transport::HttpVersion::kHttp2) return LinkHold::Holds::kNoLink;
  return chunks == 1 ? LinkHold::Holds::kAllLinks : LinkHold::Holds::kItsLink;
}

}  // namespace

ChunkFetch::ChunkFetch(const DownloadRun& run, const What& what)
    : run_{run},
      what_{what},
      session_{SegmentTable{presentation_of(what.chunks)}, options_of_session(run.options, what.object)},
      memory_{link_memory(what.object.addresses_of_ranges(), tell_user)},
      recording_{session_, run.trace, kSegmentsRemembered},
      job_{links_of(run, run.options.rules, memory_.get()), what.object.addresses_of_ranges(), &run.loop} {
  const FoundObject& object = what_.object;
  versions_.over(object.link).begin_anew(object.location.target, version_of(object.head));
  pace_.went_on_after(object.head.waited);
  recording_.show(end_);
  if (run_.costs.use_of(object.link) == LinkUse::kUse)
    recording_.show(patient_.emplace(
        what_.sink, what_.state,
        PatientDownload::Options{
            .chunks = what_.chunks, .may_be_had_whole = what_.may_be_had_whole, .answers = answers_beside()}));
  if (run_.line != nullptr) show_progress();
}

std::unique_ptr<transport::HttpTransport> ChunkFetch::connect(const std::string& link,
                                                              const transport::OriginPace& pace) const {
  const FoundObject& object = what_.object;
  transport::LinkRules rules = run_.options.rules.over(link);
  rules.preconnections = object.preconnections;
  return transport::make_following_transport(run_.loop, object.location.origin, object.addresses, std::move(rules),
                                             {.versions = versions_, .pace = pace}, {}, object.led_to);
}

AnswersBeside::Options ChunkFetch::answers_beside() {
  FoundObject& object = what_.object;
  return {.asked = {.id = RequestId{1},
                    .target = object.location.target,
                    .range = {},
                    .file_size = object.head.size,
                    .version_chosen = true},
          .turnaround = object.head.turnaround,
          .connect = [this] { return connect(what_.object.link, endless_patience()); },
          .front = std::move(object.front),
          .brings = object.head.brings,
          .holds = held_by_front(run_.options, what_.chunks.size()),
          .may_share = run_.options.connections != 1,
          .let_go =
              [this] {
                remember_what_was_carried_beside();
                job_.look_at_links_again();
              }};
}

bool ChunkFetch::is_held(const std::string& link) {
  const bool spared = run_.costs.use_of(link) != LinkUse::kUse;
  spares_links_ = spares_links_ || spared;
  const auto holds = patient_ ? patient_->answers().holds() : LinkHold::Holds::kNoLink;
  if (holds == LinkHold::Holds::kNoLink) return false;
  return spared || link == what_.object.link || holds == LinkHold::Holds::kAllLinks;
}

std::optional<DataRate> ChunkFetch::one_connection(const std::string& link) const {
  return patient_ && link == what_.object.link ? patient_->answers().leaves_room() : std::nullopt;
}

void ChunkFetch::show_progress() {
  GetProgress::Beside beside;
  if (patient_)
    beside = [this, &answers = patient_->answers()] {
      return GetProgress::Brought{what_.object.link, answers.received(), answers.rate()};
    };
  recording_.show(progress_.emplace(
      *run_.line, recording_.record(), run_.report.resumed, [size = *what_.object.head.size] { return size; },
      std::move(beside)));
}

void ChunkFetch::remember_what_was_carried_beside() {
  if (const auto carried = patient_->answers().carried_alone(); carried && job_.measurements() != nullptr)
    job_.measurements()->carried_beside(what_.object.link, carried->size, carried->busy, what_.object.head.round_trip);
}

StreamingJob::Wiring ChunkFetch::wiring() {
  return {.connections = {[this](const std::string& link) { return connect(link, pace_); },
                          [this](const std::string& /*uri*/) { return what_.object.location.target; }},
          .network = {.others = patient_ ? &*patient_ : nullptr,
                      .stop_fd = run_.stop_fd,
                      .sink = &what_.sink,
                      .file_size = what_.object.head.size,
                      .one_connection = [this](const std::string& link) { return one_connection(link); }},
          .observers = recording_.observers(),
          .held = [this](const std::string& link) { return is_held(link); }};
}

ChunkFetch::Outcome ChunkFetch::outcome_of_session() const {
  Outcome outcome{end_.exit_status(), end_.failure(), recording_.record().ended_because()};
  if (!patient_) return outcome;
  if (patient_->answers().is_of_another()) {
    outcome.exit_status = kRangeRefused;
    outcome.failure = FailureReason::kEntityChanged;
  }
  if (const auto why = patient_->why_in_vain()) {
    outcome.exit_status = exit_status_of(*why);
    outcome.failure = why;
  }
  return outcome;
}

/// The file is whole, or nothing more is to be had, or next to nothing in a minute; false after Ctrl-C.
bool ChunkFetch::wait_for_rest() {
  constexpr std::chrono::minutes kInVain{1};
  constexpr DataSize kLeast = DataRate::bits_per_second(1e3) * Duration{kInVain};
  const AnswersBeside& answers = patient_->answers();
  DataSize counted = answers.received();
  auto give_up = std::chrono::steady_clock::now() + kInVain;
  while (answers.running() && !answers.whole() && std::chrono::steady_clock::now() < give_up) {
    std::array<transport::CurlLoop::ExtraFd, 1> stop{{{run_.stop_fd}}};
    run_.loop.wait(std::clamp<Duration>(patient_->until_deadline(), Duration{}, std::chrono::seconds{1}), stop);
    if (stop[0].ready) return false;
    patient_->advance();
    if (answers.received() < counted + kLeast) continue;
    counted = answers.received();
    give_up = std::chrono::steady_clock::now() + kInVain;
  }
  return true;
}

void ChunkFetch::report() {
  GetReport& report = run_.report;
  add_links(report, recording_.record());
  if (!report.bill && spares_links_) report.bill = Bill{};
  if (!patient_) return;
  add_beside(report, what_.object.link, patient_->answers().received());
  remember_what_was_carried_beside();
  if (job_.measurements() == nullptr) return;
  const LinkHold::Carried with_session = patient_->answers().carried_with_session();
  job_.measurements()->carried_with_session(what_.object.link, with_session.size, with_session.busy);
}

ChunkFetch::Outcome ChunkFetch::fetch() {
  job_.run(session_, wiring());
  Outcome outcome = outcome_of_session();
  // An answer that goes on is of the version that there was.
  const bool goes_on = patient_ && !outcome.has_changed();
  const bool interrupted = job_.stopped() || (goes_on && !wait_for_rest());
  if (run_.line != nullptr) run_.line->finish();
  report();
  run_.trace.close();
  if (goes_on && patient_->answers().whole()) return {};
  if (interrupted) return {.exit_status = kInterrupted, .why = std::move(outcome.why)};
  return outcome;
}

}  // namespace tributary
