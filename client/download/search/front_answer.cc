#include "download/search/front_answer.hh"

namespace tributary {

using transport::ObjectFetch;
using transport::ObjectHead;

FrontAnswer::FrontAnswer(transport::CurlLoop& loop, const std::string& url, const transport::LinkRules& rules,
                         Question question, TakeWhole take)
    : question_{question},
      take_{std::move(take)},
      fetch_{loop,
             url,
             rules,
             question.wanted,
             [this](const ObjectHead& head, std::span<const std::byte> bytes) { receive(head, bytes); },
             question.from} {}

void FrontAnswer::receive(const ObjectHead& head, std::span<const std::byte> bytes) {
  if (head.ranges) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    paused_ = size_of(bytes_) >= kMostWaiting;
    if (paused_) fetch_.pause();
  } else {
    take_(head, bytes);
  }
}

std::vector<std::byte> FrontAnswer::take() {
  std::vector<std::byte> next;
  next.reserve(bytes_.capacity());  // as many are likely to come until the next call
  auto taken = std::exchange(bytes_, std::move(next));
  if (std::exchange(paused_, false)) fetch_.resume();
  return taken;
}

std::optional<ObjectHead> FrontAnswer::head() {
  if (question_.wanted == ObjectFetch::Wanted::kRest) {
    auto head = fetch_.head();
    if (!head || head->ranges) return head;
  }
  return fetch_.result();
}

bool FrontAnswer::ended() {
  try {
    ended_ = ended_ || fetch_.result().has_value();  // which is told once
  } catch (const transport::FetchError&) {
    ended_ = true;
  }
  return ended_;
}

}  // namespace tributary
