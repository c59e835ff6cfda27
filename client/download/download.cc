#include "download/download.hh"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>

#include "download/files/part_file.hh"
#include "download/parallel_download.hh"
#include "download/report/exit_status.hh"
#include "download/report/get_report.hh"
#include "download/search/object_search.hh"
#include "download/search/plain_download.hh"
#include "download/search/title_search.hh"
#include "download/title_download.hh"
#include "links/link_catalogue.hh"
#include "program/output_file.hh"
#include "system/stop_signal.hh"
#include "transport/connections/origin_addresses.hh"
#include "transport/documents/document_fetch.hh"
#include "transport/documents/object_fetch.hh"
#include "units/text/printed_text.hh"
#include "units/text/redacted_url.hh"
#include "worlds/discovery/first_link.hh"

namespace tributary {
namespace {

using transport::ObjectHead;

transport::FileLocation location_of(const std::string& url) {
  try {
    return transport::parse_url(url);
  } catch (const transport::UrlError& error) {
    throw GetError{kBadUrl, error.what()};
  }
}

/// Nothing if it cannot be asked for ranges, as with a user name, which only libcurl knows how to use.
std::optional<transport::FileLocation> where_ranges_are(const ObjectHead& head) {
  if (!head.ranges) return std::nullopt;
  try {
    return transport::parse_url(head.url);
  } catch (const transport::UrlError&) {
    return std::nullopt;
  }
}

std::vector<std::string> addresses_of(const transport::Origin& origin, const transport::LinkRules& rules) {
  try {
    return transport::resolve(origin, rules);
  } catch (const transport::UrlError& error) {
    throw GetError{kNotResolved, error.what()};
  }
}

/// The object was found at this location. The origin that led there is asked again where the address expires, but for one
/// to which the version of HTTP cannot be spoken.
void follow(FoundObject& object, const transport::FileLocation& location, const transport::LinkRules& rules) {
  if (location == object.location) return;
  const bool elsewhere = location.origin != object.location.origin;
  std::vector<std::string> addresses = elsewhere ? addresses_of(location.origin, rules) : object.addresses;
  if (rules.http == transport::HttpVersion::kHttp2 && object.location.origin.scheme != "https") {
    object.location = location;
    object.addresses = std::move(addresses);
  } else {
    object.led_to = {object.location.target, location, std::move(addresses)};
  }
}

std::string first_bytes_of(const std::string& path) {
  std::string bytes(kEnoughOfManifest, '\0');
  std::ifstream file{path, std::ios::binary};
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

/// Of an object that comes coded, which is kept as it comes. Empty: they cannot be decoded.
std::string first_bytes_decoded(const FoundObject& object, const GetOptions& options, transport::CurlLoop& loop,
                                const std::function<void()>& wait) {
  transport::DocumentFetch fetch{loop,
                                 object.head.url,
                                 options.rules.over(object.link),
                                 {.goes_on = [](std::string_view begin) { return begin.size() < kEnoughOfManifest; }}};
  try {
    for (;;) {
      if (const auto document = fetch.result()) return document->text;
      wait();
    }
  } catch (const transport::FetchError&) {
    return "";
  }
}

/// The first bytes of an object that was found. `path`: the file that has them, if it came whole.
std::string first_bytes_of(const FoundObject& object, const std::string& path, const GetOptions& options,
                           transport::CurlLoop& loop, const std::function<void()>& wait) {
  if (!object.head.coding.empty()) return first_bytes_decoded(object, options, loop, wait);
  if (!object.head.ranges) return first_bytes_of(path);
  if (object.front && object.head.brings.begin == DataSize{}) {
    while (object.front->waiting().size() < kEnoughOfManifest && !object.front->ended()) wait();
    const auto bytes = object.front->waiting().first(std::min(object.front->waiting().size(), kEnoughOfManifest));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  // A link that is to be spared brought one byte only.
  const DataSize enough{static_cast<std::int64_t>(kEnoughOfManifest)};
  transport::DocumentFetch fetch{
      loop, object.head.url, options.rules.over(object.link), {.size = enough, .range = ByteRange{DataSize{}, enough}}};
  for (;;) {
    if (const auto document = fetch.result()) return document->text;
    wait();
  }
}

/// The file that was there is whole, or another one.
GetReport report_of_whole(const FoundObject& object, const std::string& path, DataSize there,
                          const GetOptions& options) {
  if (object.head.size != there) {
    throw GetError{kRangeRefused, fmt::format("{} is there already, with {} bytes, and the object has {}: --overwrite "
                                              "replaces it",
                                              path, there.bytes(), object.head.size->bytes())};
  }
  if (options.checksum) {
    const FileDescriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    expect_checksum(file.get(), path, *options.checksum);
  }
  GetReport report;
  report.complete = report.ranges = true;
  report.resumed = there;
  return report;
}

/// The user gets a manifest's own text, and may have wanted its title.
void tell_of_title(const GetOptions& options, const std::string& file) {
  if (const char* const manifest = manifest_name(first_bytes_of(file)))
    print_text(stderr, "tributary-get: {} is {}; to fetch its title: tributary-get --remux {}\n", file, manifest,
               redacted(options.url));
}

/// As curl and wget do, the bytes are kept: their ranges and checksums are those of the coded form.
void tell_of_coding(const std::string& coding, const std::string& file) {
  if (!coding.empty())
    print_text(stderr, "tributary-get: {} is as it came, with Content-Encoding: {}{}\n", file, coding,
               coding == "gzip" || coding == "x-gzip" ? "; to unpack it: gzip -dc < FILE" : "");
}

void print(const GetOptions& options, const GetReport& report) {
  if (options.json) print_text(stdout, to_json(report));
  if (!options.quiet) print_text(stderr, "{}", to_text(report));
}

}  // namespace

int download(const GetOptions& given) {
  const auto start = std::chrono::steady_clock::now();
  RealLinkCosts costs{given.terms, [](const std::string& text) { print_text(stderr, "tributary-get: {}\n", text); }};
  ProgressLine line{stderr};
  ProgressLine* const shown = given.quiet ? nullptr : &line;
  const GetOptions options = at_channel(given, costs, shown);
  transport::CurlLoop loop;
  FoundObject object;
  object.location = location_of(options.url);
  DownloadTarget target = target_of(options, object.location);
  if (options.remux && target.in_place)
    throw GetError{2, target.path + " is written in place, and a film cannot be: say -o FILE.mp4"};
  const bool in_order = target.in_place && !target.in_place->takes_any_order();
  object.addresses = addresses_of(object.location.origin, options.rules);
  expect_links(options.expected, object.addresses);
  if (const std::string left_out = beside_vpn(options.links, object.addresses); !left_out.empty() && !options.quiet)
    print_text(stderr, "tributary-get: {}\n", left_out);
  object.preconnections = std::make_shared<transport::Preconnections>(loop, object.location.origin, object.addresses);
  OutputFile trace{options.trace_file};
  // Writing waits for whoever reads, and only a signal that ends the program ends that.
  const int stop_fd = in_order ? -1 : stop_signal_fd();
  std::optional<PartFile> part;
  const auto open = [&](const ObjectHead& head) -> Destination& {
    take_name(head, options, target);
    if (target.in_place) return *target.in_place;
    if (target.whole)
      throw GetError{kRangeRefused, fmt::format("{} is there already, and the server knows no ranges, which would tell "
                                                "whether it is whole: --overwrite replaces it",
                                                target.path)};
    if (!target.left_behind) return part.emplace(target.path, PartFile::Content::kFresh, options.checksum);
    throw GetError{kRangeRefused, fmt::format("cannot continue {}: the server does not know ranges, or not the size "
                                              "of the object",
                                              PartFile::part_path(target.path))};
  };
  PlainDownload plain{open, in_order ? target.path + " must be written sequentially" : "", shown};
  const auto wait = [&](std::optional<Duration> at_most, const ObjectSearch& search) {
    const auto other = search.until_deadline();
    if (other && (!at_most || *other < *at_most)) at_most = other;
    std::array<transport::CurlLoop::ExtraFd, 1> stop{{{stop_fd}}};
    loop.wait(at_most, stop);
    if (stop[0].ready) throw GetError{kInterrupted, "interrupted"};
    object.preconnections->close_late();
  };
  const auto ask = [&](bool for_ranges) {
    const bool new_file = !in_order && !target.left_behind && !target.whole;
    ObjectSearch search{
        loop,
        {.url = options.url,
         .rules = options.rules,
         .ranges = for_ranges && !in_order,
         .whole_as_well = new_file,
         .in_range = for_ranges ? std::nullopt : std::optional{object.head},
         .from = target.whole ? std::nullopt : target.first_missing(),
         // A limit holds for the links together, and the answer that goes on is beside them.
         .spares = [&](const std::string& link) { return options.rate_limit || costs.use_of(link) != LinkUse::kUse; }},
        plain};
    const auto begin = [&](const std::string& link) -> Attempt {
      return [&, advance = search.begin(link)] {
        try {
          return advance();
        } catch (const transport::FetchError& error) {
          if (!in_order || plain.received() == DataSize{}) throw;
          throw GetError{exit_status_of(error.reason),
                         fmt::format("{}; {} already holds {} bytes and cannot restart", error.what(), target.path,
                                     plain.received().bytes())};
        }
      };
    };
    try {
      const auto monitor = watch_links(options.rules.catalogue.get(), object.addresses, options.links);
      over_first_link(options.url, *monitor, [&](const std::string& link) { return costs.use_of(link); },
                      {.begin = begin,
                       .wait = [&](std::optional<Duration> at_most) { wait(at_most, search); },
                       .tell =
                           [&](const std::string& what_for) {
                             if (shown != nullptr) shown->say(what_for);
                           },
                       .preconnect =
                           [&](const std::string& link) {
                             const bool wanted = for_ranges && !in_order && costs.use_of(link) == LinkUse::kUse;
                             if (wanted) object.preconnections->begin(options.rules.over(link));
                           },
                       .is_connected = [&](const std::string& link) { return object.preconnections->is_made(link); }});
    } catch (...) {
      line.finish();
      plain.discard();
      throw;
    }
    line.finish();
    object.link = search.found()->link;
    object.preconnections->take(object.link);  // it has a connection
    object.head = search.found()->head;
    object.refuses_large_ranges = search.found()->refuses_large_ranges;
    object.front = std::move(search.found()->front);
  };
  GetReport report;
  std::optional<int> status;
  const auto fetch_title = [&] {
    transport::LinkRules rules = options.rules;
    rules.preconnections = object.preconnections;
    status = download_title(options, {target.path, film_suffix(target.named).value_or("mp4")}, costs, stop_fd, shown,
                            trace, report, {loop, std::move(rules)});
  };
  if (options.remux && target.whole) {  // a film gets its name once it is whole
    report = GetReport{.complete = true, .ranges = true, .resumed = *target.whole, .bill = {}};
    status = 0;
  } else if (options.remux) {
    fetch_title();
  } else {
    ask(true);
    const auto wait_for_bytes = [&] {
      std::array<transport::CurlLoop::ExtraFd, 1> stop{{{stop_fd}}};
      loop.wait(std::chrono::seconds{1}, stop);
      if (stop[0].ready) throw GetError{kInterrupted, "interrupted"};
    };
    if (object.head.ranges) {
      take_name(object.head, options, target);
      if (object.front && object.head.brings.begin != target.first_missing()) object.front.reset();
    }
    if (target.whole && object.head.ranges && object.head.size) {
      report = report_of_whole(object, target.path, *target.whole, options);
      status = 0;
    }
    const bool may_be_title = !status && film_suffix(target.named) && !options.output.empty() && !target.in_place &&
                              (!target.left_behind || target.left_behind->complete.size() == DataSize{}) &&
                              (object.head.ranges || plain.received() > DataSize{});
    if (may_be_title && manifest_name(first_bytes_of(object, PartFile::part_path(target.path), options, loop,
                                                     wait_for_bytes)) != nullptr) {
      plain.discard();
      part.reset();
      object.front.reset();
      fetch_title();
    }
  }
  if (const auto location = status ? std::nullopt : where_ranges_are(object.head)) {
    follow(object, *location, options.rules);
    costs.lead_to(object.led_to ? object.led_to->addresses : object.addresses);
    status = download_in_parallel(options, target, object, costs, stop_fd, shown, loop, trace, report);
  }
  if (object.head.ranges && !status) {
    plain.ranges_are_of_no_use();
    ask(false);
  }
  if (!status) {
    plain.finish(object.head);
    report = GetReport{};  // nothing of what was tried in ranges is there
    report.complete = true;
    report.bytes = plain.received();
    report.links.push_back({plain.link(), plain.received(), 1, 0});
  }
  report.url = redacted(options.url);
  report.file = target.path;
  report.time = std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start);
  print(options, report);
  if (report.complete && !report.quality && !target.in_place && !options.quiet) {
    tell_of_coding(object.head.coding, target.path);
    tell_of_title(options, target.path);
  }
  return status.value_or(0);
}

}  // namespace tributary
