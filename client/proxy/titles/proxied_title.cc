#include "proxy/titles/proxied_title.hh"

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <utility>

#include "proxy/requests/byte_ranges.hh"
#include "proxy/requests/content_types.hh"
#include "proxy/requests/response_head.hh"
#include "proxy/titles/quality_comparison.hh"
#include "system/utc_now.hh"

namespace tributary::proxy {
namespace {

Answer failure(unsigned status, const std::string& why) {
  return {.status = status, .fields = {{"Content-Type", "text/plain; charset=utf-8"}}, .body = why + "\n"};
}

/// What must come as it is meant, and not as a server has coded it (Content-Encoding): keys and texts. They are small.
bool comes_decoded(const TitleManifests::Asked& asked, const Request& request) {
  if (asked.kind == FileKind::kKey) return true;
  return content_type_of(asked.url) == "text/vtt" && !closed_range(request.field("Range"));
}

/// A service of time: its Date counts, or its text.
Answer clock_answer(const Documents::Fetched& fetched) {
  if (!fetched.file) return failure(fetched.status, fetched.why);
  Answer answer{.status = 200, .fields = {{"Content-Type", "text/plain"}}, .body = fetched.file->bytes};
  if (fetched.file->date) answer.fields.emplace_back("Date", http_date(fetched.file->date->time_since_epoch().count()));
  return answer;
}

Answer decoded_answer(const std::string& url, const Documents::Fetched& fetched) {
  if (!fetched.file) return failure(fetched.status, fetched.why);
  return {.status = 200, .fields = {{"Content-Type", content_type_of(url)}}, .body = fetched.file->bytes};
}

}  // namespace

ProxiedTitle::ProxiedTitle(std::size_t number, const std::string& outside, const PlayersManifest& manifest,
                           LinkWishes wishes, ProxyRules rules, Documents& documents)
    : wishes_{std::move(wishes)},
      rules_{rules},
      documents_{documents},
      manifests_{std::make_shared<TitleManifests>(fmt::format("/{}", number), outside, manifest)},
      media_{std::make_shared<TitleMedia>(manifests_, manifest, wishes_, rules_)} {}

void ProxiedTitle::handle(const Request& request, std::function<void(Answer)> done) {
  const Cmcd cmcd = read_cmcd(request.target, request.fields);
  auto line = players_.asks(request, cmcd, now());
  const auto asked = manifests_->asked(without_cmcd(request.target));
  if (!asked) return done(failure(404, "no manifest of this title names this file"));
  if (asked->kind == FileKind::kManifest) media_->files().expect();
  if (asked->kind != FileKind::kManifest && asked->kind != FileKind::kClock && !comes_decoded(*asked, request))
    return done(media_->answer(asked->url, request, cmcd, std::move(line)));
  // In lead mode, manifests wait for looks at qualities.
  if (asked->kind == FileKind::kManifest && manifests_->facts().live && !rules_.lead)
    return follow(asked->url, request, std::move(done));
  documents_.run([this, self = shared_from_this(), asked = *asked, done = std::move(done)] {
    const Documents::Fetched fetched = documents_.get(asked.url, wishes_);
    if (asked.kind == FileKind::kManifest) return done(manifest_answer(asked.url, fetched));
    done(asked.kind == FileKind::kClock ? clock_answer(fetched) : decoded_answer(asked.url, fetched));
  });
}

/// A manifest that goes on. The origin may hold the answer, and nothing else waits for it. The thread that brings it ends with the
/// title, and so must not be the last that knows the title.
void ProxiedTitle::follow(const std::string& url, const Request& request, std::function<void(Answer)> done) {
  media_->files().held().document(
      url, manifests_->held_for(url), request.left,
      [weak = weak_from_this(), &documents = documents_, url, done = std::move(done)](HeldDocument document) {
        documents.run([weak, url, done, document = std::move(document)]() mutable {
          const auto self = weak.lock();
          if (!self) return done(failure(404, "the title is closed"));
          done(self->manifest_answer(url, {std::move(document.file), document.status, std::move(document.why)}));
        });
      });
}

void ProxiedTitle::look_at_qualities() { (void)manifest_answer(manifest(), documents_.get(manifest(), wishes_)); }

Answer ProxiedTitle::manifest_answer(const std::string& asked, const Documents::Fetched& fetched) {
  auto rewritten = manifests_->take_in(asked, fetched);
  if (!rewritten) return failure(fetched.file ? 502 : fetched.status, facts().error);
  // A player asks for the init segment of a playlist next, and the links connect meanwhile.
  const auto init = is_dash(*rewritten) || !rules_.prefetch ? std::nullopt : manifests_->init_of(asked, utc_now());
  if (init) media_->fetch_ahead(*init);
  if (!rules_.lead && rules_.prefetch) media_->listed(TitleFiles::name_of(asked));
  if (rules_.lead) {
    const std::string name = TitleFiles::name_of(asked);
    compare_qualities(*manifests_, name, documents_, wishes_);
    if (const auto rungs = manifests_->lead(name, *rewritten, utc_now())) {
      std::vector<DataRate> bitrates;
      for (const Rung& rung : *rungs) bitrates.push_back(rung.bitrate);
      media_->files().lead(std::move(bitrates), wishes_.spend_for.rung(*rungs));
    }
  }
  return {.status = 200,
          .fields = {{"Content-Type", rewritten->content_type},
                     {"ETag", fmt::format("\"{:016x}\"", std::hash<std::string>{}(rewritten->text))}},
          .body = std::move(rewritten->text)};
}

}  // namespace tributary::proxy
