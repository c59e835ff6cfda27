#include "transport/documents/size_search.hh"

#include <span>
#include <utility>

namespace tributary::transport {

SizeSearch::SizeSearch(CurlLoop& loop, std::string url, LinkRules rules, ByteRange known)
    : loop_{loop}, url_{std::move(url)}, rules_{std::move(rules)}, end_{known}, state_{ask_next()} {}

SizeSearch::State SizeSearch::ask_next() {
  question_.reset();
  if (end_.size()) return State::kKnown;
  const auto from = end_.next();
  if (!from) return State::kInVain;
  question_.emplace(
      loop_, url_, rules_, ObjectFetch::Wanted::kRest, [](const ObjectHead&, std::span<const std::byte>) {}, *from);
  return State::kAsks;
}

SizeSearch::State SizeSearch::advance() {
  if (state_ != State::kAsks) return state_;
  try {
    const auto head = question_->head();
    if (!head) return state_;
    if (!head->ranges) return state_ = State::kInVain;
    end_.brought(head->brings);
  } catch (const FetchError& error) {
    if (error.reason != FailureReason::kNoSuchRange) return state_ = State::kInVain;
    end_.nothing_is_there();
  }
  return state_ = ask_next();
}

}  // namespace tributary::transport
