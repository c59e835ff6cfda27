#include "playback/stream_opening.hh"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "playback/stream_error.hh"
#include "transport/connections/address_lookup.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

// Before the address is known, no monitor tells when a link or its name servers come. So we look again.
constexpr Duration kLookAgain = 500ms;

}  // namespace

StreamOpening::StreamOpening(const std::string& url, const Stream::Options& options, CommandQueue& commands,
                             LinkUses& uses, StatusBoard& board, SessionToCome session)
    : url_{url}, options_{options}, commands_{commands}, uses_{uses}, board_{board}, session_{std::move(session)} {}

FoundPresentation StreamOpening::find() {
  PresentationSearch search{url_, options_.links, session_.rules};
  search.session.emplace(session_);
  search.by_parts = options_.session.mode != StreamingMode::kLiveUnbuffered && options_.latency != Duration{};
  search.use = free_links_first([this](const std::string& link) { return uses_.of(link); }, terms_from(options_.terms));
  search.resolve = [this](const transport::Origin& origin) { return resolve(origin); };
  search.wait = [this](transport::CurlLoop& loop, std::optional<Duration> at_most) { wait(loop, at_most); };
  search.tell = [this](const std::string& what_for) { show_waiting(what_for); };
  try {
    return wait_until_found(search);
  } catch (const NoLinkWorked& error) {
    throw StreamError{not_fetched(url_, error)};
  } catch (const UnreadableManifest& error) {
    throw StreamError{bad_index(error.url, error)};
  } catch (const transport::LookupError& error) {
    throw StreamError{no_address(url_, error)};
  } catch (const transport::UrlError& error) {
    throw StreamError{bad_url(url_, error)};
  }
}

FoundPresentation StreamOpening::wait_until_found(const PresentationSearch& search) {
  const auto give_up = std::chrono::steady_clock::now() + options_.session.give_up_after;
  while (true) {
    try {
      FoundPresentation found = find_presentation(search);
      show_waiting("");
      return found;
    } catch (const NoLinkWorked& error) {
      if (error.tried || std::chrono::steady_clock::now() >= give_up) throw;
      show_waiting(error.what());
    } catch (const transport::LookupError& error) {
      if (!error.temporary || std::chrono::steady_clock::now() >= give_up) throw;
      show_waiting(error.what());
    }
    wait(session_.loop, kLookAgain);
  }
}

std::vector<std::string> StreamOpening::resolve(const transport::Origin& origin) {
  const transport::AddressLookup lookup{origin, session_.rules};
  while (true) {
    if (auto addresses = lookup.result()) return *std::move(addresses);
    wait(session_.loop, std::nullopt, lookup.file_descriptor());
  }
}

/// Waits for the loop, a command or the descriptor.
void StreamOpening::wait(transport::CurlLoop& loop, std::optional<Duration> timeout, int fd) {
  std::array<transport::CurlLoop::ExtraFd, 2> extra{{{commands_.file_descriptor()}, {fd}}};
  loop.wait(timeout, extra);
  for (Command& command : commands_.take()) {
    if (std::holds_alternative<command::Close>(command)) throw StreamClosed{};
    if (const auto* use = std::get_if<command::UseLink>(&command)) uses_.set(use->name, use->use);
    for_the_session_.push_back(std::move(command));
  }
}

void StreamOpening::show_waiting(const std::string& what_for) {
  StreamStatus status;
  status.waiting_for = what_for;
  board_.put_up(std::move(status));
}

}  // namespace tributary
