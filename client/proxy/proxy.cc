#include "proxy/proxy.hh"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "manifests/manifest_kind.hh"
#include "proxy/page/page_files.hh"
#include "proxy/page_status.hh"
#include "proxy/rewriting/title_files.hh"
#include "transport/connections/address_guard.hh"
#include "transport/connections/cookie_jar.hh"
#include "transport/connections/origin.hh"
#include "units/redacted_url.hh"
#include "units/web_address.hh"

namespace tributary::proxy {
namespace {

using nlohmann::json;

constexpr std::size_t kMostTitles = 64;

// Only our own files run on the page, and only the proxy is asked by it.
constexpr const char* kContentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' data:; media-src 'self' blob:; "
    "img-src 'self' data:; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

Answer json_answer(unsigned status, const json& value) {
  return {.status = status,
          .fields = {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}},
          .body = value.dump(-1, ' ', false, json::error_handler_t::replace)};
}

Answer error_answer(unsigned status, const std::string& why) { return json_answer(status, {{"error", why}}); }

/// Throws ManifestError if it cannot be read. Nothing: players read none that it names.
std::optional<PlayersManifest> manifest_in(const FoundDocument& found) {
  const DatedDocument& document = found.document;
  const auto kind = manifest_kind(document.text);
  if (kind == ManifestKind::kIndex) return manifest_for_players(document.text, document.url);
  const bool live = TitleFiles{"/0"}.take_in(document.text, document.url, found.asked).live;
  return PlayersManifest{
      .url = found.asked, .kind = kind == ManifestKind::kMpd ? TitleKind::kDash : TitleKind::kHls, .live = live};
}

std::optional<LinkUse> use_from(const std::string& name) {
  const auto names = names_of(LinkUse{});
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<LinkUse>(found - names.begin());
}

}  // namespace

Proxy::Proxy(std::function<LinkWishes()> wishes, ProxyRules rules, std::string version)
    : wishes_{std::move(wishes)}, rules_{rules}, version_{std::move(version)}, reporter_{[this] { return status(); }} {}

Proxy::~Proxy() = default;

void Proxy::served_at(std::string address) { address_ = std::move(address); }

// ---- Titles

void Proxy::open(const std::string& url, std::function<void(Opened)> done) {
  try {
    (void)transport::parse_url(url);
  } catch (const transport::UrlError& error) {
    return done({0, "", error.what()});
  }
  LinkWishes wishes = wishes_();
  wishes.rules.cookies = std::make_shared<transport::CookieJar>();
  wishes.rules.guard = std::make_shared<transport::AddressGuard>(url);
  wishes.rules.guard->tell_refusals(
      [url, tell = wishes.tell](const std::string& why) { tell(fmt::format("{}: {}", redacted(url), why)); });
  wishes.use = [this, otherwise = wishes.use](const std::string& link) {
    const std::lock_guard lock{uses_mutex_};
    const auto chosen = uses_.find(link);
    return chosen != uses_.end() ? chosen->second : otherwise(link);
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
  }
  if (!manifest) return {0, "", "this index names no manifest that players read"};
  const std::string outside = address_.substr(address_.rfind('/'));
  std::shared_ptr<ProxiedTitle> title;
  std::size_t number = 0;
  {
    const std::lock_guard lock{mutex_};
    if (titles_.size() >= kMostTitles) return {0, "", "too many titles: close some"};
    number = next_number_++;
    title = std::make_shared<ProxiedTitle>(number, outside, *manifest, wishes, rules_, documents_);
    titles_.emplace(number, title);
  }
  if (rules_.lead && manifest->kind != TitleKind::kFile) title->look_at_qualities();
  return {number, address_ + title->target(), "", title->facts().not_led};
}

void Proxy::close(std::size_t number) {
  std::shared_ptr<ProxiedTitle> closed;  // it ends without the lock
  {
    const std::lock_guard lock{mutex_};
    const auto found = titles_.find(number);
    if (found == titles_.end()) return;
    closed = std::move(found->second);
    titles_.erase(found);
    for (const auto& [link, bytes] : closed->carried()) carried_before_[link] += bytes;
  }
  reporter_.look_now();
}

void Proxy::use_link(const std::string& name, LinkUse use) {
  {
    const std::lock_guard lock{uses_mutex_};
    uses_[name] = use;
  }
  {
    const std::lock_guard lock{mutex_};
    for (const auto& [number, title] : titles_) title->use_link(name, use);
  }
  reporter_.look_now();
}

std::vector<CarriedByLink> Proxy::carried() const {
  const std::lock_guard lock{mutex_};
  std::map<std::string, DataSize> all = carried_before_;
  for (const auto& [number, title] : titles_) {
    for (const auto& [link, bytes] : title->carried()) all[link] += bytes;
  }
  std::vector<CarriedByLink> carried;
  for (const auto& [link, bytes] : all) carried.push_back({link, bytes});
  return carried;
}

// ---- Requests

std::shared_ptr<ProxiedTitle> Proxy::title_of(const std::string& target) const {
  std::size_t number = 0;
  const char* const end = target.data() + target.size();
  const auto [rest, error] = std::from_chars(target.data() + 1, end, number);
  if (error != std::errc{} || rest == end || *rest != '/') return nullptr;
  const std::lock_guard lock{mutex_};
  const auto found = titles_.find(number);
  return found == titles_.end() ? nullptr : found->second;
}

void Proxy::handle(Request request, std::function<void(Answer)> done) {
  if (request.method == "POST") return answer_wish(request, done);
  if (const auto title = title_of(request.target)) return title->handle(request, std::move(done));
  answer_page(request, done);
}

void Proxy::left(const std::shared_ptr<IncomingFile>& file) {
  const std::lock_guard lock{mutex_};
  for (const auto& [number, title] : titles_) title->left(file);
}

void Proxy::reads(const std::shared_ptr<IncomingFile>& file, bool reads) {
  const std::lock_guard lock{mutex_};
  for (const auto& [number, title] : titles_) title->reads(file, reads);
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

/// What a person wants, by the page.
void Proxy::answer_wish(const Request& request, const std::function<void(Answer)>& done) {
  const json wish = json::parse(request.body, nullptr, false);
  if (!wish.is_object()) return done(error_answer(400, "The request is no JSON object."));
  const auto text = [&](const char* name) {
    const auto found = wish.find(name);
    return found != wish.end() && found->is_string() ? found->get<std::string>() : std::string{};
  };
  if (request.target == "/open") {
    open(with_scheme(text("url")), [done](const Opened& opened) {
      if (opened.local.empty()) return done(error_answer(422, opened.error));
      done(json_answer(200, {{"number", opened.number}, {"local", opened.local}}));
    });
  } else if (request.target == "/link") {
    const auto use = use_from(text("use"));
    if (!use || text("name").empty())
      return done(error_answer(400, "\"name\" is a link, \"use\" is use, when-needed or do-not-use."));
    use_link(text("name"), *use);
    done(json_answer(200, json::object()));
  } else if (request.target == "/close") {
    const auto number = wish.find("number");
    if (number == wish.end() || !number->is_number_unsigned()) return done(error_answer(400, "\"number\" is missing."));
    close(number->get<std::size_t>());
    done(json_answer(200, json::object()));
  } else {
    done(error_answer(404, "There is no such wish."));
  }
}

// ---- What is shown

std::string Proxy::status() const {
  PageStatus status{version_};
  {
    const std::lock_guard lock{mutex_};
    status.add_earlier(carried_before_);
    for (const auto& [number, title] : titles_) status.add(number, address_ + title->target(), *title);
  }
  const std::lock_guard lock{uses_mutex_};
  return status.text(uses_);
}

}  // namespace tributary::proxy
