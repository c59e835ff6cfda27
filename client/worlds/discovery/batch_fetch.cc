#include "worlds/discovery/batch_fetch.hh"
#include "system/utc_now.hh"

#include <algorithm>
#include <utility>

namespace tributary {
namespace {}  // namespace

BatchFetch::BatchFetch(std::span<const WantedFile> wanted, Begin begin, GoesOn goes_on)
    : begin_{std::move(begin)}, goes_on_{std::move(goes_on)} {
  for (const WantedFile& file : wanted) files_.push_back({.wanted = &file});
  for (File& file : files_) this->begin(file);
}

AttemptState BatchFetch::advance() {
  bool asked = false;
  for (File& file : files_) {
    asked = asked || file.document || (file.fetch && file.fetch->asked());
    if (file.fetch) look_at(file);
  }
  if (std::ranges::all_of(files_, [](const File& file) { return file.document.has_value(); }))
    return AttemptState::kThere;
  if (waits_in_vain()) {
    one_by_one_ = true;
    for (File& file : files_) file.fetch.reset();
  }
  if (one_by_one_) begin_next();
  return asked ? AttemptState::kAsked : AttemptState::kConnecting;
}

void BatchFetch::look_at(File& file) {
  try {
    auto document = file.fetch->result();
    if (!document) return;
    file.document = DatedDocument{*std::move(document), file.sent, utc_now()};
    last_answer_ = Clock::now();
  } catch (const transport::FetchError& error) {
    if (!file.wanted->may_fail || is_last_hope(file)) throw;
    file.document.emplace().failure = error.what();
  }
  file.fetch.reset();
}

/// All others have failed.
bool BatchFetch::is_last_hope(const File& file) const {
  return std::ranges::all_of(files_, [&](const File& other) {
    return &other == &file || (other.document && !other.document->failure.empty());
  });
}

std::vector<DatedDocument> BatchFetch::take() {
  std::vector<DatedDocument> documents;
  for (File& file : files_) documents.push_back(*std::exchange(file.document, std::nullopt));
  return documents;
}

void BatchFetch::begin(File& file) {
  file.sent = utc_now();
  file.fetch = begin_(*file.wanted, goes_on_);
}

void BatchFetch::begin_next() {
  if (std::ranges::any_of(files_, [](const File& file) { return file.fetch != nullptr; })) return;
  const auto next = std::ranges::find_if(files_, [](const File& file) { return !file.document; });
  if (next != files_.end()) begin(*next);
}

bool BatchFetch::waits_in_vain() const {
  if (one_by_one_ || !last_answer_) return false;
  if (std::ranges::any_of(files_, [](const File& file) { return file.fetch && file.fetch->answered(); })) return false;
  return Clock::now() - *last_answer_ >= std::max<Duration>(kPatience, 2 * (*last_answer_ - began_));
}

}  // namespace tributary
