#include "apps/get/parallel_download.hh"

#include <fmt/format.h>

#include "apps/common/check_advice.hh"
#include "apps/get/chunk_sink.hh"
#include "apps/get/exit_status.hh"
#include "apps/get/part_file.hh"
#include "core/run.hh"
#include "links/netlink_link_monitor.hh"
#include "trace/session_trace.hh"
#include "transport/link_transport.hh"
#include "units/printed_text.hh"
#include "units/redacted_url.hh"
#include "worlds/costed_world.hh"
#include "worlds/network_memory.hh"
#include "worlds/network_world.hh"
#include "worlds/remembering_world.hh"

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

/// Fetches the chunks into the sink. The exit status.
int fetch(const GetOptions& options, const FoundObject& object, const std::vector<ByteRange>& chunks, ChunkSink& sink,
          RealLinkCosts& costs, int stop_fd, ProgressLine* line, OutputFile& trace_file, GetReport& report) {
  Session session{SegmentTable{presentation_of(chunks)}, session_options(options, *object.head.size)};
  transport::CurlLoop loop;
  NetlinkLinkMonitor monitor{object.addresses, options.links};
  const NetworkWorld::Connections connections{[&, versions = transport::FileVersions{}](const std::string& link) {
                                                return transport::make_link_transport(
                                                    loop, object.location.origin, object.addresses,
                                                    {.link = link, .ca_file = options.ca_file, .http = options.http},
                                                    {.versions = versions});
                                              },
                                              [&](const std::string& /*uri*/) { return object.location.target; }};
  NetworkWorld network{session.table(),
                       loop,
                       monitor,
                       connections,
                       {.use = [&](const std::string& link) { return costs.use_of(link); },
                        .stop_fd = stop_fd,
                        .sink = &sink,
                        .file_size = object.head.size,
                        .etag = transport::is_strong(object.head.etag) ? object.head.etag : ""}};
  const auto memory =
      link_memory(object.addresses, [](const std::string& text) { print_text(stderr, "tributary-get: {}\n", text); });
  RememberingWorld remembering{network, memory.get()};
  CostedWorld world{remembering, [&](const std::string& link) { return costs.terms_of(link); }, &costs.budget()};

  SessionRecord record{session.table(), kSegmentsRemembered};
  EndObserver end;
  std::vector<SessionObserver*> observers{&record, &end};
  std::optional<TraceWriter> trace;
  if (trace_file.wanted()) observers.push_back(&trace.emplace(trace_file.stream(), session));
  std::optional<GetProgress> progress;
  if (line != nullptr) {
    observers.push_back(&progress.emplace(*line, record, report.resumed, *object.head.size));
  }
  run(session, world, observers);
  if (line != nullptr) line->finish();
  fill_in(report, record);
  trace_file.close();
  if (!record.complete()) print_text(stderr, "tributary-get: {}\n", record.ended_because());
  if (end.exit_status() == kUsedUp) {
    print_text(stderr, "tributary-get: {}\n", kWhatToDoWhenUsedUp);
  } else if (!record.complete() && !network.stopped()) {
    print_text(stderr, "tributary-get: {}\n", check_advice(redacted(options.url)));
  }
  return end.exit_status();
}

}  // namespace

int download_in_parallel(const GetOptions& options, const DownloadTarget& target, const FoundObject& object,
                         RealLinkCosts& costs, int stop_fd, ProgressLine* line, OutputFile& trace, GetReport& report) {
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
  const std::vector<ByteRange> chunks = chunks_to_fetch(state.size, state.complete);
  int status = 0;
  if (!chunks.empty()) {
    ChunkSink sink{destination, state, chunks};
    sink.save();
    status = fetch(options, object, chunks, sink, costs, stop_fd, line, trace, report);
    if (status != 0) sink.save();
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
