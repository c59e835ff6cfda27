#include "worlds/file_look.hh"

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "transport/documents/object_fetch.hh"
#include "transport/documents/size_search.hh"
#include "worlds/search_over_links.hh"

namespace tributary {
namespace {

using transport::ObjectFetch;
using transport::SizeSearch;

/// Over one link. Of each answer only the head is read.
class Inquiry {
 public:
  Inquiry(transport::CurlLoop& loop, std::string url, transport::LinkRules rules)
      : loop_{loop}, url_{std::move(url)}, rules_{std::move(rules)} {
    ask(ObjectFetch::Wanted::kRest);
  }

  AttemptState advance() {
    if (!search_ && !take_head()) return question_->turnaround() ? AttemptState::kAsked : AttemptState::kConnecting;
    if (!search_) return AttemptState::kThere;
    if (search_->advance() == SizeSearch::State::kAsks) return AttemptState::kAsked;
    look_.size = search_->size();
    return AttemptState::kThere;
  }
  const FileLook& look() const { return look_; }

 private:
  void ask(ObjectFetch::Wanted wanted) {
    question_.emplace(loop_, url_, rules_, wanted, [](const transport::ObjectHead&, std::span<const std::byte>) {});
  }

  /// False: it is still waited for. If a range up to the end is refused, a single byte may not be.
  bool take_head() {
    try {
      const auto head = question_->head();
      if (!head) return false;
      if (head->ranges) look_.size = head->size;
      if (head->ranges && !head->size) search_.emplace(loop_, url_, rules_, head->brings);
      return true;
    } catch (const transport::FetchError& error) {
      if (look_.refuses_large_ranges || !transport::may_be_too_large(error)) throw;
    }
    look_.refuses_large_ranges = true;
    ask(ObjectFetch::Wanted::kFirstByte);
    return false;
  }

  transport::CurlLoop& loop_;
  std::string url_;
  transport::LinkRules rules_;
  std::optional<ObjectFetch> question_;
  std::optional<SizeSearch> search_;  // where the answer told no size
  FileLook look_;
};

}  // namespace

FileLook look_at_file(const PresentationSearch& search) {
  FileLook look;
  const auto addresses = search.resolve(transport::parse_url(search.url).origin);
  over_links(search, addresses, search.url, false, [&](auto& loop, const auto& rules) -> Attempt {
    const auto inquiry = std::make_shared<Inquiry>(loop, search.url, rules);
    return [&look, inquiry] {
      const AttemptState state = inquiry->advance();
      if (state == AttemptState::kThere) look = inquiry->look();
      return state;
    };
  });
  return look;
}

}  // namespace tributary
