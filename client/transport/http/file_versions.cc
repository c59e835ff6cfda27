#include "transport/http/file_versions.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "transport/http/response_check.hh"

namespace tributary::transport {
namespace {

std::string place(const std::string& link) { return link.empty() ? "before" : "over " + link; }

bool same_size(const FileVersion& a, const FileVersion& b) { return !a.size || !b.size || *a.size == *b.size; }

bool made_from_the_same_file(const FileVersion& a, const FileVersion& b) {
  return a.size && b.size && *a.size == *b.size && !a.last_modified.empty() && a.last_modified == b.last_modified;
}

bool same_strong_tag(const FileVersion& a, const FileVersion& b) { return is_strong(a.etag) && a.etag == b.etag; }

/// Whether the tag can be written into a field (RFC 9110 section 8.8.3).
bool is_well_formed(std::string_view strong_etag) {
  return strong_etag.size() > 2 && strong_etag.starts_with('"') && strong_etag.ends_with('"') &&
         std::ranges::all_of(strong_etag, [](unsigned char c) { return c > ' ' && c < 0x7f; });
}

}  // namespace

bool is_strong(std::string_view etag) { return !etag.empty() && !etag.starts_with("W/"); }

bool are_other_tags(std::string_view a, std::string_view b) {
  const auto opaque = [](std::string_view etag) { return etag.starts_with("W/") ? etag.substr(2) : etag; };
  return !a.empty() && !b.empty() && opaque(a) != opaque(b);
}

FileVersion version_of(const ResponseHead& head) {
  return {head.etag, head.last_modified, stated_size(head), has_coding(head) ? head.content_encoding : ""};
}

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

std::optional<std::string> FileVersions::difference(const FileVersion& now, const Answer& then) const {
  const FileVersion& was = then.version;
  const auto other = [&](std::string_view what, std::string_view is, std::string_view before) {
    return fmt::format("another {}: {}, {} it was {}", what, is, place(then.link), before);
  };
  if (!same_size(now, was)) {
    return fmt::format("the file has {} bytes, {} it had {}", now.size->bytes(), place(then.link), was.size->bytes());
  }
  if (now.coding != was.coding) {
    const auto name = [](const std::string& coding) { return coding.empty() ? std::string_view{"none"} : coding; };
    return other("Content-Encoding", name(now.coding), name(was.coding));
  }
  if (same_strong_tag(now, was)) return std::nullopt;
  if (are_other_tags(now.etag, was.etag) && (then.link == link_ || !made_from_the_same_file(now, was)))
    return other("ETag", now.etag, was.etag);
  if (!now.last_modified.empty() && !was.last_modified.empty() && now.last_modified != was.last_modified)
    return other("Last-Modified", now.last_modified, was.last_modified);
  return std::nullopt;
}

std::optional<std::string> FileVersions::contradiction(const std::string& target, const FileVersion& version) {
  std::vector<Answer>& answers = answers_for(target);
  const auto known = [&](const Answer& a) {
    return a.version == version || (same_strong_tag(a.version, version) && !difference(version, a));
  };
  const auto here = std::ranges::find(answers, link_, &Answer::link);
  if (std::ranges::none_of(answers, known)) {
    if (here != answers.end()) {
      if (auto other = difference(version, *here)) return other;
    }
    for (const Answer& answer : answers) {
      if (auto other = difference(version, answer)) return other;
    }
  }
  if (here == answers.end()) {
    answers.push_back({link_, version});
  } else {
    FileVersion& kept = here->version;
    if (kept.etag.empty() || (!is_strong(kept.etag) && is_strong(version.etag))) kept.etag = version.etag;
    if (kept.last_modified.empty()) kept.last_modified = version.last_modified;
    if (!kept.size) kept.size = version.size;
  }
  return std::nullopt;
}

std::string FileVersions::strong_tag(const std::string& target) const {
  const auto answers = seen_->answers.find(target);
  if (answers == seen_->answers.end()) return "";
  const auto here = std::ranges::find(answers->second, link_, &Answer::link);
  return here != answers->second.end() && is_well_formed(here->version.etag) ? here->version.etag : "";
}

void FileVersions::begin_anew(const std::string& target, const FileVersion& version) {
  answers_for(target) = {{link_, version}};
}

}  // namespace tributary::transport
