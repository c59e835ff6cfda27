#include "apps/get/download.hh"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "apps/common/output_file.hh"
#include "apps/common/stop_signal.hh"
#include "apps/get/early_answer.hh"
#include "apps/get/exit_status.hh"
#include "apps/get/get_report.hh"
#include "apps/get/parallel_download.hh"
#include "apps/get/part_file.hh"
#include "apps/get/patient_download.hh"
#include "apps/get/plain_download.hh"
#include "links/netlink_link_monitor.hh"
#include "presentation/json_node.hh"
#include "transport/document_fetch.hh"
#include "transport/link_transport.hh"
#include "transport/object_fetch.hh"
#include "transport/origin_addresses.hh"
#include "units/printed_text.hh"
#include "units/redacted_url.hh"
#include "worlds/first_link.hh"

namespace tributary {
namespace {

using transport::ObjectFetch;
using transport::ObjectHead;

transport::FileLocation location_of(const std::string& url) {
  try {
    return transport::parse_url(url);
  } catch (const transport::UrlError& error) {
    throw GetError{kBadUrl, error.what()};
  }
}

std::vector<std::string> addresses_of(const transport::Origin& origin) {
  try {
    return transport::resolve(origin);
  } catch (const transport::UrlError& error) {
    throw GetError{kNotResolved, error.what()};
  }
}

/// The last part of the URL's path, as it stands there.
std::string file_name_of(const transport::FileLocation& location) {
  const std::string path = location.target.substr(0, location.target.find('?'));
  const std::string name = path.substr(path.rfind('/') + 1);
  if (name.empty() || name == "." || name == "..") {
    throw GetError{2, redacted(location.url()) + " has no file name: say -o FILE"};
  }
  return name;
}

/// What an earlier download has left behind; nothing if there is nothing. Throws GetError if it cannot be continued.
std::optional<DownloadState> state_left_behind(const std::string& path) {
  const std::string part = PartFile::part_path(path);
  if (!std::filesystem::exists(std::filesystem::symlink_status(part))) return std::nullopt;
  try {
    if (auto state = PartFile::state_beside(path)) return state;
  } catch (const JsonError& error) {
    throw GetError{kRangeRefused, fmt::format("{}: {}", PartFile::state_path(path), error.what())};
  }
  throw GetError{kRangeRefused, fmt::format("cannot continue {}: {} is missing, which would say what it is", part,
                                            PartFile::state_path(path))};
}

ObjectHead wait_for(ObjectFetch& fetch, transport::CurlLoop& loop, EarlyAnswer* early, int stop_fd) {
  while (true) {
    if (auto head = fetch.result()) return *head;
    std::array<transport::CurlLoop::ExtraFd, 1> stop{{{stop_fd}}};
    loop.wait(early != nullptr ? early->advance(fetch.turnaround()) : std::nullopt, stop);
    if (stop[0].ready) throw GetError{kInterrupted, "interrupted"};
  }
}

void print(const GetOptions& options, const GetReport& report) {
  if (options.json) print_text(stdout, to_json(report));
  if (!options.quiet) print_text(stderr, "{}", to_text(report));
}

}  // namespace

int download(const GetOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  FoundObject object;
  object.location = location_of(options.url);
  DownloadTarget target{options.output.empty() ? file_name_of(object.location) : options.output};
  const bool in_order = target.in_place && !target.in_place->takes_any_order();
  object.addresses = addresses_of(object.location.origin);
  RealLinkCosts costs{options.terms, [](const std::string& text) { print_text(stderr, "tributary-get: {}\n", text); }};
  if (options.resume && !target.in_place) target.left_behind = state_left_behind(target.path);

  OutputFile trace{options.trace_file};
  // Writing waits for whoever reads, and only a signal that ends the program ends that.
  const int stop_fd = in_order ? -1 : stop_signal_fd();
  ProgressLine line{stderr};
  ProgressLine* const shown = options.quiet ? nullptr : &line;
  std::optional<PartFile> part;
  const auto open = [&]() -> Destination& {
    if (target.in_place) return *target.in_place;
    if (!target.left_behind) return part.emplace(target.path, PartFile::Content::kFresh);
    throw GetError{kRangeRefused, fmt::format("cannot continue {}: the server does not know ranges, or not the size "
                                              "of the object",
                                              PartFile::part_path(target.path))};
  };
  PlainDownload plain{open, in_order ? target.path + " takes bytes in their order only" : "", shown};
  transport::CurlLoop loop;
  std::optional<std::string> early_link;  // over the first link that is asked
  EarlyAnswer early{object.location.target, [&](const transport::FileVersions& versions) {
                      return transport::make_link_transport(
                          loop, object.location.origin, object.addresses,
                          {.link = *early_link, .ca_file = options.ca_file, .http = options.http},
                          {.versions = versions, .pace = endless_patience()});
                    }};
  const auto ask_over = [&](const std::string& link, std::initializer_list<ObjectFetch::Wanted> questions) {
    const bool first = !early_link;
    if (first) early_link = link;
    const bool may_be_early = first && !in_order && !target.left_behind && costs.use_of(link) == LinkUse::kUse;
    object.link = link;
    for (const ObjectFetch::Wanted wanted : questions) {
      if (in_order && wanted == ObjectFetch::Wanted::kFirstByte) continue;
      plain.begin(link);
      ObjectFetch fetch{loop,
                        options.url,
                        {.link = link, .ca_file = options.ca_file},
                        wanted,
                        [&](const ObjectHead& head, std::span<const std::byte> bytes) { plain.take(head, bytes); }};
      try {
        object.head = wait_for(fetch, loop, may_be_early ? &early : nullptr, stop_fd);
        if (!object.head.ranges || can_be_put_together(object.head)) return;
      } catch (const transport::FetchError& error) {
        const bool begun = plain.received() > DataSize{};
        if (in_order && begun) {
          throw GetError{exit_status_of(error.reason),
                         fmt::format("{}; {} has {} bytes of it, and takes no others for them", error.what(),
                                     target.path, plain.received().bytes())};
        }
        if (begun || wanted == ObjectFetch::Wanted::kWhole || !may_be_for_the_range(error.reason)) throw;
      }
    }
  };
  const auto ask = [&](std::initializer_list<ObjectFetch::Wanted> questions) {
    try {
      NetlinkLinkMonitor monitor{object.addresses, options.links};
      over_first_link(options.url, monitor, [&](const std::string& link) { return costs.use_of(link); },
                      {[&](const std::string& link) -> Attempt {
                         ask_over(link, questions);
                         return [] { return true; };
                       },
                       [](std::optional<Duration>) {}});
    } catch (...) {
      line.finish();
      plain.discard();
      throw;
    }
    line.finish();
  };
  ask({ObjectFetch::Wanted::kFirstByte, ObjectFetch::Wanted::kWhole});

  GetReport report;
  std::optional<int> status;
  if (object.head.ranges) {
    const transport::FileLocation location = location_of(object.head.url);
    if (location.origin != object.location.origin) object.addresses = addresses_of(location.origin);
    object.location = location;
    costs.lead_to(object.addresses);
    status = download_in_parallel(options, target, object, costs, stop_fd, shown, loop, early, trace, report);
    if (!status) ask({ObjectFetch::Wanted::kWhole});
  }
  if (!status) {
    plain.finish();
    report = GetReport{};  // nothing of what was tried in ranges is there
    report.complete = true;
    report.bytes = plain.received();
    report.links.push_back({plain.link(), plain.received(), 1, 0});
  }
  report.url = redacted(options.url);
  report.file = target.path;
  report.time = std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start);
  print(options, report);
  return status.value_or(0);
}

}  // namespace tributary
