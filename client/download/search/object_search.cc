#include "download/search/object_search.hh"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "download/report/exit_status.hh"
#include "transport/documents/document_fetch.hh"
#include "transport/documents/size_search.hh"
#include "units/text/redacted_url.hh"

namespace tributary {

using transport::ObjectFetch;
using transport::ObjectHead;

/// Over one link.
class ObjectSearch::Inquiry {
 public:
  Inquiry(ObjectSearch& search, std::string link) : search_{search}, link_{std::move(link)} {
    const auto& options = search_.options_;
    if (!options.ranges) {
      ask_for_whole();
    } else if (!options.from || options.spares(link_)) {
      ask_first({ObjectFetch::Wanted::kFirstByte});
    } else {
      ask_first({ObjectFetch::Wanted::kRest, *options.from});
    }
    search_.inquiries_.push_back(this);
  }
  ~Inquiry() {
    std::erase(search_.inquiries_, this);
    if (search_.bringing_ == this) search_.bringing_ = nullptr;
  }
  Inquiry(const Inquiry&) = delete;
  Inquiry& operator=(const Inquiry&) = delete;

  AttemptState advance() {
    if (search_.bringing_ != nullptr && search_.bringing_ != this) return AttemptState::kAsked;
    if (brings() && bringing_ == ObjectFetch::Wanted::kWhole) first_.reset();
    if (brings() && bringing_ != ObjectFetch::Wanted::kWhole) whole_.reset();
    if (first_ && is_first_there()) return AttemptState::kThere;
    if (whole_ && is_whole_there()) return AttemptState::kThere;
    if (brings()) return AttemptState::kComes;
    return is_asked() ? AttemptState::kAsked : AttemptState::kConnecting;
  }

  std::optional<Duration> until_deadline() const {
    if (!asked_ || !may_be_asked_for_whole()) return std::nullopt;
    return std::max<Duration>(*asked_ + kPatience - Clock::now(), Duration{});
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool brings() const { return search_.bringing_ == this; }
  bool may_be_asked_for_whole() const {
    return search_.options_.whole_as_well && first_ && !first_->answered() && !whole_ && !whole_failed_;
  }
  /// A request is sent.
  bool is_asked() const {
    return first_ ? first_->turnaround().has_value() : whole_ && whole_->turnaround().has_value();
  }

  void ask_first(FrontAnswer::Question question) {
    first_ = std::make_unique<FrontAnswer>(search_.loop_, search_.options_.url, rules(), question,
                                           take_by(ObjectFetch::Wanted::kRest));
  }
  void ask_for_whole() {
    constexpr auto kWhole = ObjectFetch::Wanted::kWhole;
    whole_.emplace(search_.loop_, search_.options_.url, rules(), kWhole, take_by(kWhole));
  }
  transport::LinkRules rules() const { return search_.options_.rules.over(link_); }
  ObjectFetch::TakeBody take_by(ObjectFetch::Wanted wanted) {
    return [this, wanted](const ObjectHead& head, std::span<const std::byte> bytes) { take(wanted, head, bytes); };
  }

  void take(ObjectFetch::Wanted by, const ObjectHead& head, std::span<const std::byte> bytes) {
    if (search_.bringing_ == nullptr) {
      search_.bringing_ = this;
      bringing_ = by;
      search_.plain_.begin(link_);
    }
    if (!brings() || bringing_ != by)
      throw transport::FetchError{FailureReason::kAbandoned, "another answer brings the object"};
    search_.plain_.take(head, bytes);
  }

  bool is_first_there() {
    if (end_) return is_end_there();
    try {
      if (const auto head = first_->head()) {
        if (head->ranges && !head->size) {
          of_unknown_size_ = head;
          end_.emplace(search_.loop_, search_.options_.url, rules(), head->brings);
          return is_end_there();
        }
        return end_with_ranges(*head);
      }
    } catch (const transport::FetchError& error) {
      if (brings() || !may_be_for_the_range(error.reason)) throw;
      ask_otherwise(error);
      return false;
    }
    if (!asked_ && is_asked()) asked_ = Clock::now();
    if (may_be_asked_for_whole() && asked_ && Clock::now() >= *asked_ + kPatience) ask_for_whole();
    return false;
  }

  bool end_with_ranges(const ObjectHead& head) {
    if (head.ranges) search_.options_.in_range = head;
    if (!head.ranges || can_be_put_together(head)) return end_with(head);
    ask_for_whole_instead();
    return false;
  }

  /// The first answer did not say where the object ends; others tell.
  bool is_end_there() {
    const auto state = end_->advance();
    if (state == transport::SizeSearch::State::kAsks) return false;
    of_unknown_size_->size = end_->size();
    end_.reset();
    if (of_unknown_size_->size) return end_with_ranges(*of_unknown_size_);
    ask_for_whole_instead();
    return false;
  }

  /// Some servers refuse a range that is too large for them. Where the rest of what was left behind is refused, the object
  /// may be another one, which has no such rest.
  void ask_otherwise(const transport::FetchError& error) {
    const FrontAnswer::Question refused = first_->question();
    const bool may_be_too_large = transport::may_be_too_large(error);
    if (refused.wanted == ObjectFetch::Wanted::kRest && (refused.from > DataSize{} || may_be_too_large)) {
      too_large_ = may_be_too_large;
      return ask_first({ObjectFetch::Wanted::kFirstByte});
    }
    ask_for_whole_instead();
  }
  void ask_for_whole_instead() {
    first_.reset();
    end_.reset();
    if (!whole_) ask_for_whole();
  }

  bool is_whole_there() {
    try {
      const auto head = whole_->result();
      return head && end_with(*head);
    } catch (const transport::FetchError&) {
      if (!first_) throw;  // else that is still waited for
      whole_.reset();
      whole_failed_ = true;
      return false;
    }
  }

  bool end_with(const ObjectHead& head) {
    if (!brings()) search_.plain_.begin(link_);  // without a byte, or what a failed attempt has left there
    const auto& in_range = search_.options_.in_range;
    const DataSize received = search_.plain_.received();
    if (!head.ranges && in_range && falls_short(received, head, *in_range)) {
      throw transport::FetchError{
          FailureReason::kClosedMidBody,
          fmt::format("fetch {} over {}: {} bytes came in one answer, and one in a range said that there are {}",
                      redacted(search_.options_.url), link_, received.bytes(), in_range->size->bytes())};
    }
    search_.found_.emplace(Found{.link = link_, .head = head, .refuses_large_ranges = head.ranges && too_large_});
    if (head.ranges && first_->question().wanted == ObjectFetch::Wanted::kRest)
      search_.found_->front = std::move(first_);
    return true;
  }

  ObjectSearch& search_;
  std::string link_;
  std::unique_ptr<FrontAnswer> first_;           // as long as it is waited for
  std::optional<ObjectHead> of_unknown_size_;    // by the first answer
  std::optional<transport::SizeSearch> end_;     // of that object
  bool too_large_ = false;                       // the range that was asked for first
  std::optional<ObjectFetch> whole_;             // as long as it is waited for
  std::optional<Clock::time_point> asked_;       // the first question
  std::optional<ObjectFetch::Wanted> bringing_;  // what brings the object whole, if this does
  bool whole_failed_ = false;
};

Attempt ObjectSearch::begin(const std::string& link) {
  return [inquiry = std::make_shared<Inquiry>(*this, link)] { return inquiry->advance(); };
}

std::optional<Duration> ObjectSearch::until_deadline() const {
  std::optional<Duration> first;
  for (const Inquiry* inquiry : inquiries_) {
    const auto deadline = inquiry->until_deadline();
    if (deadline && (!first || *deadline < *first)) first = deadline;
  }
  return first;
}

}  // namespace tributary
