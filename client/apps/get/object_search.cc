#include "apps/get/object_search.hh"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "apps/get/exit_status.hh"
#include "transport/documents/document_fetch.hh"
#include "units/redacted_url.hh"

namespace tributary {

using transport::ObjectFetch;
using transport::ObjectHead;

/// Over one link.
class ObjectSearch::Inquiry {
 public:
  Inquiry(ObjectSearch& search, std::string link) : search_{search}, link_{std::move(link)} {
    if (search_.options_.ranges) {
      ask(first_byte_, ObjectFetch::Wanted::kFirstByte);
    } else {
      ask(whole_, ObjectFetch::Wanted::kWhole);
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
    if (brings()) (*bringing_ == ObjectFetch::Wanted::kWhole ? first_byte_ : whole_).reset();
    if (first_byte_ && is_first_byte_there()) return AttemptState::kThere;
    if (whole_ && is_whole_there()) return AttemptState::kThere;
    if (brings()) return AttemptState::kComes;
    return turnaround() ? AttemptState::kAsked : AttemptState::kConnecting;
  }

  const std::string& link() const { return link_; }
  /// Of the link, once a request is sent.
  std::optional<Duration> turnaround() const {
    return first_byte_ ? first_byte_->turnaround() : whole_ ? whole_->turnaround() : std::nullopt;
  }
  std::optional<Duration> until_deadline() const {
    if (!asked_ || !may_be_asked_for_whole()) return std::nullopt;
    return std::max<Duration>(*asked_ + kPatience - Clock::now(), Duration{});
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool brings() const { return search_.bringing_ == this; }
  bool may_be_asked_for_whole() const {
    return search_.options_.whole_as_well && first_byte_ && !first_byte_->answered() && !whole_ && !whole_failed_;
  }

  void ask(std::optional<ObjectFetch>& fetch, ObjectFetch::Wanted wanted) {
    fetch.emplace(
        search_.loop_, search_.options_.url, transport::LinkRules{.link = link_, .ca_file = search_.options_.ca_file},
        wanted,
        [this, wanted](const ObjectHead& head, std::span<const std::byte> bytes) { take(wanted, head, bytes); });
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

  bool is_first_byte_there() {
    try {
      if (const auto head = first_byte_->result()) {
        if (head->ranges) search_.options_.in_range = head;
        if (!head->ranges || can_be_put_together(*head)) return end_with(*head);
        ask_for_whole_instead();
        return false;
      }
    } catch (const transport::FetchError& error) {
      if (brings() || !may_be_for_the_range(error.reason)) throw;
      ask_for_whole_instead();
      return false;
    }
    if (!asked_ && turnaround()) asked_ = Clock::now();
    if (may_be_asked_for_whole() && asked_ && Clock::now() >= *asked_ + kPatience)
      ask(whole_, ObjectFetch::Wanted::kWhole);
    return false;
  }

  void ask_for_whole_instead() {
    first_byte_.reset();
    if (!whole_) ask(whole_, ObjectFetch::Wanted::kWhole);
  }

  bool is_whole_there() {
    try {
      const auto head = whole_->result();
      return head && end_with(*head);
    } catch (const transport::FetchError&) {
      if (!first_byte_) throw;  // else that is still waited for
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
    search_.found_ = {link_, head};
    return true;
  }

  ObjectSearch& search_;
  std::string link_;
  std::optional<ObjectFetch> first_byte_, whole_;  // as long as they are waited for
  std::optional<Clock::time_point> asked_;         // for the first byte
  std::optional<ObjectFetch::Wanted> bringing_;    // what brings the object, if this does
  bool whole_failed_ = false;
};

Attempt ObjectSearch::begin(const std::string& link) {
  return [inquiry = std::make_shared<Inquiry>(*this, link)] { return inquiry->advance(); };
}

std::optional<AskedLink> ObjectSearch::asked() const {
  if (bringing_ != nullptr) return std::nullopt;
  for (const Inquiry* inquiry : inquiries_) {
    if (const auto turnaround = inquiry->turnaround()) return AskedLink{inquiry->link(), *turnaround};
  }
  return std::nullopt;
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
