#include "download/parallel_download.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "download/beside/patient_download.hh"
#include "download/files/chunk_sink.hh"
#include "download/files/part_file.hh"
#include "download/report/exit_status.hh"
#include "memory/network_memory.hh"
#include "program/check_advice.hh"
#include "program/recording.hh"
#include "transport/link_transport.hh"
#include "units/text/printed_text.hh"
#include "units/text/redacted_url.hh"
#include "worlds/streaming_job.hh"

namespace tributary {
namespace {

// The figures at the end are of links; and a large file takes a great many requests.
constexpr std::size_t kSegmentsRemembered = 32;

/// Throws GetError if what was left behind is of another object.
DownloadState state_of(const FoundObject& object, const DownloadTarget& target, bool quiet) {
  DownloadState fresh{object.location.url(), *object.head.size, object.head.etag, object.head.last_modified, {}};
  if (!target.left_behind) return fresh;
  if (const auto why = why_not_continued(*target.left_behind, object.head, fresh.url)) {
    throw GetError{kRangeRefused, fmt::format("cannot continue {}: {}; without --continue it is begun anew",
                                              PartFile::part_path(target.path), *why)};
  }
  if (!quiet && has_another_tag(*target.left_behind, object.head))
    print_text(stderr,
               "tributary-get: {} goes on with another ETag: {}; size and time of the last change are the same\n",
               PartFile::part_path(target.path), object.head.etag);
  return *target.left_behind;
}

void fill_in(GetReport& report, const SessionRecord& record) {
  for (const auto& [id, link] : record.links()) {
    report.bytes += link.received;
    report.links.push_back({link.name, link.received, link.requests, link.failures});
  }
  report.bill = bill_of(record, {});
}

/// Adds the bytes that a link brought beside the session.
void add(GetReport& report, const std::string& link, DataSize bytes) {
  if (bytes == DataSize{}) return;
  report.bytes += bytes;
  const auto found = std::ranges::find(report.links, link, &GetReport::Link::name);
  if (found == report.links.end()) {
    report.links.push_back({link, bytes, 1, 0});
  } else {
    found->bytes += bytes;
    ++found->requests;
  }
}

/// The file is whole, or nothing more is to be had, or next to nothing in a minute; false after Ctrl-C.
bool wait_for_rest(PatientDownload& patient, transport::CurlLoop& loop, int stop_fd) {
  constexpr std::chrono::minutes kInVain{1};
  constexpr DataSize kLeast = DataRate::bits_per_second(1e3) * Duration{kInVain};
  DataSize counted = patient.received();
  auto give_up = std::chrono::steady_clock::now() + kInVain;
  while (patient.running() && !patient.whole() && std::chrono::steady_clock::now() < give_up) {
    std::array<transport::CurlLoop::ExtraFd, 1> stop{{{stop_fd}}};
    loop.wait(std::clamp<Duration>(patient.until_deadline(), Duration{}, std::chrono::seconds{1}), stop);
    if (stop[0].ready) return false;
    patient.advance();
    if (patient.received() < counted + kLeast) continue;
    counted = patient.received();
    give_up = std::chrono::steady_clock::now() + kInVain;
  }
  return true;
}

struct Ended {
  int exit_status = 0;
  std::optional<FailureReason> failure{};  // that ended it, if one did
};

bool is_of_versions(FailureReason reason) {
  return reason == FailureReason::kEntityChanged || reason == FailureReason::kVersionsDiffer;
}

/// All of the object may be had in one answer, where what was left behind need not be kept.
bool may_be_had_whole(const Ended& ended, const DownloadTarget& target) {
  return ended.failure && !target.left_behind && may_be_for_the_range(*ended.failure);
}

/// Everything that a download in ranges needs, except the options.
struct Fetch {
  const DownloadTarget& target;
  FoundObject& object;
  const std::vector<ByteRange>& chunks;
  ChunkSink& sink;
  const DownloadState& state;
  RealLinkCosts& costs;
  int stop_fd;
  ProgressLine* line;
  transport::CurlLoop& loop;
};

void say_why(const Fetch& fetch, const GetOptions& options, const Ended& ended, const std::string& why) {
  if (ended.exit_status == 0) return;
  const bool changed = ended.failure && is_of_versions(*ended.failure);
  if (may_be_had_whole(ended, fetch.target)) {
    const std::string said = changed ? "the object has changed on the server: entity-changed" : why;
    return print_text(stderr, "tributary-get: {}; all of it is asked for in one answer\n", said);
  }
  print_text(stderr, "tributary-get: {}\n", why);
  if (ended.exit_status == kUsedUp) {
    print_text(stderr, "tributary-get: {}\n", kWhatToDoWhenUsedUp);
  } else if (ended.exit_status != kInterrupted && !changed) {
    print_text(stderr, "tributary-get: {}\n", check_advice(redacted(options.url)));
  }
}

SessionOptions options_of_session(const GetOptions& options, const FoundObject& object) {
  SessionOptions session = session_options(options, *object.head.size);
  if (object.refuses_large_ranges) ask_for_small_ranges(session, options.subsegment_size.value_or(kSmallRange));
  return session;
}

/// Fetches the chunks into the sink.
Ended fetch_chunks(const Fetch& fetch, const GetOptions& options, OutputFile& trace_file, GetReport& report) {
  FoundObject& object = fetch.object;
  RealLinkCosts& costs = fetch.costs;
  Session session{SegmentTable{presentation_of(fetch.chunks)}, options_of_session(options, object)};
  const transport::FileVersions versions;
  versions.over(object.link).begin_anew(object.location.target, version_of(object.head));
  transport::OriginPace pace;
  pace.went_on_after(object.head.waited);
  const auto connect = [&](const std::string& link, const transport::OriginPace& patience) {
    transport::LinkRules rules = options.rules.over(link);
    rules.preconnections = object.preconnections;
    return transport::make_following_transport(fetch.loop, object.location.origin, object.addresses, std::move(rules),
                                               {.versions = versions, .pace = patience}, {}, object.led_to);
  };
  const NetworkWorld::Connections connections{[&](const std::string& link) { return connect(link, pace); },
                                              [&](const std::string& /*uri*/) { return object.location.target; }};
  StreamingJob* running = nullptr;
  std::optional<PatientDownload> patient;
  const auto remember_what_it_carried = [&] {
    const auto carried = patient->carried_alone();
    if (carried && running->measurements() != nullptr)
      running->measurements()->carried_beside(object.link, carried->size, carried->busy, object.head.round_trip);
  };
  if (costs.use_of(object.link) == LinkUse::kUse) {
    patient.emplace(fetch.sink, fetch.state,
                    PatientDownload::Options{.chunks = fetch.chunks,
                                             .asked = {.id = RequestId{1},
                                                       .target = object.location.target,
                                                       .range = {},
                                                       .file_size = object.head.size,
                                                       .version_chosen = true},
                                             .turnaround = object.head.turnaround,
                                             .connect = [&] { return connect(object.link, endless_patience()); },
                                             .front = std::move(object.front),
                                             .brings = object.head.brings,
                                             .holds_links = options.rules.http != transport::HttpVersion::kHttp2,
                                             .may_be_had_whole = !fetch.target.left_behind,
                                             .let_go =
                                                 [&] {
                                                   remember_what_it_carried();
                                                   running->look_at_links_again();
                                                 }});
  }
  bool spares_links = false;
  const auto held = [&](const std::string& link) {
    const bool spared = costs.use_of(link) != LinkUse::kUse;
    spares_links = spares_links || spared;
    if (!patient || patient->holds() == PatientDownload::Holds::kNoLink) return false;
    return spared || link == object.link || patient->holds() == PatientDownload::Holds::kAllLinks;
  };
  const std::vector<std::string>& addresses = object.led_to ? object.led_to->addresses : object.addresses;
  const auto memory =
      link_memory(addresses, [](const std::string& text) { print_text(stderr, "tributary-get: {}\n", text); });
  Recording recording{session, trace_file, kSegmentsRemembered};
  const SessionRecord& record = recording.record();
  EndObserver end;
  recording.show(end);
  if (patient) recording.show(*patient);
  std::optional<GetProgress> progress;
  if (fetch.line != nullptr) {
    GetProgress::Beside beside;
    if (patient) beside = [&] { return GetProgress::Brought{object.link, patient->received(), patient->rate()}; };
    recording.show(progress.emplace(
        *fetch.line, record, report.resumed, [size = *object.head.size] { return size; }, std::move(beside)));
  }
  StreamingJob job{{.links = options.links,
                    .rules = options.rules,
                    .terms = [&](const std::string& link) { return costs.terms_of(link); },
                    .budget = &costs.budget(),
                    .memory = memory.get()},
                   addresses,
                   &fetch.loop};
  running = &job;
  job.run(session, {.connections = connections,
                    .network = {.others = patient ? &*patient : nullptr,
                                .stop_fd = fetch.stop_fd,
                                .sink = &fetch.sink,
                                .file_size = object.head.size},
                    .observers = recording.observers(),
                    .held = held});
  Ended ended{end.exit_status(), end.failure()};
  if (patient && patient->is_of_another()) ended = {kRangeRefused, FailureReason::kEntityChanged};
  if (patient && patient->why_in_vain()) ended = {exit_status_of(*patient->why_in_vain()), patient->why_in_vain()};
  // An answer that goes on is of the version that there was.
  const bool changed = ended.failure && is_of_versions(*ended.failure);
  const bool interrupted =
      job.stopped() || (patient && !changed && !wait_for_rest(*patient, fetch.loop, fetch.stop_fd));
  if (fetch.line != nullptr) fetch.line->finish();
  fill_in(report, record);
  if (!report.bill && spares_links) report.bill = Bill{};
  if (patient) {
    add(report, object.link, patient->received());
    remember_what_it_carried();
  }
  trace_file.close();
  if (patient && patient->whole() && !changed) return {};
  if (interrupted) ended = {kInterrupted};
  say_why(fetch, options, ended, record.ended_because());
  return ended;
}

}  // namespace

std::optional<int> download_in_parallel(const GetOptions& options, const DownloadTarget& target, FoundObject& object,
                                        RealLinkCosts& costs, int stop_fd, ProgressLine* line,
                                        transport::CurlLoop& loop, OutputFile& trace, GetReport& report) {
  DownloadState state = state_of(object, target, options.quiet);
  std::optional<PartFile> part;
  if (!target.in_place) {
    part.emplace(target.path, target.left_behind ? PartFile::Content::kKept : PartFile::Content::kFresh,
                 options.checksum);
    if (state.complete.size() > DataSize{} && part->size() < state.complete.ranges().back().end) {
      throw GetError{kRangeRefused, fmt::format("cannot continue {}: it is shorter than {} says",
                                                PartFile::part_path(target.path), PartFile::state_path(target.path))};
    }
    part->cut_to(state.size);
  }
  Destination& destination = part ? static_cast<Destination&>(*part) : *target.in_place;
  report.ranges = true;
  report.resumed = state.complete.size();
  std::vector<ByteRange> chunks = chunks_to_fetch(
      state.size, state.complete, object.front ? chunk_size_from_both_ends(state.size) : chunk_size_for(state.size));
  if (object.front) std::ranges::reverse(chunks);  // that comes from the front
  int status = 0;
  if (!chunks.empty()) {
    ChunkSink sink{destination, state, chunks};
    sink.save();
    const Ended ended = fetch_chunks({.target = target,
                                      .object = object,
                                      .chunks = chunks,
                                      .sink = sink,
                                      .state = state,
                                      .costs = costs,
                                      .stop_fd = stop_fd,
                                      .line = line,
                                      .loop = loop},
                                     options, trace, report);
    status = ended.exit_status;
    if (status != 0) sink.save();
    if (may_be_had_whole(ended, target)) return std::nullopt;
  }
  report.complete = status == 0;
  if (report.complete) {
    destination.finish(state.size);
  } else if (part) {
    print_text(stderr, "tributary-get: {} of {} bytes are in {}; --continue goes on from there\n",
               state.complete.size().bytes(), state.size.bytes(), PartFile::part_path(target.path));
  }
  return status;
}

}  // namespace tributary
