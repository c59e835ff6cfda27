#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/rewriting/announcements.hh"
#include "proxy/rewriting/local_names.hh"

namespace tributary::proxy {

/// What differs between representations that share a template.
struct TemplateValues {
  std::string id;
  std::optional<std::int64_t> bandwidth{};  // nothing: it states none
};

/// Writes the names of one manifest as players are to read them, and announces what they name. A name stays as it is where
/// it leads a player to the right local name. One that leads nowhere is replaced by one that leads nowhere locally.
class NameWriter {
 public:
  NameWriter(LocalNames& names, Announcements& announced) : names_{names}, announced_{announced} {}

  /// The text in place of `name`. Names of other schemes stay. Throws ManifestError beyond a bound.
  std::string file(const Base& base, std::string_view name, const Announcement& what);
  /// The same of a name that other names are relative to, which is not announced.
  std::string base_url(const Base& base, std::string_view name);
  /// The same of a template. The first base decides the text. `queries` are those that players add. A template with
  /// unknown fields, or with $Bandwidth$ where no bandwidth is stated, stays, and nothing is announced.
  std::string segments(std::span<const Base> bases, std::string_view name, const TemplateValues& values,
                       std::span<const std::string> queries, Announcement what);
  /// Announces a file that no name is written for, and the same with the queries that players add.
  void announce(const Address& address, const Announcement& what, std::span<const std::string> queries = {});

  LocalNames& names() { return names_; }

 private:
  void count_name();
  std::string written(const Base& base, std::string_view name, const Address& address);
  bool stays_local(const Base& base, std::string_view path) const;
  std::string nowhere_of(const NamePattern& pattern) const;
  std::string segments_at(const Base& base, std::string_view name, const NamePattern& pattern,
                          const TemplateValues& values, std::span<const std::string> queries, const Announcement& what);

  LocalNames& names_;
  Announcements& announced_;
  std::size_t count_ = 0;
};

/// A query and those that a player adds.
std::string with_added(std::string query, std::span<const std::string> added);

}  // namespace tributary::proxy
