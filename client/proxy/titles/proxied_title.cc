#include "proxy/titles/proxied_title.hh"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "manifests/manifest.hh"
#include "proxy/server/byte_ranges.hh"
#include "transport/connections/origin_addresses.hh"
#include "transport/connections/public_address.hh"
#include "units/redacted_url.hh"

namespace tributary::proxy {
namespace {

constexpr DataSize kUnknownSize{200'000};

std::string content_type_of(std::string_view url) {
  constexpr std::array<std::pair<std::string_view, const char*>, 15> kTypes{{{".m4s", "video/mp4"},
                                                                             {".mp4", "video/mp4"},
                                                                             {".m4v", "video/mp4"},
                                                                             {".cmfv", "video/mp4"},
                                                                             {".m4a", "audio/mp4"},
                                                                             {".cmfa", "audio/mp4"},
                                                                             {".ts", "video/mp2t"},
                                                                             {".aac", "audio/aac"},
                                                                             {".mp3", "audio/mpeg"},
                                                                             {".ac3", "audio/ac3"},
                                                                             {".vtt", "text/vtt"},
                                                                             {".webm", "video/webm"},
                                                                             {".jpg", "image/jpeg"},
                                                                             {".jpeg", "image/jpeg"},
                                                                             {".png", "image/png"}}};
  const std::string_view path = url.substr(0, url.find_first_of("?#"));
  for (const auto& [suffix, type] : kTypes) {
    if (path.ends_with(suffix)) return type;
  }
  return "application/octet-stream";
}

Answer failure(unsigned status, const std::string& why) {
  return {.status = status, .fields = {{"Content-Type", "text/plain; charset=utf-8"}}, .body = why + "\n"};
}

UtcTime utc_now() { return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()); }

/// As in HTTP (RFC 9110 section 5.6.7).
std::string date_text(std::chrono::sys_seconds date) {
  return fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", fmt::gmtime(std::chrono::system_clock::to_time_t(date)));
}

/// A document of the internet must not lead players to this machine or its neighbours.
LinkWishes guarded(LinkWishes wishes, const std::string& manifest) {
  try {
    const auto addresses = transport::resolve(transport::parse_url(manifest).origin);
    wishes.rules.public_only =
        std::ranges::all_of(addresses, [](const std::string& address) { return transport::is_public(address); });
  } catch (const transport::LookupError&) {
    wishes.rules.public_only = true;  // it will be told when the manifest is fetched
  }
  return wishes;
}

}  // namespace

ProxyRules ProxyRules::without(const std::string& names) {
  ProxyRules rules;
  std::istringstream in{names};
  for (std::string name; std::getline(in, name, ',');) {
    if (name == "pacing")
      rules.pacing = false;
    else if (name == "cmsd")
      rules.cmsd = false;
    else if (name == "prefetch")
      rules.prefetch = false;
    else
      throw std::invalid_argument(
          fmt::format("without \"{}\": expected pacing, cmsd, prefetch, with commas between several", name));
  }
  return rules;
}

ProxiedTitle::ProxiedTitle(std::size_t number, const std::string& outside, std::string manifest, LinkWishes wishes,
                           ProxyRules rules, Documents& documents)
    : outside_{outside},
      manifest_{std::move(manifest)},
      wishes_{guarded(std::move(wishes), manifest_)},
      rules_{rules},
      documents_{documents},
      files_{manifest_, wishes_},
      names_{fmt::format("/{}", number), outside},
      target_{names_.local(manifest_)} {}

ProxiedTitle::Facts ProxiedTitle::facts() const {
  const std::lock_guard lock{mutex_};
  return facts_;
}

void ProxiedTitle::left(const std::shared_ptr<IncomingFile>& file) {
  const std::lock_guard lock{mutex_};
  store_.left(file);
}

void ProxiedTitle::handle(const Request& request, std::function<void(Answer)> done) {
  std::optional<std::string> url;
  FileKind kind{};
  {
    const std::lock_guard lock{mutex_};
    ++facts_.requests;
    url = names_.upstream(without_cmcd(request.target));
    if (url) kind = names_.kind(*url);
  }
  if (!url) return done(failure(404, "no manifest of this title names this file"));
  if (kind == FileKind::kManifest || kind == FileKind::kClock) {
    documents_.fetch(
        *url, wishes_, wishes_.use,
        [this, self = shared_from_this(), url = *url, kind, done = std::move(done)](const Documents::Fetched& fetched) {
          done(kind == FileKind::kClock ? clock_answer(fetched) : manifest_answer(url, fetched));
        });
  } else {
    answer_media(*url, request, done);
  }
}

// ---- Manifests

/// A service of time: its Date counts, or its text.
Answer ProxiedTitle::clock_answer(const Documents::Fetched& fetched) {
  if (!fetched.file) return failure(fetched.status, fetched.why);
  Answer answer{.status = 200, .fields = {{"Content-Type", "text/plain"}}, .body = fetched.file->bytes};
  if (fetched.file->date) answer.fields.emplace_back("Date", date_text(*fetched.file->date));
  return answer;
}

Answer ProxiedTitle::manifest_answer(const std::string& asked, const Documents::Fetched& fetched) {
  const std::lock_guard lock{mutex_};
  if (!fetched.file) {
    facts_.error = fetched.why;
    return failure(fetched.status, fetched.why);
  }
  try {
    TitleFiles::Rewritten rewritten = names_.take_in(fetched.file->bytes, fetched.file->url, asked);
    facts_.error.clear();
    facts_.live = facts_.live || rewritten.live;
    facts_.kind = rewritten.content_type.find("dash") != std::string::npos ? "dash" : "hls";
    return {.status = 200,
            .fields = {{"Content-Type", rewritten.content_type},
                       {"ETag", fmt::format("\"{:016x}\"", std::hash<std::string>{}(rewritten.text))}},
            .body = std::move(rewritten.text)};
  } catch (const ManifestError& error) {
    facts_.error = fmt::format("{}: {}", redacted(fetched.file->url), error.what());
    return failure(502, facts_.error);
  }
}

// ---- Media

WantedMedia ProxiedTitle::wanted(const std::string& url, std::optional<ByteRange> range,
                                 const std::optional<MediaFile>& known) const {
  WantedMedia wanted{.url = url, .range = range, .estimate = kUnknownSize, .due_in = Duration{}};
  if (known) {
    wanted.estimate = known->estimate;
    if (known->duration > Duration{}) wanted.duration = known->duration;
  }
  return wanted;
}

void ProxiedTitle::answer_media(const std::string& url, const Request& request,
                                const std::function<void(Answer)>& done) {
  const auto field = request.field("Range");
  const auto asked = field ? read_range(*field) : std::nullopt;
  std::optional<ByteRange> closed;
  if (asked && asked->first && asked->last) closed = ByteRange{*asked->first, *asked->last + DataSize{1}};
  FileBody body;
  body.content_type = content_type_of(url);
  const std::optional<DataRate> throughput = files_.status().throughput;
  {
    const std::lock_guard lock{mutex_};
    std::optional<MediaFile> known = names_.file(url, closed, utc_now());
    // A part of a segment that is a file of its own is taken from the whole.
    const auto whole = closed ? names_.file(url, std::nullopt, utc_now()) : known;
    if (whole && !whole->range) {
      closed.reset();
      known = whole;
    }
    WantedMedia media = wanted(url, closed, known);
    const bool segment = known && !known->init && known->duration > Duration{};
    if (segment) {
      const Cmcd cmcd = read_cmcd(request.target, request.fields);
      if (cmcd.starved) ++facts_.starved;
      const Duration by_cadence = pace_.asked(known->manifest + cmcd.object_type.value_or(""), known->duration, now());
      media.due_in = cmcd.startup ? Duration{} : cmcd.deadline.value_or(cmcd.buffered.value_or(by_cadence));
    }
    body.file = store_.read(media);
    if (closed) body.part = FilePart{closed->begin, std::nullopt};
    if (segment && rules_.pacing) body.pace = throughput;
    if (segment && rules_.prefetch) {
      if (const auto next = names_.next(*known, utc_now())) {
        WantedMedia ahead = wanted(next->url, next->range, next);
        store_.fetch_ahead(ahead);
      }
    }
  }
  Answer answer{.status = 200, .fields = {}, .body = std::move(body)};
  if (rules_.cmsd && throughput) answer.fields.emplace_back("CMSD-Dynamic", cmsd_dynamic(*throughput, *throughput));
  done(std::move(answer));
}

}  // namespace tributary::proxy
