#include "apps/get/parallel_download.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "apps/common/check_advice.hh"
#include "apps/common/recording.hh"
#include "apps/get/exit_status.hh"
#include "apps/get/files/chunk_sink.hh"
#include "apps/get/files/part_file.hh"
#include "apps/get/patient_download.hh"
#include "transport/link_transport.hh"
#include "units/printed_text.hh"
#include "units/redacted_url.hh"
#include "worlds/memory/network_memory.hh"
#include "worlds/network_run.hh"

namespace tributary {
namespace {

// The figures at the end are of links; and a large file takes a great many requests.
constexpr std::size_t kSegmentsRemembered = 32;

/// Throws GetError if what was left behind is of another object.
DownloadState state_of(const FoundObject& object, const DownloadTarget& target) {
  const DownloadState fresh{object.head.url, *object.head.size, object.head.etag, object.head.last_modified, {}};
  if (!target.left_behind) return fresh;
  if (const auto why = why_not_continued(*target.left_behind, object.head)) {
    throw GetError{kRangeRefused, fmt::format("cannot continue {}: {}; without --continue it is begun anew",
                                              PartFile::part_path(target.path), *why)};
  }
  return *target.left_behind;
}

void fill_in(GetReport& report, const SessionRecord& record) {
  for (const auto& [id, link] : record.links()) {
    report.bytes += link.received;
    report.links.push_back({link.name, link.received, link.requests, link.failures});
  }
  report.bill = bill_of(record, {});
}

/// What came beside the session.
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

/// It was asked of the place where the object was found.
bool is_of(const FoundObject& object, const EarlyAnswer& early, const transport::FileLocation& asked) {
  return early.begun() && object.location.origin == asked.origin && object.location.target == early.target();
}

/// As far as its head is known.
bool is_of_another_version(const FoundObject& object, const EarlyAnswer& early) {
  auto versions = early.versions().over(object.link);
  return versions.contradiction(early.target(), version_of(object.head)).has_value();
}

struct Ended {
  int exit_status = 0;
  std::optional<FailureReason> failure{};  // that ended it, if one did
};

/// Fetches the chunks into the sink.
Ended fetch(const GetOptions& options, const FoundObject& object, const std::vector<ByteRange>& chunks, ChunkSink& sink,
            const DownloadState& state, RealLinkCosts& costs, int stop_fd, ProgressLine* line,
            transport::CurlLoop& loop, EarlyAnswer* early, OutputFile& trace_file, GetReport& report) {
  Session session{SegmentTable{presentation_of(chunks)}, session_options(options, *object.head.size)};
  const transport::FileVersions versions = early != nullptr ? early->versions() : transport::FileVersions{};
  if (early == nullptr) versions.over(object.link).begin_anew(object.location.target, version_of(object.head));
  transport::OriginPace pace;
  pace.went_on_after(object.head.waited);
  const auto connect = [&](const std::string& link, const transport::OriginPace& patience) {
    return transport::make_link_transport(loop, object.location.origin, object.addresses,
                                          {.link = link, .ca_file = options.ca_file, .http = options.http},
                                          {.versions = versions, .pace = patience});
  };
  const NetworkWorld::Connections connections{[&](const std::string& link) { return connect(link, pace); },
                                              [&](const std::string& /*uri*/) { return object.location.target; }};
  std::optional<PatientDownload> patient;
  const std::string& patient_link = early != nullptr ? early->link() : object.link;
  if (costs.use_of(patient_link) == LinkUse::kUse) {
    patient.emplace(sink, state,
                    transport::RangeRequest{.id = RequestId{1},
                                            .target = object.location.target,
                                            .range = {},
                                            .file_size = object.head.size,
                                            .version_chosen = true},
                    object.head.turnaround, [&] { return connect(patient_link, endless_patience()); });
    if (early != nullptr) patient->take_over(*early);
  }
  const auto memory =
      link_memory(object.addresses, [](const std::string& text) { print_text(stderr, "tributary-get: {}\n", text); });
  Recording recording{session, trace_file, kSegmentsRemembered};
  const SessionRecord& record = recording.record();
  EndObserver end;
  recording.show(end);
  std::optional<GetProgress> progress;
  if (line != nullptr) recording.show(progress.emplace(*line, record, report.resumed, *object.head.size));
  NetworkRun network{{.addresses = object.addresses, .links = options.links, .loop = &loop}};
  network.run(session,
              {.connections = connections,
               .network = {.others = patient ? &*patient : nullptr,
                           .use = [&](const std::string& link) { return costs.use_of(link); },
                           .stop_fd = stop_fd,
                           .sink = &sink,
                           .file_size = object.head.size},
               .memory = memory.get(),
               .costs = CostedWorld::Options{.terms = [&](const std::string& link) { return costs.terms_of(link); },
                                             .budget = &costs.budget()},
               .observers = recording.observers()});
  const bool interrupted = network.stopped() || (patient && !wait_for_rest(*patient, loop, stop_fd));
  if (line != nullptr) line->finish();
  fill_in(report, record);
  if (patient) add(report, patient_link, patient->received());
  trace_file.close();
  const bool contradicted = patient && patient->is_of_another();
  if (patient && patient->whole() && !contradicted) return {};
  if (!record.complete()) print_text(stderr, "tributary-get: {}\n", record.ended_because());
  if (end.exit_status() == kUsedUp) {
    print_text(stderr, "tributary-get: {}\n", kWhatToDoWhenUsedUp);
  } else if (!record.complete() && !interrupted) {
    print_text(stderr, "tributary-get: {}\n", check_advice(redacted(options.url)));
  }
  if (interrupted) return {kInterrupted};
  if (contradicted) return {kRangeRefused, FailureReason::kVersionsDiffer};
  return {end.exit_status(), end.failure()};
}

}  // namespace

std::optional<int> download_in_parallel(const GetOptions& options, const DownloadTarget& target,
                                        const FoundObject& object, RealLinkCosts& costs, int stop_fd,
                                        ProgressLine* line, transport::CurlLoop& loop, EarlyAnswer& early,
                                        OutputFile& trace, GetReport& report) {
  const bool goes_on = !target.left_behind && is_of(object, early, transport::parse_url(options.url));
  if (goes_on && is_of_another_version(object, early)) return std::nullopt;
  DownloadState state = state_of(object, target);
  std::optional<PartFile> part;
  if (!target.in_place) {
    part.emplace(target.path, target.left_behind ? PartFile::Content::kKept : PartFile::Content::kFresh);
    if (state.complete.size() > DataSize{} && part->size() < state.complete.ranges().back().end) {
      throw GetError{kRangeRefused, fmt::format("cannot continue {}: it is shorter than {} says",
                                                PartFile::part_path(target.path), PartFile::state_path(target.path))};
    }
  }
  Destination& destination = part ? static_cast<Destination&>(*part) : *target.in_place;
  report.ranges = true;
  report.resumed = state.complete.size();
  std::vector<ByteRange> chunks = chunks_to_fetch(state.size, state.complete);
  if (goes_on) std::ranges::reverse(chunks);  // it comes from the front
  int status = 0;
  if (!chunks.empty()) {
    ChunkSink sink{destination, state, chunks};
    sink.save();
    const Ended end = fetch(options, object, chunks, sink, state, costs, stop_fd, line, loop,
                            goes_on ? &early : nullptr, trace, report);
    status = end.exit_status;
    if (status != 0) sink.save();
    if (end.failure && !target.left_behind && may_be_for_the_range(*end.failure)) return std::nullopt;
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
