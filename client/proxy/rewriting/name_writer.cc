#include "proxy/rewriting/name_writer.hh"

#include <fmt/format.h>

#include <algorithm>

#include "manifests/manifest.hh"
#include "proxy/rewriting/ascii.hh"
#include "proxy/rewriting/rewriting_limits.hh"

namespace tributary::proxy {
namespace {

/// An identifier that is the same text in every place of an address.
bool is_simple(std::string_view id) {
  return !id.empty() &&
         std::ranges::all_of(id, [](char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '_'; });
}

/// Whether a colon ends the first segment of a name: an identifier in it may make that a scheme.
bool has_early_colon(std::string_view name) {
  const std::size_t end = name.find_first_of(":/?#");
  return end != std::string_view::npos && name[end] == ':';
}

/// The marks of fields in a text, with a dot before each, without those that are in `others`.
std::string marks_in(std::string_view text, std::string_view mark, std::string_view others = {}) {
  std::string marks;
  for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at)) {
    const std::size_t end = text.find('z', at + mark.size()) + 1;
    const std::string_view one = text.substr(at, end - at);
    if (others.find(one) == std::string_view::npos) marks += fmt::format(".{}", one);
    at = end;
  }
  return marks;
}

}  // namespace

std::string with_added(std::string query, std::span<const std::string> added) {
  for (const std::string& each : added) {
    if (!query.empty()) query += '&';
    query += each;
  }
  return query;
}

void NameWriter::count_name() {
  if (++count_ > kMostNames) throw ManifestError{fmt::format("more than {} names", kMostNames)};
}

void NameWriter::announce(const Address& address, const Announcement& what, std::span<const std::string> queries) {
  count_name();
  announced_.add(address, what);
  if (queries.empty()) return;
  announced_.use_queries(queries);
  Announcement with_queries = what;
  with_queries.place.queries = true;
  announced_.add({address.origin, address.path, with_added(address.query, queries)}, std::move(with_queries));
}

/// Whether a player finds a relative name at its local name. Without queries; a name may climb above the root, where it
/// would leave the folder of the origin.
bool NameWriter::stays_local(const Base& base, std::string_view path) const {
  if (!base.local || path.starts_with('/') || !is_plain_text(path)) return false;
  constexpr std::string_view kOrigin = "/origin";
  const auto has = [&](std::string_view what) { return path.find(what) != std::string_view::npos; };
  // Players agree neither on ".." before the former, nor whether the latter are dots.
  if (has("//") || has("%2e") || has("%2E")) return false;
  if (!path.starts_with('.') && !has("/.") && !has("%")) return true;
  const auto address = resolved(base.address, path);
  const auto local = resolved({"http://local", std::string{kOrigin} + base.address.path, {}}, path);
  return address && local && local->path == std::string{kOrigin} + address->path;
}

std::string NameWriter::written(const Base& base, std::string_view name, const Address& address) {
  const std::size_t mark = std::min(name.find('?'), name.size());
  const std::string_view path = name.substr(0, mark);
  const bool relative = address.origin == base.address.origin && path.find(':') == std::string_view::npos &&
                        name.find('#') == std::string_view::npos;
  if (!relative || !stays_local(base, path)) return names_.in_text(address);
  if (mark == name.size() || address.query.empty())
    return path.empty() && !name.empty() ? names_.in_text(address) : std::string{path};
  return fmt::format("{}?{}", path, names_.number_of_query(address.query));
}

std::string NameWriter::file(const Base& base, std::string_view name, const Announcement& what) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (is_of_another_scheme(name) && std::ranges::none_of(name, is_control)) return std::string{name};
  const auto address = resolved(base.address, name);
  if (!address) {
    count_name();
    return names_.nowhere();
  }
  announce(*address, what);
  return written(base, name, *address);
}

std::string NameWriter::base_url(const Base& base, std::string_view name) {
  if (is_of_another_scheme(name)) return std::string{name};
  count_name();
  const auto address = resolved(base.address, name);
  return address ? written(base, name, *address) : names_.nowhere();
}

/// Players refuse a template without a field, and a representation without the identifier that a field needs.
std::string NameWriter::nowhere_of(const NamePattern& pattern) const {
  std::string text = names_.nowhere();
  if (pattern.names_representation()) text += "/$RepresentationID$";
  if (pattern.names_segments()) text += "/$Number$";
  if (pattern.names_parts()) text += "/$SubNumber$";
  return text;
}

std::string NameWriter::segments(std::span<const Base> bases, std::string_view name, const TemplateValues& values,
                                 std::span<const std::string> queries, Announcement what) {
  auto pattern = NamePattern::read(name);
  if (!pattern || bases.empty() || is_of_another_scheme(name)) return std::string{name};
  if (!values.bandwidth && pattern->names_bandwidth()) return std::string{name};
  if (!values.id.empty() && (!is_simple(values.id) || has_early_colon(name))) pattern = pattern->with_id(values.id);
  if (pattern->splits_escape()) return nowhere_of(*pattern);
  std::optional<std::string> text;
  for (const Base& base : bases) {
    count_name();
    std::string one = segments_at(base, name, *pattern, values, queries, what);
    if (!text) text = std::move(one);
    ++what.place.base;
  }
  return *text;
}

std::string NameWriter::segments_at(const Base& base, std::string_view name, const NamePattern& pattern,
                                    const TemplateValues& values, std::span<const std::string> queries,
                                    const Announcement& what) {
  const std::string mark = pattern.unused_mark(base.address.url());
  const std::string marked = pattern.marked(mark);
  const auto address = resolved(base.address, marked);
  if (!address) return is_of_another_scheme(marked) ? std::string{name} : nowhere_of(pattern);
  if (address->origin.find(mark) != std::string::npos) {  // a server for each representation
    const NamePattern bound = pattern.of(values.id, values.bandwidth.value_or(0));
    const bool is_unnamed = values.id.empty() && pattern.names_representation();
    if (is_unnamed || bound == pattern) return nowhere_of(pattern);
    return segments_at(base, name, bound, values, queries, what);
  }
  const auto in_template = [&](std::string_view text) { return pattern.from_marked(text, mark); };

  std::string query = address->query, number;
  if (!query.empty()) {
    const std::string marks = marks_in(query, mark);
    if (!marks.empty()) query = "$" + in_template(query).text();
    number = fmt::format("{}{}", names_.number_of_query(query), marks);
  }
  const std::string path = fmt::format("{}{}", names_.number_of_origin(address->origin), address->path);
  const auto announce_with = [&](std::span<const std::string> added) {
    Announcement announcement = what;
    announcement.place.queries = !added.empty();
    const Address upstream{address->origin, address->path, with_added(address->query, added)};
    const NamePattern named = in_template(upstream.url()).of(values.id, values.bandwidth.value_or(0));
    if (!named.has_fields() && number.find('.') == std::string::npos) {
      if (const auto plain = address_from(named.expand({}))) announced_.add(*plain, std::move(announcement));
      return;
    }
    std::vector<std::string> numbers;
    for (const std::string& each : added) numbers.push_back(fmt::format("{}", names_.number_of_query(each)));
    const std::string local = with_added(number, numbers);
    announced_.add(in_template(local.empty() ? path : fmt::format("{}?{}", path, local))
                       .of(values.id, values.bandwidth.value_or(0)),
                   named, query, std::move(announcement));
  };
  announce_with({});
  if (!queries.empty()) announce_with(queries);
  announced_.use_queries(queries);

  const std::size_t question = std::min(marked.find('?'), marked.size());
  const std::string_view marked_path = std::string_view{marked}.substr(0, question);
  const bool relative = address->origin == base.address.origin && marked_path.find(':') == std::string_view::npos &&
                        marked.find('#') == std::string::npos;
  if (!relative || !stays_local(base, marked_path)) {
    // A template without a field is refused: those of its fragment, and those that dots have removed, stay in a fragment.
    const std::string fields = marks_in(marked, mark, path + number);
    return names_.in_text(in_template(fmt::format("{}{}{}{}{}", path, number.empty() ? "" : "?", number,
                                                  fields.empty() ? "" : "#", fields))
                              .text());
  }
  if (number.empty()) return std::string{name};
  return in_template(fmt::format("{}?{}", marked_path, number)).text();
}

}  // namespace tributary::proxy
