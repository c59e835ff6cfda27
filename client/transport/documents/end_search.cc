#include "transport/documents/end_search.hh"

#include <algorithm>

namespace tributary::transport {
namespace {

constexpr int kMostQuestions = 60;  // doubling and halving take fewer, unless the object grows
constexpr DataSize kFarthest{std::int64_t{1} << 42};

}  // namespace

std::optional<DataSize> EndSearch::next() const {
  if (size() || asked_ >= kMostQuestions || known_ > kFarthest) return std::nullopt;
  if (may_be_end_) return known_;
  return beyond_ ? DataSize{(known_.bytes() + beyond_->bytes()) / 2} : known_ + known_;
}

void EndSearch::brought(ByteRange range) {
  ++asked_;
  known_ = range.end;
  may_be_end_ = range.size() < longest_;
  longest_ = std::max(longest_, range.size());
  if (beyond_ && known_ > *beyond_) beyond_.reset();  // it has grown
}

void EndSearch::nothing_is_there() {
  beyond_ = next();
  may_be_end_ = false;
  ++asked_;
}

std::optional<DataSize> EndSearch::size() const { return beyond_ == known_ ? beyond_ : std::nullopt; }

}  // namespace tributary::transport
