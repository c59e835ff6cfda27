#include "proxy/proxy.hh"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

#include "manifests/manifest_kind.hh"
#include "proxy/page/page_files.hh"
#include "proxy/rewriting/title_files.hh"
#include "transport/connections/origin.hh"
#include "units/redacted_url.hh"

namespace tributary::proxy {
namespace {

using nlohmann::json;

constexpr auto kReportEvery = std::chrono::seconds{1};
constexpr std::size_t kMostTitles = 64;

// Only our own files run on the page, and only the proxy is asked by it.
constexpr const char* kContentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; media-src 'self' blob:; "
    "img-src 'self' data:; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

Answer json_answer(unsigned status, const json& value) {
  return {.status = status,
          .fields = {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}},
          .body = value.dump(-1, ' ', false, json::error_handler_t::replace)};
}

Answer error_answer(unsigned status, const std::string& why) { return json_answer(status, {{"error", why}}); }

std::string name_of(const std::string& url) {
  const std::string path = url.substr(0, url.find_first_of("?#"));
  return path.substr(path.rfind('/') + 1);
}

constexpr std::string_view name_of(LinkActivity activity) {
  switch (activity) {
    case LinkActivity::kUsed:
      return "used";
    case LinkActivity::kIdle:
      return "idle";
    case LinkActivity::kSuspect:
      return "suspect";
    case LinkActivity::kAvoided:
      return "avoided";
    case LinkActivity::kUsedUp:
      return "used-up";
    case LinkActivity::kStandby:
      return "standby";
    case LinkActivity::kOff:
      return "off";
    case LinkActivity::kDown:
      return "down";
  }
  return "";
}

constexpr std::string_view name_of(CostKind kind) {
  switch (kind) {
    case CostKind::kFree:
      return "free";
    case CostKind::kBackup:
      return "backup";
    case CostKind::kMetered:
      return "metered";
    case CostKind::kPaid:
      return "paid";
  }
  return "";
}

std::optional<LinkUse> use_from(const std::string& name) {
  const auto names = names_of(LinkUse{});
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<LinkUse>(found - names.begin());
}

/// A link over all titles.
struct LinkSum {
  LinkStatus status;
  DataRate rate;
  DataSize bytes;
};

json to_json(const LinkSum& link, double share) {
  const LinkStatus& status = link.status;
  const double megabytes = static_cast<double>(link.bytes.bytes()) / 1e6;
  json out{{"name", status.name},
           {"kind", status.kind},
           {"use", names_of(LinkUse{})[static_cast<std::size_t>(status.use)]},
           {"activity", name_of(status.activity)},
           {"why", status.why},
           {"rate_kbit_s", link.rate.kilobits_per_second()},
           {"share", share},
           {"bytes", link.bytes.bytes()},
           {"cost", name_of(status.cost.kind)},
           {"price_per_mb", nullptr},
           {"money", nullptr},
           {"cap_bytes", nullptr},
           {"used_bytes", nullptr}};
  if (status.cost.kind == CostKind::kPaid) {
    out["price_per_mb"] = status.cost.price_per_mb;
    out["money"] = status.cost.price_per_mb * megabytes;
  }
  if (status.cost.cap) {
    out["cap_bytes"] = status.cost.cap->bytes();
    out["used_bytes"] = (status.cost.used_before + link.bytes).bytes();
  }
  return out;
}

}  // namespace

/// Sends the status to all pages, once a second as long as there are some.
class Proxy::Reporter {
 public:
  explicit Reporter(const Proxy& proxy) : proxy_{proxy}, thread_{[this](const std::stop_token& stop) { run(stop); }} {}
  ~Reporter() {
    thread_.request_stop();
    changed_.notify_all();
  }

  void add(std::function<bool(std::string)> send) {
    {
      const std::lock_guard lock{mutex_};
      new_.push_back(std::move(send));
    }
    changed_.notify_all();
  }
  void look_now() {
    {
      const std::lock_guard lock{mutex_};
      look_now_ = true;
    }
    changed_.notify_all();
  }

 private:
  void run(const std::stop_token& stop) {
    std::vector<std::function<bool(std::string)>> pages;
    while (!stop.stop_requested()) {
      {
        std::unique_lock lock{mutex_};
        const auto news = [&] { return !new_.empty() || look_now_ || stop.stop_requested(); };
        if (pages.empty())
          changed_.wait(lock, [&] { return !new_.empty() || stop.stop_requested(); });
        else
          changed_.wait_for(lock, kReportEvery, news);
        look_now_ = false;
        for (auto& page : std::exchange(new_, {})) pages.push_back(std::move(page));
      }
      if (stop.stop_requested()) return;
      const std::string piece = fmt::format("event: status\ndata: {}\n\n", proxy_.status());
      std::erase_if(pages, [&](const auto& send) { return !send(piece); });
    }
  }

  const Proxy& proxy_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::function<bool(std::string)>> new_;
  bool look_now_ = false;
  std::jthread thread_;  // last: it uses all of the above
};

Proxy::Proxy(std::function<LinkWishes()> wishes, ProxyRules rules, std::string version)
    : wishes_{std::move(wishes)},
      rules_{rules},
      version_{std::move(version)},
      reporter_{std::make_unique<Reporter>(*this)} {}

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
  wishes.use = [this, otherwise = wishes.use](const std::string& link) {
    const std::lock_guard lock{uses_mutex_};
    const auto chosen = uses_.find(link);
    return chosen != uses_.end() ? chosen->second : otherwise(link);
  };
  documents_.fetch(url, wishes, wishes.use, [this, url, wishes, done](const Documents::Fetched& fetched) {
    if (!fetched.file) return done({0, "", fetched.why});
    try {
      const FetchedFile& file = *fetched.file;
      std::string manifest = url;
      if (manifest_kind(file.bytes) == ManifestKind::kIndex) {
        const auto for_players = manifest_for_players(file.bytes, file.url);
        if (!for_players) return done({0, "", "this index names no manifest that players read"});
        manifest = *for_players;
      } else {
        (void)TitleFiles{"/0"}.take_in(file.bytes, file.url, url);  // it can be read
      }
      const std::string outside = address_.substr(address_.rfind('/'));
      const std::lock_guard lock{mutex_};
      if (titles_.size() >= kMostTitles) return done({0, "", "too many titles: close some"});
      const std::size_t number = next_number_++;
      auto title = std::make_shared<ProxiedTitle>(number, outside, manifest, wishes, rules_, documents_);
      titles_.emplace(number, title);
      done({number, address_ + title->target(), ""});
    } catch (const std::exception& error) {
      done({0, "", fmt::format("{}: {}", redacted(url), error.what())});
    }
    reporter_->look_now();
  });
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
  reporter_->look_now();
}

void Proxy::use_link(const std::string& name, LinkUse use) {
  {
    {
      const std::lock_guard uses_lock{uses_mutex_};
      uses_[name] = use;
    }
    const std::lock_guard lock{mutex_};
    for (const auto& [number, title] : titles_) title->use_link(name, use);
  }
  reporter_->look_now();
}

std::vector<Proxy::Carried> Proxy::carried() const {
  const std::lock_guard lock{mutex_};
  std::map<std::string, DataSize> all = carried_before_;
  for (const auto& [number, title] : titles_) {
    for (const auto& [link, bytes] : title->carried()) all[link] += bytes;
  }
  std::vector<Carried> carried;
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

void Proxy::answer_page(const Request& request, const std::function<void(Answer)>& done) {
  const std::string path = request.target.substr(0, request.target.find('?'));
  if (path == "/events")
    return done(
        {.status = 200,
         .fields = {{"Content-Type", "text/event-stream"}, {"Cache-Control", "no-store"}},
         .body = EventStream{[this](std::function<bool(std::string)> send) { reporter_->add(std::move(send)); }}});
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
    open(text("url"), [done](const Opened& opened) {
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
  json titles = json::array();
  std::map<std::string, LinkSum> links;
  DataSize total;
  const std::lock_guard lock{mutex_};
  for (const auto& [name, bytes] : carried_before_) links[name].bytes += bytes;
  for (const auto& [number, title] : titles_) {
    const ProxiedTitle::Facts facts = title->facts();
    DataSize bytes;
    for (const auto& [link, carried] : title->carried()) {
      bytes += carried;
      links[link].bytes += carried;
    }
    for (const LinkStatus& link : title->status().links) {
      LinkSum& sum = links[link.name];
      sum.rate += link.rate_now;
      if (sum.status.name.empty() || link.activity == LinkActivity::kUsed) sum.status = link;
    }
    titles.push_back({{"number", number},
                      {"name", name_of(title->manifest())},
                      {"address", redacted(title->manifest())},
                      {"local", address_ + title->target()},
                      {"kind", facts.kind},
                      {"live", facts.live},
                      {"players", facts.requests > 0 ? 1 : 0},
                      {"bytes", bytes.bytes()},
                      {"error", facts.error}});
  }
  for (const auto& [name, sum] : links) total += sum.bytes;
  json all = json::array();
  for (auto& [name, sum] : links) {
    if (sum.status.name.empty()) sum.status.name = name;
    const std::lock_guard uses_lock{uses_mutex_};
    if (const auto chosen = uses_.find(name); chosen != uses_.end()) sum.status.use = chosen->second;
    all.push_back(to_json(sum, total > DataSize{} ? sum.bytes / total : 0));
  }
  const json status{
      {"version", version_}, {"titles", std::move(titles)}, {"links", std::move(all)}, {"waits", json::array()}};
  return status.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace tributary::proxy
