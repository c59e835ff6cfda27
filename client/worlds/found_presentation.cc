#include "worlds/found_presentation.hh"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "manifests/manifest.hh"
#include "transport/connections/address_guard.hh"
#include "transport/connections/address_lookup.hh"
#include "transport/connections/origin_addresses.hh"
#include "transport/link_transport.hh"
#include "units/text/data_address.hh"
#include "units/text/redacted_url.hh"
#include "worlds/channel_search.hh"
#include "worlds/discovery/batch_fetch.hh"
#include "worlds/search_over_links.hh"

namespace tributary {

PresentationSearch::PresentationSearch(std::string index_url, std::vector<std::string> only, transport::LinkRules how)
    : url{std::move(index_url)},
      links{std::move(only)},
      rules{std::move(how)},
      resolve{[by = rules](const transport::Origin& origin) { return transport::resolve(origin, by); }},
      wait{[](transport::CurlLoop& loop, std::optional<Duration> at_most) { loop.wait(at_most); }},
      tell{[](const std::string& /*what_for*/) {}} {}

namespace {

constexpr DataSize kLargestBeside{17'000'000};  // playlists, keys, indexes of segments: several come at once
constexpr Duration kWaitsForFirstSegment = std::chrono::seconds{60}, kLookForFirstSegment = std::chrono::seconds{1};
constexpr std::size_t kMostAtOnce = 16;  // files, each on a connection of its own

/// Fetches that go over one link.
BatchFetch::Begin fetches(transport::CurlLoop& loop, const transport::LinkRules& rules) {
  return [&loop, rules](const WantedFile& file, const GoesOn& goes_on) {
    return std::make_unique<transport::DocumentFetch>(
        loop, file.url, rules,
        transport::FetchLimits{.size = goes_on ? transport::FetchLimits{}.size : kLargestBeside,
                               .time = file.at_most.value_or(transport::FetchLimits{}.time),
                               .range = file.range,
                               .goes_on = goes_on});
  };
}

/// Fetches all of these, which have one origin, over the first link that can. Throws NoLinkWorked.
std::vector<DatedDocument> fetch_over_first_link(const PresentationSearch& search,
                                                 const std::vector<std::string>& addresses,
                                                 std::span<const WantedFile> wanted) {
  std::vector<DatedDocument> documents;
  over_links(search, addresses, wanted.front().url, wanted.size() > 1, [&](auto& loop, const auto& rules) -> Attempt {
    const auto batch = std::make_shared<BatchFetch>(wanted, fetches(loop, rules));
    return [&documents, batch] {
      const AttemptState state = batch->advance();
      if (state == AttemptState::kThere) documents = batch->take();
      return state;
    };
  });
  return documents;
}

/// A resolver without an answer keeps nobody waiting for longer than that. Throws std::runtime_error.
std::vector<std::string> resolve_within(const PresentationSearch& search, const transport::Origin& origin,
                                        Duration at_most) {
  constexpr Duration kLookAgain = std::chrono::milliseconds{20};
  const transport::AddressLookup lookup{origin, search.rules};
  transport::CurlLoop loop;
  for (Duration waited{}; waited < at_most; waited += kLookAgain) {
    if (auto addresses = lookup.result()) return *std::move(addresses);
    search.wait(loop, kLookAgain);
  }
  throw std::runtime_error{fmt::format("no address for {} in {:.0f} s", origin.host, to_seconds(at_most))};
}

/// Fetches files that have one origin.
std::vector<FetchedFile> fetch_batch(const PresentationSearch& search, std::span<const WantedFile> batch) {
  const transport::Origin origin = transport::parse_url(batch.front().url).origin;
  const std::vector<std::string> addresses =
      batch.front().at_most ? resolve_within(search, origin, *batch.front().at_most) : search.resolve(origin);
  std::vector<FetchedFile> files;
  for (DatedDocument& document : fetch_over_first_link(search, addresses, batch))
    files.push_back({.url = document.url,
                     .bytes = std::move(document.text),
                     .date = document.date,
                     .sent = document.sent,
                     .received = document.received,
                     .failure = std::move(document.failure)});
  return files;
}

/// The file, from the first of its addresses that gives it.
FetchedFile fetch_anywhere(const PresentationSearch& search, WantedFile file) {
  while (true) {
    try {
      return std::move(fetch_batch(search, {&file, 1}).front());
    } catch (const std::runtime_error&) {
      if (file.also_at.empty()) throw;
    }
    file.url = file.also_at.front();
    file.also_at.erase(file.also_at.begin());
  }
}

/// The file that its address holds.
FetchedFile file_within(const WantedFile& wanted) {
  auto bytes = data_of(wanted.url, wanted.range);
  if (!bytes) throw std::runtime_error{fmt::format("{} cannot be read", redacted(wanted.url))};
  return {.url = wanted.url, .bytes = *std::move(bytes)};
}

/// The same, where the file could not be had together with others: the fault may have been that of a connection.
FetchedFile fetch_alone(const PresentationSearch& search, const WantedFile& file) {
  try {
    return fetch_anywhere(search, file);
  } catch (const std::runtime_error& error) {
    if (!file.may_fail) throw;
    return {.url = file.url, .failure = error.what()};
  }
}

}  // namespace

std::vector<FetchedFile> fetch_files(const PresentationSearch& search, std::span<const WantedFile> wanted) {
  std::vector<FetchedFile> files;
  while (!wanted.empty()) {
    if (is_data_address(wanted.front().url)) {
      files.push_back(file_within(wanted.front()));
      wanted = wanted.subspan(1);
      continue;
    }
    const transport::Origin origin = transport::parse_url(wanted.front().url).origin;
    const auto other = std::ranges::find_if(wanted, [&](const WantedFile& file) {
      return is_data_address(file.url) || transport::parse_url(file.url).origin != origin;
    });
    const auto of_origin = static_cast<std::size_t>(other - wanted.begin());
    const auto batch = wanted.first(std::min(of_origin, kMostAtOnce));
    try {
      std::vector<FetchedFile> fetched = fetch_batch(search, batch);
      for (std::size_t i = 0; i < fetched.size(); ++i)
        files.push_back(fetched[i].failure.empty() ? std::move(fetched[i]) : fetch_alone(search, batch[i]));
    } catch (const std::runtime_error& error) {
      if (std::ranges::all_of(batch, [](const WantedFile& file) { return file.also_at.empty() && !file.may_fail; }))
        throw;
      for (const WantedFile& file : batch)
        files.push_back(file.also_at.empty() && file.may_fail ? FetchedFile{.url = file.url, .failure = error.what()}
                                                              : fetch_alone(search, file));
    }
    wanted = wanted.subspan(batch.size());
  }
  return files;
}

FoundManifest find_document(PresentationSearch& search) {
  if (!search.rules.guard) search.rules.guard = std::make_shared<transport::AddressGuard>(search.url);
  if (search.session) search.session->rules.guard = search.rules.guard;
  const transport::Origin origin = transport::parse_url(search.url).origin;
  std::vector<std::string> addresses = search.resolve(origin);
  if (search.session &&
      (!search.session->rules.preconnections || search.session->rules.preconnections->origin() != origin))
    search.session->rules.preconnections =
        std::make_shared<transport::Preconnections>(search.session->loop, origin, addresses);
  std::optional<FoundDocument> found;
  std::optional<NoManifestThere> instead;
  try {
    over_links(search, addresses, search.url, false, [&](auto& loop, const auto& rules) -> Attempt {
      const auto begin_guarded = [&guard = *search.rules.guard, begin = fetches(loop, rules)](const WantedFile& file,
                                                                                              const GoesOn& goes_on) {
        guard.has_manifest_at(file.url);
        return begin(file, goes_on);
      };
      const auto lookup = std::make_shared<ManifestLookup>(search.url, begin_guarded);
      return [&, lookup] {
        try {
          const AttemptState state = lookup->advance();
          if (state == AttemptState::kThere) found = lookup->take();
          return state;
        } catch (const NoManifestThere& none) {
          instead = none;
          throw;
        }
      };
    });
  } catch (const NoLinkWorked&) {
    if (!instead) throw;
    if (instead->media) throw MediaFound{instead->url, instead->why, search.url, instead->content_type};
    throw NoManifestFound{instead->url, instead->why, search.url};
  }
  return {*std::move(found), origin, std::move(addresses)};
}

namespace {

/// Throws NothingPublishedYet, and what find_presentation throws.
FoundPresentation find_once(PresentationSearch& search) {
  FoundManifest manifest = find_manifest(search);
  search.rules.guard->has_manifest_at(manifest.document.url);
  const DatedDocument& document = manifest.document;
  FoundPresentation found;
  found.location = transport::parse_url(document.url);
  found.addresses =
      found.location.origin == manifest.origin ? std::move(manifest.addresses) : search.resolve(found.location.origin);
  found.guard = search.rules.guard;
  found.waited = document.waited;
  ManifestMoment moment{.now = document.received, .sent = document.sent, .by_parts = search.by_parts};
  if (document.date)
    moment.origin.add(document.date->time_since_epoch(), document.sent.time_since_epoch(),
                      document.received.time_since_epoch());
  try {
    Opened opened = open_manifest(
        document.text, document.url, [&](std::span<const WantedFile> wanted) { return fetch_files(search, wanted); },
        moment);
    found.presentation = std::move(opened.presentation);
    found.left_out = std::move(opened.left_out);
    found.alternatives = std::move(opened.alternatives);
    found.live = std::move(opened.live);
  } catch (const NothingPublishedYet&) {
    throw;
  } catch (const ManifestError& error) {
    throw UnreadableManifest{document.url, error.what()};
  }
  if (search.session && search.session->rules.preconnections->origin() == found.location.origin)
    found.preconnections = std::move(search.session->rules.preconnections);
  return found;
}

void pause(const PresentationSearch& search, Duration length) {
  std::optional<transport::CurlLoop> own_loop;
  transport::CurlLoop& loop = search.session ? search.session->loop : own_loop.emplace();
  const auto end = std::chrono::steady_clock::now() + length;
  for (auto now = end - length; now < end; now = std::chrono::steady_clock::now()) search.wait(loop, end - now);
}

}  // namespace

FoundPresentation find_presentation(PresentationSearch search) {
  if (!search.rules.kept) search.rules.kept = std::make_shared<transport::KeptConnections>();
  const auto give_up = std::chrono::steady_clock::now() + kWaitsForFirstSegment;
  for (bool told = false;;) {
    try {
      return find_once(search);
    } catch (const NothingPublishedYet& error) {
      if (std::chrono::steady_clock::now() >= give_up) throw UnreadableManifest{search.url, error.what()};
      if (!std::exchange(told, true)) search.tell(fmt::format("waiting for the first segment: {}", error.what()));
    }
    pause(search, kLookForFirstSegment);
  }
}

NetworkWorld::Connections connections_to(const FoundPresentation& found, transport::CurlLoop& loop,
                                         const transport::LinkRules& rules) {
  transport::OriginPace pace;
  pace.went_on_after(found.waited);
  return {[&found, &loop, rules, pace, versions = transport::FileVersions{}](const std::string& link) {
            transport::LinkRules over_it = rules.over(link);
            over_it.preconnections = found.preconnections;
            if (found.guard) over_it.guard = found.guard;
            return transport::make_following_transport(loop, found.location.origin, found.addresses, over_it,
                                                       {.versions = versions, .pace = pace}, found.alternatives);
          },
          [&](const std::string& uri) {
            if (is_data_address(uri)) return uri;
            const transport::FileLocation file = transport::resolve_uri(found.location, uri);
            return file.origin == found.location.origin ? file.target : file.url();
          }};
}

}  // namespace tributary
