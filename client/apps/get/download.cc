#include "apps/get/download.hh"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "apps/common/stop_signal.hh"
#include "apps/get/exit_status.hh"
#include "apps/get/get_report.hh"
#include "apps/get/parallel_download.hh"
#include "apps/get/plain_download.hh"
#include "links/netlink_link_monitor.hh"
#include "presentation/json_node.hh"
#include "transport/object_fetch.hh"
#include "transport/origin_addresses.hh"
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
  if (!std::filesystem::exists(part)) return std::nullopt;
  std::ifstream in{PartFile::state_path(path)};
  if (!in) {
    throw GetError{kRangeRefused, fmt::format("cannot continue {}: {} is missing, which would say what it is", part,
                                              PartFile::state_path(path))};
  }
  std::ostringstream text;
  text << in.rdbuf();
  try {
    return state_from_json(text.str());
  } catch (const JsonError& error) {
    throw GetError{kRangeRefused, fmt::format("{}: {}", PartFile::state_path(path), error.what())};
  }
}

ObjectHead wait_for(ObjectFetch& fetch, transport::CurlLoop& loop, int stop_fd) {
  while (true) {
    if (auto head = fetch.result()) return *head;
    std::array<transport::CurlLoop::ExtraFd, 1> stop{{{stop_fd}}};
    loop.wait(std::nullopt, stop);
    if (stop[0].ready) throw GetError{kInterrupted, "interrupted"};
  }
}

void print(const GetOptions& options, const GetReport& report) {
  if (options.json) fmt::print("{}", to_json(report));
  if (!options.quiet) fmt::print(stderr, "{}", to_text(report));
}

}  // namespace

int download(const GetOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  FoundObject object;
  object.location = location_of(options.url);
  const std::string path = options.output.empty() ? file_name_of(object.location) : options.output;
  object.addresses = addresses_of(object.location.origin);
  RealLinkCosts costs{options.terms, [](const std::string& text) { fmt::print(stderr, "tributary-get: {}\n", text); }};
  std::optional<DownloadState> left_behind;
  if (options.resume) left_behind = state_left_behind(path);

  const int stop_fd = stop_signal_fd();
  ProgressLine line{stderr};
  ProgressLine* const shown = options.quiet ? nullptr : &line;
  PlainDownload plain{path, shown, [&] {
                        if (!left_behind) return;
                        throw GetError{kRangeRefused,
                                       fmt::format("cannot continue {}: the server does not know ranges, or "
                                                   "not the size of the object",
                                                   PartFile::part_path(path))};
                      }};
  try {
    NetlinkLinkMonitor monitor{object.addresses, options.links};
    over_first_link(
        options.url, monitor, [&](const std::string& link) { return costs.use_of(link); },
        [&](const std::string& link) {
          for (const auto wanted : {ObjectFetch::Wanted::kFirstByte, ObjectFetch::Wanted::kWhole}) {
            plain.begin(link);
            transport::CurlLoop loop;
            ObjectFetch fetch{
                loop,
                options.url,
                {.link = link, .ca_file = options.ca_file},
                wanted,
                [&](const ObjectHead& head, std::span<const std::byte> bytes) { plain.take(head, bytes); }};
            object.head = wait_for(fetch, loop, stop_fd);
            if (object.head.size || !object.head.ranges) break;  // else: ranges of an unknown whole
          }
        });
  } catch (...) {
    line.finish();
    plain.discard();
    throw;
  }
  line.finish();

  GetReport report;
  if (object.head.ranges) {
    const transport::FileLocation location = location_of(object.head.url);
    if (location.origin != object.location.origin) object.addresses = addresses_of(location.origin);
    object.location = location;
  }
  int status = 0;
  if (object.head.ranges && object.head.size) {
    costs.lead_to(object.addresses);
    status = download_in_parallel(options, path, object, left_behind, costs, stop_fd, shown, report);
  } else {
    plain.finish();
    report.complete = true;
    report.bytes = plain.received();
    report.links.push_back({plain.link(), plain.received(), 1, 0});
  }
  report.url = redacted(options.url);
  report.file = path;
  report.time = std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start);
  print(options, report);
  return status;
}

}  // namespace tributary
