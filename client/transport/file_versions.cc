#include "transport/file_versions.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tributary::transport {
namespace {

std::string place(const std::string& link) { return link.empty() ? "before" : "over " + link; }

bool same_size(const FileVersion& a, const FileVersion& b) { return !a.size || !b.size || *a.size == *b.size; }

bool made_from_the_same_file(const FileVersion& a, const FileVersion& b) {
  return a.size && b.size && *a.size == *b.size && !a.last_modified.empty() && a.last_modified == b.last_modified;
}

}  // namespace

bool is_strong(std::string_view etag) { return !etag.empty() && !etag.starts_with("W/"); }

FileVersions FileVersions::over(std::string link) const {
  FileVersions versions{*this};
  versions.link_ = std::move(link);
  return versions;
}

std::vector<FileVersions::Answer>& FileVersions::answers_for(const std::string& target) {
  const auto [found, is_new] = seen_->answers.try_emplace(target);
  std::vector<Answer>& answers = found->second;
  if (is_new) seen_->order.push_back(target);
  if (seen_->order.size() > kTargets) {
    seen_->answers.erase(seen_->order.front());
    seen_->order.pop_front();
  }
  return answers;
}

std::optional<std::string> FileVersions::contradiction(const std::string& target, const FileVersion& version) {
  std::vector<Answer>& answers = answers_for(target);
  const auto other = std::ranges::find_if(answers, [&](const Answer& a) { return !same_size(a.version, version); });
  if (other != answers.end())
    return fmt::format("the file has {} bytes, {} it had {}", version.size->bytes(), place(other->link),
                       other->version.size->bytes());

  const auto tagged = [](const Answer& a) { return is_strong(a.version.etag); };
  const auto here = std::ranges::find(answers, link_, &Answer::link);
  const auto first = std::ranges::find_if(answers, tagged);
  const bool known = std::ranges::any_of(answers, [&](const Answer& a) { return a.version.etag == version.etag; });
  if (is_strong(version.etag) && !known && first != answers.end()) {
    const auto& against = here != answers.end() && tagged(*here) ? *here : *first;
    if (against.link == link_ || !made_from_the_same_file(against.version, version))
      return fmt::format("another ETag: {}, {} it was {}", version.etag, place(against.link), against.version.etag);
  }
  if (here == answers.end()) {
    answers.push_back({link_, version});
  } else if (!tagged(*here)) {
    here->version = version;
  }
  return std::nullopt;
}

void FileVersions::begin_anew(const std::string& target, const FileVersion& version) {
  answers_for(target) = {{link_, version}};
}

}  // namespace tributary::transport
