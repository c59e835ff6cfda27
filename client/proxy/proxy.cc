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
#include "units/text/redacted_url.hh"
#include "units/text/web_address.hh"
#include "worlds/channel_search.hh"

namespace tributary::proxy {
namespace {

using nlohmann::json;

constexpr std::size_t kMostTitles = 64, kMostLists = 64;
constexpr std::size_t kMostOfList = 16;  // titles that channels of one list became, and that stay open
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

/// Of the title or list to which a target belongs; 0: to none.
std::size_t number_in(const std::string& target) {
  std::size_t number = 0;
  const char* const end = target.data() + target.size();
  const auto [rest, error] = std::from_chars(target.data() + 1, end, number);
  return error != std::errc{} || rest == end || *rest != '/' ? 0 : number;
}

Answer text_answer(unsigned status, const char* type, std::string text) {
  return {.status = status, .fields = {{"Content-Type", type}, {"Cache-Control", "no-store"}}, .body = std::move(text)};
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
  } catch (const ChannelsFound& list) {
    return made_list(url, list, wishes.rules.guard->refuses_near_ones());
  }
  if (!manifest) return {0, "", "this index names no manifest that players read"};
  const std::string outside = address_.substr(address_.rfind('/'));
  std::shared_ptr<ProxiedTitle> title;
  std::size_t number = 0;
  {
    const std::lock_guard lock{mutex_};
    if (titles_.size() >= kMostTitles) return {0, "", kTooMany};
    number = next_number_++;
    title = std::make_shared<ProxiedTitle>(number, outside, *manifest, wishes, rules_, documents_);
    titles_.emplace(number, title);
  }
  if (rules_.lead && manifest->kind != TitleKind::kFile) title->look_at_qualities();
  return {number, address_ + title->target(), "", title->facts().not_led};
}

Proxy::Opened Proxy::made_list(const std::string& url, const ChannelsFound& found, bool of_internet) {
  const std::lock_guard lock{mutex_};
  if (lists_.size() >= kMostLists) return {0, "", kTooMany};
  const std::size_t number = next_number_++;
  const auto list = lists_.emplace(number, ChannelList{number, url, found.channels, of_internet}).first;
  return {number, address_ + list->second.target(), ""};
}

void Proxy::close(std::size_t number) {
  std::shared_ptr<ProxiedTitle> closed;  // it ends without the lock
  {
    const std::lock_guard lock{mutex_};
    lists_.erase(number);
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
  const std::lock_guard lock{mutex_};
  const auto found = titles_.find(number_in(target));
  return found == titles_.end() ? nullptr : found->second;
}

void Proxy::handle(Request request, std::function<void(Answer)> done) {
  if (request.method == "POST") return answer_wish(request, done);
  if (const auto title = title_of(request.target)) return title->handle(request, std::move(done));
  if (!answer_of_list(request.target, done)) answer_page(request, done);
}

/// False: the target is that of no list, nor of its channels.
bool Proxy::answer_of_list(const std::string& target, const std::function<void(Answer)>& done) {
  const std::size_t number = number_in(target);
  std::optional<Answer> answer;
  std::optional<std::size_t> place;
  std::string url;
  bool of_internet = false;
  {
    const std::lock_guard lock{mutex_};
    const auto list = lists_.find(number);
    if (list == lists_.end()) return false;
    place = list->second.place_of(target);
    if (target.substr(0, target.find('?')) == list->second.target()) {
      answer = text_answer(200, "audio/x-mpegurl", list->second.text());
    } else if (place) {
      url = list->second.channel(*place).url;
      of_internet = list->second.is_of_internet();
      answer = answer_of_title(list->second.title_of(*place));
    }
  }
  if (!answer && !place) return false;
  if (answer) {
    done(*std::move(answer));
    return true;
  }
  open(url, of_internet, [this, number, place = *place, done](const Opened& opened) {
    if (opened.local.empty()) return done(text_answer(502, "text/plain; charset=utf-8", opened.error + "\n"));
    done(channel_became(number, place, opened.number));
  });
  return true;
}

/// Leads a player to what a channel became, which may be a list again. Nothing: it is not there. To be called with the lock.
std::optional<Answer> Proxy::answer_of_title(std::optional<std::size_t> number) const {
  const auto title = titles_.find(number.value_or(0));
  const auto list = lists_.find(number.value_or(0));
  if (title == titles_.end() && list == lists_.end()) return std::nullopt;
  const std::string target = title != titles_.end() ? title->second->target() : list->second.target();
  Answer answer = text_answer(302, "text/plain", "");
  answer.fields.emplace_back("Location", address_.substr(address_.rfind('/')) + target);
  return answer;
}

/// Titles of channels that nobody watches any more are closed when there are many.
Answer Proxy::channel_became(std::size_t list, std::size_t place, std::size_t title) {
  std::vector<std::size_t> old;
  std::optional<Answer> answer;
  {
    const std::lock_guard lock{mutex_};
    const auto may_go = [&](std::size_t number) {
      const auto found = titles_.find(number);
      return number != title && found != titles_.end() && found->second->players() == 0;
    };
    if (const auto found = lists_.find(list); found != lists_.end()) {
      answer = answer_of_title(found->second.title_of(place));  // of another player, who asked at the same time
      if (answer) {
        old.push_back(title);
      } else {
        found->second.becomes_title(place, title);
        while (const auto oldest = found->second.take_oldest(kMostOfList, may_go)) old.push_back(*oldest);
      }
    }
    if (!answer) answer = answer_of_title(title);
  }
  for (const std::size_t number : old) close(number);
  return answer.value_or(text_answer(404, "text/plain", "The channel is closed.\n"));
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
    for (const auto& [number, list] : lists_) status.add_list(number, address_ + list.target(), list.url());
  }
  const std::lock_guard lock{uses_mutex_};
  return status.text(uses_);
}

}  // namespace tributary::proxy
