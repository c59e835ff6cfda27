#include "download/download.hh"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "download/files/part_file.hh"
#include "download/first_bytes.hh"
#include "download/parallel_download.hh"
#include "download/report/exit_status.hh"
#include "download/report/get_report.hh"
#include "download/report/user_message.hh"
#include "download/search/object_search.hh"
#include "download/search/plain_download.hh"
#include "download/search/title_search.hh"
#include "download/title_download.hh"
#include "program/output_file.hh"
#include "system/stop_signal.hh"
#include "transport/documents/document_fetch.hh"
#include "transport/documents/object_fetch.hh"
#include "units/text/printed_text.hh"
#include "units/text/redacted_url.hh"
#include "worlds/search_over_links.hh"

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

/// The object was found at this location. The origin that led there is asked again where the address expires, but for one
/// to which the version of HTTP cannot be spoken.
void follow(FoundObject& object, const transport::FileLocation& location, const transport::LinkRules& rules) {
  if (location == object.location) return;
  const bool elsewhere = location.origin != object.location.origin;
  std::vector<std::string> addresses = elsewhere ? resolve_or_end(location.origin, rules) : object.addresses;
  if (rules.http == transport::HttpVersion::kHttp2 && object.location.origin.scheme != "https") {
    object.location = location;
    object.addresses = std::move(addresses);
  } else {
    object.led_to = {object.location.target, location, std::move(addresses)};
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
    tell_user(
        fmt::format("{} is {}; to fetch its title: tributary-get --remux {}", file, manifest, redacted(options.url)));
}

/// As curl and wget do, the bytes are kept: their ranges and checksums are those of the coded form.
void tell_of_coding(const std::string& coding, const std::string& file) {
  if (!coding.empty())
    tell_user(fmt::format("{} is as it came, with Content-Encoding: {}{}", file, coding,
                          coding == "gzip" || coding == "x-gzip" ? "; to unpack it: gzip -dc < FILE" : ""));
}

void print(const GetOptions& options, const GetReport& report) {
  if (options.json) print_text(stdout, to_json(report));
  if (!options.quiet) print_text(stderr, "{}", to_text(report));
}

/// One object, or the title of a manifest, into one file. In this order, until one has brought it: the title, ranges over
/// all links, one answer over one link.
class Download {
 public:
  explicit Download(const GetOptions& given)
      : costs_{given.terms, given.rules.catalogue.get(), tell_user},
        shown_{given.quiet ? nullptr : &line_},
        options_{at_channel(given, costs_, shown_)} {
    object_.location = location_of(options_.url);
    target_ = target_of(options_, object_.location);
    if (options_.remux && target_.in_place)
      throw GetError{2, target_.path + " is written in place, and a film cannot be: say -o FILE.mp4"};
    in_order_ = target_.in_place && !target_.in_place->takes_any_order();
    plain_.emplace([this](const ObjectHead& head) -> Destination& { return open(head); },
                   in_order_ ? target_.path + " must be written sequentially" : "", shown_);
  }
  Download(const Download&) = delete;

  /// Returns the exit status.
  int run();

 private:
  DownloadRun common() { return {options_, costs_, stop_fd_, shown_, loop_, *trace_, report_}; }
  void look_for_links();
  void fetch();
  void ask(bool for_ranges);
  void take_found(ObjectSearch::Found found);
  Attempt guarded(Attempt attempt) const;
  Destination& open(const ObjectHead& head);
  void use_what_is_there();
  bool is_title();
  void fetch_title();
  void fetch_in_ranges();
  void fetch_whole();
  void tell();

  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  RealLinkCosts costs_;
  ProgressLine line_{stderr};
  ProgressLine* shown_;  // null: nobody is shown anything
  GetOptions options_;
  transport::CurlLoop loop_;
  FoundObject object_;
  DownloadTarget target_;
  std::optional<OutputFile> trace_;
  bool in_order_ = false;  // the file takes bytes in their order only
  int stop_fd_ = -1;
  std::optional<PartFile> part_;
  std::optional<PlainDownload> plain_;
  GetReport report_;
  std::optional<int> status_;  // once it is done
};

void Download::look_for_links() {
  object_.addresses = resolve_or_end(object_.location.origin, options_.rules);
  expect_links(options_.expected, object_.addresses);
  if (const std::string left_out = beside_vpn(options_.links, object_.addresses); !left_out.empty() && !options_.quiet)
    tell_user(left_out);
  object_.preconnections =
      std::make_shared<transport::Preconnections>(loop_, object_.location.origin, object_.addresses);
  trace_.emplace(options_.trace_file);
  // Writing waits for whoever reads, and only a signal that ends the program ends that, as it ended all until here.
  stop_fd_ = in_order_ ? -1 : stop_signal_fd();
}

/// Where an object that comes whole is written to.
Destination& Download::open(const ObjectHead& head) {
  take_name(head, options_, target_);
  if (target_.in_place) return *target_.in_place;
  if (target_.whole)
    throw GetError{kRangeRefused, fmt::format("{} is there already, and the server knows no ranges, which would tell "
                                              "whether it is whole: --overwrite replaces it",
                                              target_.path)};
  if (!target_.left_behind) return part_.emplace(target_.path, PartFile::Content::kFresh, options_.checksum);
  throw GetError{kRangeRefused, fmt::format("cannot continue {}: the server does not know ranges, or not the size "
                                            "of the object",
                                            PartFile::part_path(target_.path))};
}

/// What is written in order cannot begin anew.
Attempt Download::guarded(Attempt attempt) const {
  return [this, advance = std::move(attempt)] {
    try {
      return advance();
    } catch (const transport::FetchError& error) {
      if (!in_order_ || plain_->received() == DataSize{}) throw;
      throw GetError{exit_status_of(error.reason), fmt::format("{}; {} already holds {} bytes and cannot restart",
                                                               error.what(), target_.path, plain_->received().bytes())};
    }
  };
}

/// Finds the object over the first link that can, and takes it if it comes whole.
void Download::ask(bool for_ranges) {
  ObjectSearch objects{
      loop_,
      {.url = options_.url,
       .rules = options_.rules,
       .ranges = for_ranges && !in_order_,
       .whole_as_well = !in_order_ && !target_.left_behind && !target_.whole,  // a new file
       .in_range = for_ranges ? std::nullopt : std::optional{object_.head},
       .from = target_.whole ? std::nullopt : target_.first_missing(),
       // A limit holds for the links together, and the answer that goes on is beside them.
       .spares = [&](const std::string& link) { return options_.rate_limit || costs_.use_of(link) != LinkUse::kUse; }},
      *plain_};
  PresentationSearch search = title_search(options_, costs_, stop_fd_, shown_);
  search.session.emplace(SessionToCome{.loop = loop_, .rules = options_.rules, .goes_on_with_answer = true});
  if (for_ranges && !in_order_) search.session->rules.preconnections = object_.preconnections;
  search.wait = [&, wait = std::move(search.wait)](transport::CurlLoop& loop, std::optional<Duration> at_most) {
    const auto other = objects.until_deadline();
    wait(loop, other && (!at_most || *other < *at_most) ? other : at_most);
  };
  try {
    over_links(search, object_.addresses, options_.url, false,
               [&](auto& /*loop*/, const auto& rules) { return guarded(objects.begin(rules.link)); });
  } catch (...) {
    line_.finish();
    plain_->discard();
    throw;
  }
  line_.finish();
  take_found(std::move(*objects.found()));
}

void Download::take_found(ObjectSearch::Found found) {
  object_.link = std::move(found.link);
  if (object_.preconnections) object_.preconnections->take(object_.link);  // it has a connection
  object_.head = std::move(found.head);
  object_.refuses_large_ranges = found.refuses_large_ranges;
  object_.front = std::move(found.front);
}

void Download::use_what_is_there() {
  if (object_.head.ranges) {
    take_name(object_.head, options_, target_);
    if (object_.front && object_.head.brings.begin != target_.first_missing()) object_.front.reset();
  }
  if (!target_.whole || !object_.head.ranges || !object_.head.size) return;
  report_ = report_of_whole(object_, target_.path, *target_.whole, options_);
  status_ = 0;
}

/// A manifest was found where the user named a film.
bool Download::is_title() {
  const bool may_be = film_suffix(target_.named) && !options_.output.empty() && !target_.in_place &&
                      (!target_.left_behind || target_.left_behind->complete.size() == DataSize{}) &&
                      (object_.head.ranges || plain_->received() > DataSize{});
  return may_be && manifest_name(first_bytes_of(object_, PartFile::part_path(target_.path), options_, loop_, [&] {
                     wait_or_end(loop_, std::chrono::seconds{1}, stop_fd_);
                   })) != nullptr;
}

void Download::fetch_title() {
  plain_->discard();
  part_.reset();
  object_.front.reset();
  transport::LinkRules rules = options_.rules;
  rules.preconnections = object_.preconnections;
  status_ = download_title(common(), {target_.path, film_suffix(target_.named).value_or("mp4")}, rules);
}

void Download::fetch_in_ranges() {
  const auto location = where_ranges_are(object_.head);
  if (!location) return;
  follow(object_, *location, options_.rules);
  costs_.lead_to(object_.addresses_of_ranges());
  status_ = download_in_parallel(common(), target_, object_);
}

void Download::fetch_whole() {
  if (object_.head.ranges) {
    plain_->ranges_are_of_no_use();
    object_.preconnections.reset();
    ask(false);
  }
  plain_->finish(object_.head);
  report_ = GetReport{};  // nothing of what was tried in ranges is there
  report_.complete = true;
  report_.bytes = plain_->received();
  report_.links.push_back({plain_->link(), plain_->received(), 1, 0});
  status_ = 0;
}

void Download::fetch() {
  if (options_.remux && target_.whole) {  // a film gets its name once it is whole
    report_.complete = report_.ranges = true;
    report_.resumed = *target_.whole;
    status_ = 0;
    return;
  }
  if (options_.remux) return fetch_title();
  ask(true);
  use_what_is_there();
  if (!status_ && is_title()) fetch_title();
  if (!status_) fetch_in_ranges();
  if (!status_) fetch_whole();
}

void Download::tell() {
  report_.url = redacted(options_.url);
  report_.file = target_.path;
  report_.time = std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start_);
  print(options_, report_);
  if (!report_.complete || report_.quality || target_.in_place || options_.quiet) return;
  tell_of_coding(object_.head.coding, target_.path);
  tell_of_title(options_, target_.path);
}

int Download::run() {
  look_for_links();
  fetch();
  tell();
  return *status_;
}

}  // namespace

int download(const GetOptions& options) { return Download{options}.run(); }

}  // namespace tributary
