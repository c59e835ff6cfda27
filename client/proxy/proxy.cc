#include "proxy/proxy.hh"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "manifests/manifest_kind.hh"
#include "proxy/page/page_files.hh"
#include "proxy/page_status.hh"
#include "proxy/page_wishes.hh"
#include "proxy/rewriting/title_files.hh"
#include "transport/connections/address_guard.hh"
#include "transport/connections/cookie_jar.hh"
#include "transport/connections/origin.hh"
#include "units/text/redacted_url.hh"
#include "worlds/channel_search.hh"

namespace tributary::proxy {
namespace {

using nlohmann::json;

constexpr const char* kTooMany = "too many titles: close some";

// Only our own files run on the page, and only the proxy is asked by it.
constexpr const char* kContentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' data:; media-src 'self' blob:; "
    "img-src 'self' data:; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

Answer json_answer(unsigned status, const json& value) {
  return {.status = status,
          .fields = {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}},
          .body = value.dump(-1, ' ', false, json::error_handler_t::replace)};
}

/// Throws ManifestError if it cannot be read. Nothing: players read none that it names.
std::optional<PlayersManifest> manifest_in(const FoundDocument& found) {
  const DatedDocument& document = found.document;
  const auto kind = manifest_kind(document.text);
  if (kind == ManifestKind::kIndex) return manifest_for_players(document.text, document.url);
  const bool live = TitleFiles{"/0"}.take_in(document.text, document.url, found.asked).live;
  return PlayersManifest{
      .url = found.asked, .kind = kind == ManifestKind::kMpd ? TitleKind::kDash : TitleKind::kHls, .live = live};
}

Answer text_answer(unsigned status, const char* type, std::string text) {
  return {.status = status, .fields = {{"Content-Type", type}, {"Cache-Control", "no-store"}}, .body = std::move(text)};
}

}  // namespace

Proxy::Proxy(std::function<LinkWishes()> wishes, ProxyRules rules, std::string version)
    : wishes_{std::move(wishes)}, rules_{rules}, version_{std::move(version)}, reporter_{[this] { return status(); }} {}

Proxy::~Proxy() = default;

void Proxy::served_at(std::string address) { address_ = std::move(address); }

// ---- Titles

void Proxy::open(const std::string& url, std::function<void(Opened)> done) { open(url, false, std::move(done)); }

void Proxy::open(const std::string& url, bool of_internet, std::function<void(Opened)> done) {
  try {
    (void)transport::parse_url(url);
  } catch (const transport::UrlError& error) {
    return done({0, "", error.what()});
  }
  LinkWishes wishes = wishes_();
  wishes.rules.cookies = std::make_shared<transport::CookieJar>();
  wishes.rules.guard = std::make_shared<transport::AddressGuard>(url);
  if (of_internet) wishes.rules.guard->title_is_of_internet();
  wishes.rules.guard->tell_refusals(
      [url, tell = wishes.tell](const std::string& why) { tell(fmt::format("{}: {}", redacted(url), why)); });
  wishes.use = [this, otherwise = wishes.use](const std::string& link) {
    const auto chosen = uses_.of(link);
    return chosen ? *chosen : otherwise(link);
  };
  documents_.run([this, url, wishes = std::move(wishes), done = std::move(done)] {
    Opened opened;
    try {
      opened = made(url, wishes);
    } catch (const std::exception& error) {
      opened.error = fmt::format("{}: {}", redacted(url), error.what());
    }
    done(opened);
    reporter_.look_now();
  });
}

Proxy::Opened Proxy::made(const std::string& url, LinkWishes wishes) {
  std::optional<PlayersManifest> manifest;
  try {
    manifest = manifest_in(documents_.find(url, wishes));
  } catch (const MediaFound& file) {
    const FileLook look = documents_.look_at_file(file.asked, wishes);
    manifest = {.url = file.asked, .kind = TitleKind::kFile, .content_type = file.content_type, .size = look.size};
    wishes.refuses_large_ranges = look.refuses_large_ranges;
  } catch (const ChannelsFound& found) {
    const auto list = titles_.add_list(url, found.channels, wishes.rules.guard->refuses_near_ones());
    return list ? Opened{list->number, address_ + list->target, ""} : Opened{0, "", kTooMany};
  }
  if (!manifest) return {0, "", "this index names no manifest that players read"};
  const auto added = titles_.add([&](std::size_t number) {
    return std::make_shared<ProxiedTitle>(number, path(), *manifest, wishes, rules_, documents_);
  });
  if (!added) return {0, "", kTooMany};
  if (rules_.lead && manifest->kind != TitleKind::kFile) added->title->look_at_qualities();
  return {added->number, address_ + added->target, "", added->title->facts().not_led};
}

void Proxy::close(std::size_t number) {
  titles_.close(number);
  reporter_.look_now();
}

void Proxy::use_link(const std::string& name, LinkUse use) {
  uses_.choose(name, use);
  titles_.each_title([&](std::size_t /*number*/, ProxiedTitle& title) { title.use_link(name, use); });
  reporter_.look_now();
}

std::vector<CarriedByLink> Proxy::carried() const {
  std::vector<CarriedByLink> carried;
  for (const auto& [link, bytes] : titles_.carried()) carried.push_back({link, bytes});
  return carried;
}

// ---- Requests

void Proxy::handle(Request request, std::function<void(Answer)> done) {
  if (request.method == "POST") return answer_wish(request, done);
  if (const auto title = titles_.title_of(request.target)) return title->handle(request, std::move(done));
  const auto listed = titles_.at_list(request.target);
  if (!listed) return answer_page(request, done);
  if (const auto* list = std::get_if<OpenTitles::ListText>(&*listed))
    return done(text_answer(200, "audio/x-mpegurl", list->text));
  if (const auto* open_one = std::get_if<OpenTitles::Target>(&*listed)) return done(led_to(*open_one));
  open_channel(std::get<OpenTitles::Channel>(*listed), std::move(done));
}

/// Leads a player to what the channel becomes, which may be a list again.
void Proxy::open_channel(const OpenTitles::Channel& channel, std::function<void(Answer)> done) {
  open(channel.url, channel.of_internet, [this, channel, done = std::move(done)](const Opened& opened) {
    if (opened.local.empty()) return done(text_answer(502, "text/plain; charset=utf-8", opened.error + "\n"));
    const auto target = titles_.became(channel, opened.number);
    done(target ? led_to(*target) : text_answer(404, "text/plain", "The channel is closed.\n"));
  });
}

Answer Proxy::led_to(const OpenTitles::Target& target) const {
  Answer answer = text_answer(302, "text/plain", "");
  answer.fields.emplace_back("Location", path() + target.target);
  return answer;
}

void Proxy::left(const std::shared_ptr<IncomingFile>& file) {
  titles_.each_title([&](std::size_t /*number*/, ProxiedTitle& title) { title.left(file); });
}

void Proxy::reads(const std::shared_ptr<IncomingFile>& file, bool reads) {
  titles_.each_title([&](std::size_t /*number*/, ProxiedTitle& title) { title.reads(file, reads); });
}

void Proxy::answer_page(const Request& request, const std::function<void(Answer)>& done) {
  const std::string path = request.target.substr(0, request.target.find('?'));
  if (path == "/events")
    return done(
        {.status = 200,
         .fields = {{"Content-Type", "text/event-stream"}, {"Cache-Control", "no-store"}},
         .body = EventStream{[this](std::function<bool(std::string)> send) { reporter_.add(std::move(send)); }}});
  const auto file = page_file(path);
  if (!file)
    return done({.status = 404, .fields = {{"Content-Type", "text/plain"}}, .body = "There is no such file.\n"});
  done({.status = 200,
        .fields = {{"Content-Type", std::string{file->content_type}},
                   {"Content-Security-Policy", kContentPolicy},
                   {"Referrer-Policy", "no-referrer"},
                   {"X-Content-Type-Options", "nosniff"},
                   {"ETag", fmt::format("\"{:016x}\"", std::hash<std::string_view>{}(file->text))}},
        .body = std::string{file->text}});
}

void Proxy::answer_wish(const Request& request, const std::function<void(Answer)>& done) {
  const PageWish wish = read_wish(request);
  if (const auto* bad = std::get_if<BadWish>(&wish)) return done(json_answer(bad->status, {{"error", bad->why}}));
  if (const auto* to_open = std::get_if<OpenWish>(&wish)) {
    return open(to_open->url, [done](const Opened& opened) {
      if (opened.local.empty()) return done(json_answer(422, {{"error", opened.error}}));
      done(json_answer(200, {{"number", opened.number}, {"local", opened.local}}));
    });
  }
  if (const auto* of_link = std::get_if<LinkWish>(&wish)) use_link(of_link->link, of_link->use);
  if (const auto* to_close = std::get_if<CloseWish>(&wish)) close(to_close->number);
  done(json_answer(200, json::object()));
}

// ---- What is shown

std::string Proxy::status() const {
  PageStatus status{version_};
  titles_.show(status, address_);
  return status.text(uses_.all());
}

}  // namespace tributary::proxy
