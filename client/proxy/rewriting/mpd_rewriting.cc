#include "proxy/rewriting/mpd_rewriting.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <pugixml.hpp>
#include <span>

#include "dash/bounds.hh"
#include "dash/reading/media_kind.hh"
#include "dash/xml/xml_element.hh"
#include "manifests/manifest.hh"
#include "proxy/rewriting/rewriting_limits.hh"
#include "proxy/rewriting/url_query_info.hh"

namespace tributary::proxy {
namespace {

using dash::local_name;
using dash::trimmed;

constexpr std::string_view kBlanks = " \t\r\n";

bool is_text(pugi::xml_node node) {
  return (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata) && !trimmed(node.value()).empty();
}

std::string content_of(pugi::xml_node element) {
  const pugi::xml_node text = element.find_child(is_text);
  return std::string{trimmed(text.value())};
}

void set_content(pugi::xml_node element, const std::string& text) {
  element.remove_children();
  element.append_child(pugi::node_pcdata).set_value(text.c_str());
}

std::vector<pugi::xml_node> children(pugi::xml_node node, std::string_view name) {
  std::vector<pugi::xml_node> found;
  for (const pugi::xml_node child : node) {
    if (local_name(child) == name) found.push_back(child);
  }
  return found;
}

pugi::xml_node first_child(pugi::xml_node node, std::string_view name) {
  for (const pugi::xml_node child : node) {
    if (local_name(child) == name) return child;
  }
  return {};
}

void remove_children(pugi::xml_node node, std::string_view name) {
  for (const pugi::xml_node child : children(node, name)) node.remove_child(child);
}

/// What Representation inherits from the levels around it, the outermost first.
struct Level {
  std::vector<Base> bases;
  std::vector<pugi::xml_node> templates;  // SegmentTemplate
  std::vector<pugi::xml_node> segments;   // these, SegmentList and SegmentBase
  std::string_view in_use;                // the one of these that counts, that of the innermost level
  std::vector<std::string> queries;
  std::string mime_type, codecs, content_type;
};

void state(std::string& value, pugi::xml_node element, const char* attribute) {
  if (const pugi::xml_attribute found = element.attribute(attribute)) value = found.value();
}

/// A child of SegmentList, SegmentBase or SegmentTemplate whose attributes name files. In the order of the schema.
struct FileElement {
  std::string_view name;
  std::span<const char* const> attributes;
};
constexpr std::array kSourceUrl{"sourceURL"};
constexpr std::array kSegmentUrls{"media", "index"};
constexpr std::array<FileElement, 4> kFileElements{{{"Initialization", kSourceUrl},
                                                    {"RepresentationIndex", kSourceUrl},
                                                    {"BitstreamSwitching", kSourceUrl},
                                                    {"SegmentURL", kSegmentUrls}}};

struct Writer : pugi::xml_writer {
  std::string text;
  void write(const void* data, std::size_t size) override {
    text.append(static_cast<const char*>(data), size);
    if (text.size() > kMostRewrittenText) throw ManifestError{"its addresses become too long"};
  }
};

/// Without the document type, whose entities and defaults would be read by players alone.
void parse(pugi::xml_document& xml, const std::string& text, unsigned more) {
  if (std::ranges::count(text, '<') > static_cast<std::ptrdiff_t>(dash::kMostTags))
    throw ManifestError{fmt::format("it has more than {} tags", dash::kMostTags)};
  constexpr unsigned kAll =
      pugi::parse_default | pugi::parse_pi | pugi::parse_comments | pugi::parse_declaration | pugi::parse_ws_pcdata;
  const auto parsed = xml.load_buffer(text.data(), text.size(), kAll | more, pugi::encoding_utf8);
  if (parsed) return;
  const dash::XmlLines lines{text};
  const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(parsed.offset, 0));
  throw ManifestError{fmt::format("line {}, column {}: this is not XML: {}", lines.line_of(offset),
                                  lines.column_of(offset), parsed.description())};
}

std::string written(const pugi::xml_document& xml) {
  Writer writer;
  xml.save(writer, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
  return std::move(writer.text);
}

class MpdRewriting {
 public:
  MpdRewriting(const Base& document, NameWriter& writer) : document_{document}, writer_{writer} {}

  RewrittenMpd run(const std::string& text) {
    read(text, 0);
    const pugi::xml_node mpd = xml_.document_element();
    if (local_name(mpd) != "MPD") throw ManifestError{"the root element is no MPD"};
    result_.dynamic = std::string_view{mpd.attribute("type").value()} == "dynamic";
    rewrite_head(mpd);
    Level level;
    level.bases = {document_};
    if (!document_.local) state_base(mpd);
    take_bases(mpd, level);
    level.bases.front().local = true;
    rewrite_properties(mpd);
    std::size_t index = 0;
    for (const pugi::xml_node period : children(mpd, "Period"))
      rewrite_period(period, level, fmt::format("Period[{}]", index++));
    result_.text = written(xml_);
    return std::move(result_);
  }

  std::string run_part(const std::string& text, const std::vector<Base>& around) {
    read(text, pugi::parse_fragment);
    Level level;
    level.bases = around;
    for (const pugi::xml_node element : xml_) {
      if (local_name(element) == "Period") rewrite_period(element, level, "");
      if (local_name(element) == "AdaptationSet") rewrite_set(element, level, "");
    }
    return written(xml_);
  }

 private:
  void read(const std::string& text, unsigned more) {
    if (text.size() > kMostText) throw ManifestError{fmt::format("it has more than {} bytes", kMostText)};
    parse(xml_, text, more);
  }

  void rewrite_head(pugi::xml_node mpd) {
    remove_children(mpd, "ContentSteering");
    remove_children(mpd, "PatchLocation");
    for (pugi::xml_node location : children(mpd, "Location"))
      set_content(location, writer_.file(document_, content_of(location), {FileKind::kManifest}));
    for (const pugi::xml_node timing : children(mpd, "UTCTiming")) rewrite_clock(timing);
    for (const pugi::xml_node set : children(mpd, "InitializationSet"))
      rewrite_name(set, "initialization", document_, {FileKind::kMedia});
  }

  /// "urn:mpeg:dash:utc:http-iso:2014": addresses, with blanks between them.
  void rewrite_clock(pugi::xml_node timing) {
    if (std::string_view{timing.attribute("schemeIdUri").value()}.find(":http-") == std::string_view::npos) return;
    const std::string stated = timing.attribute("value").value();
    std::string_view rest = trimmed(stated);
    std::string written;
    while (!rest.empty()) {
      const std::string_view name = rest.substr(0, rest.find_first_of(kBlanks));
      rest = trimmed(rest.substr(name.size()));
      if (!written.empty()) written += ' ';
      written += writer_.file(document_, name, {FileKind::kClock});
    }
    timing.attribute("value").set_value(written.c_str());
  }

  /// Where players find what is relative to the MPD, if they asked for it elsewhere.
  void state_base(pugi::xml_node mpd) {
    if (first_child(mpd, "BaseURL")) return;
    pugi::xml_node base = mpd.prepend_child((std::string{prefix_of(mpd)} + "BaseURL").c_str());
    set_content(base, document_.address.origin + std::string{document_.address.folder()});
  }

  /// "mpd:" of "mpd:MPD".
  static std::string_view prefix_of(pugi::xml_node element) {
    const std::string_view name = element.name();
    return name.substr(0, name.find(':') == std::string_view::npos ? 0 : name.find(':') + 1);
  }

  /// The BaseURLs of a level. One that leads the addresses around it to different places is written once for each.
  void take_bases(pugi::xml_node element, Level& level) {
    const std::vector<pugi::xml_node> stated = children(element, "BaseURL");
    if (stated.empty()) return;
    std::vector<Base> bases;
    std::vector<std::vector<std::string>> texts(stated.size());
    for (const Base& outer : level.bases) {
      for (std::size_t i = 0; i < stated.size(); ++i) {
        const std::string name = content_of(stated[i]);
        const auto address = resolved(outer.address, name);
        const std::string text = writer_.base_url(outer, name);
        if (!address) continue;
        if (std::ranges::find(texts[i], text) == texts[i].end()) texts[i].push_back(text);
        if (bases.size() < dash::kMostAlternatives) bases.push_back({*address});
      }
    }
    const bool none = bases.empty();
    for (std::size_t i = 0; i < stated.size(); ++i) {
      if (none && !is_of_another_scheme(content_of(stated[i]))) set_content(stated[i], writer_.names().nowhere());
      if (!none && texts[i].empty()) element.remove_child(stated[i]);
      if (!texts[i].empty()) write_bases(element, stated[i], texts[i]);
    }
    if (!none) level.bases = std::move(bases);
  }

  static void write_bases(pugi::xml_node parent, pugi::xml_node base, const std::vector<std::string>& texts) {
    if (texts.front() != content_of(base)) set_content(base, texts.front());
    pugi::xml_node last = base;
    for (std::size_t i = 1; i < texts.size(); ++i) {
      last = parent.insert_copy_after(base, last);
      set_content(last, texts[i]);
    }
  }

  /// A period or set may stand in a file of its own, whose names are relative to the bases here (clause 5.5).
  void rewrite_link(pugi::xml_node element, const Level& level) {
    const bool is_part = local_name(element) == "Period" || local_name(element) == "AdaptationSet";
    for (pugi::xml_attribute attribute : element.attributes()) {
      if (!std::string_view{attribute.name()}.ends_with(":href")) continue;
      Announcement what{is_part ? FileKind::kManifest : FileKind::kOther};
      if (is_part) what.around = std::make_shared<const std::vector<Base>>(level.bases);
      const std::string name{trimmed(attribute.value())};
      const std::string written = writer_.file(level.bases.front(), name, what);
      if (written != name) attribute.set_value(written.c_str());
    }
  }

  /// Returns the queries that the element adds.
  std::vector<std::string> rewrite_properties(pugi::xml_node element) {
    std::vector<std::string> queries;
    for (const pugi::xml_node property : element) {
      const std::string_view name = local_name(property);
      if (name != "EssentialProperty" && name != "SupplementalProperty") continue;
      for (const pugi::xml_node info : property) {
        if (!is_url_query_info(info)) continue;
        if (auto query = rewrite_url_query_info(info, document_.address.query, writer_.names()))
          queries.push_back(*std::move(query));
      }
      constexpr std::array<std::string_view, 2> kOtherMpds{"urn:mpeg:dash:fallback:2016",
                                                           "urn:mpeg:dash:mpd-chaining:2016"};
      if (std::ranges::find(kOtherMpds, property.attribute("schemeIdUri").value()) != kOtherMpds.end())
        rewrite_name(property, "value", document_, {FileKind::kManifest});
    }
    return queries;
  }

  /// What all levels have.
  void enter(pugi::xml_node element, Level& level) {
    rewrite_link(element, level);
    take_bases(element, level);
    std::vector<std::string> queries = rewrite_properties(element);
    level.queries.insert(level.queries.end(), queries.begin(), queries.end());
    if (const pugi::xml_node found = first_child(element, "SegmentTemplate")) level.templates.push_back(found);
    for (const std::string_view name : {"SegmentBase", "SegmentList", "SegmentTemplate"}) {
      const pugi::xml_node found = first_child(element, name);
      if (!found) continue;
      rewrite_link(found, level);
      level.segments.push_back(found);
      level.in_use = name;
    }
    state(level.mime_type, element, "mimeType");
    state(level.codecs, element, "codecs");
    state(level.content_type, element, "contentType");
  }

  void rewrite_period(pugi::xml_node period, Level level, const std::string& place) {
    enter(period, level);
    level.queries.clear();  // those of sets and representations count
    std::size_t index = 0;
    for (const pugi::xml_node set : children(period, "AdaptationSet"))
      rewrite_set(set, level, fmt::format("{}/AdaptationSet[{}]", place, index++));
  }

  void rewrite_set(pugi::xml_node set, Level level, const std::string& place) {
    enter(set, level);
    std::size_t index = 0;
    for (const pugi::xml_node representation : children(set, "Representation"))
      rewrite_representation(representation, level, fmt::format("{}/Representation[{}]", place, index++));
  }

  void rewrite_representation(pugi::xml_node representation, Level level, std::string place) {
    enter(representation, level);
    RepresentationPlace found{std::move(place), {}, level.queries};
    for (const Base& base : level.bases) found.bases.push_back(base.address);
    const dash::MediaKind media = dash::media_kind(level.content_type, level.mime_type, level.codecs);
    const bool is_side = media == dash::MediaKind::kText || media == dash::MediaKind::kImage;
    const Announcement what{
        is_side ? FileKind::kOther : FileKind::kMedia,
        {.rendition = static_cast<std::uint32_t>(result_.representations.size())},
    };
    result_.representations.push_back(std::move(found));

    rewrite_templates(representation, level, what);
    for (auto segments = level.segments.rbegin(); segments != level.segments.rend(); ++segments)
      rewrite_files(representation, *segments, level, what);
    // Segments of a list may be ranges of the base itself.
    if (level.in_use != "SegmentTemplate" || level.segments.size() > level.templates.size())
      announce_bases(level, what);
  }

  void announce_bases(const Level& level, Announcement what) {
    for (const Base& base : level.bases) {
      writer_.announce(base.address, what, level.queries);
      ++what.place.base;
    }
  }

  // ---- Templates

  void rewrite_templates(pugi::xml_node representation, const Level& level, const Announcement& what) {
    const TemplateValues values{std::string{trimmed(representation.attribute("id").value())},
                                dash::bandwidth_from(trimmed(representation.attribute("bandwidth").value()))};
    for (const char* const name : {"media", "initialization", "index", "bitstreamSwitching"}) {
      const auto owner = std::ranges::find_if(level.templates.rbegin(), level.templates.rend(),
                                              [&](pugi::xml_node each) { return !each.attribute(name).empty(); });
      if (owner == level.templates.rend()) continue;
      const std::string stated = stated_value(*owner, name);
      if (std::string_view{name} == "bitstreamSwitching" && (stated == "true" || stated == "false")) continue;
      const std::string text = writer_.segments(level.bases, stated, values, level.queries, what);
      if (!write_once(*owner, name, text) && level.in_use == "SegmentTemplate")
        write_below(representation, owner->name(), name, text);
    }
  }

  /// As it was before it was rewritten.
  std::string stated_value(pugi::xml_node node, const char* attribute) {
    const auto known = written_.find({node.internal_object(), attribute});
    return std::string{trimmed(known == written_.end() ? node.attribute(attribute).value() : known->second.stated)};
  }

  /// Whether the attribute has this text now: only the first representation that inherits it may change it.
  bool write_once(pugi::xml_node node, const char* attribute, const std::string& text) {
    const auto [at, is_first] = written_.try_emplace({node.internal_object(), attribute});
    if (!is_first) return at->second.text == text;
    at->second = {node.attribute(attribute).value(), text};
    if (trimmed(at->second.stated) != text) node.attribute(attribute).set_value(text.c_str());
    return true;
  }

  /// The child of the representation that adds to what it inherits by that name.
  static pugi::xml_node own_segments(pugi::xml_node representation, const char* name) {
    const std::string_view whole = name;
    const pugi::xml_node own = first_child(representation, whole.substr(whole.find(':') + 1));
    return own ? own : representation.append_child(name);
  }

  static void write_below(pugi::xml_node representation, const char* element, const char* attribute,
                          const std::string& text) {
    pugi::xml_node own = own_segments(representation, element);
    own.remove_attribute(attribute);
    own.append_attribute(attribute).set_value(text.c_str());
  }

  // ---- Files with names of their own

  void rewrite_files(pugi::xml_node representation, pugi::xml_node segments, const Level& level,
                     const Announcement& what) {
    for (const FileElement& kind : kFileElements) {
      bool leads_elsewhere = false;
      for (const pugi::xml_node child : children(segments, kind.name)) {
        for (const char* const attribute : kind.attributes) {
          if (!child.attribute(attribute)) continue;
          announce_file(child, attribute, level, what);
          if (!write_once(child, attribute, file_text(child, attribute, level))) leads_elsewhere = true;
        }
      }
      if (leads_elsewhere && local_name(segments) == level.in_use) write_below(representation, segments, kind, level);
    }
  }

  void announce_file(pugi::xml_node element, const char* attribute, const Level& level, Announcement what) {
    const std::string stated = stated_value(element, attribute);
    if (is_of_another_scheme(stated)) return;
    for (const Base& base : level.bases) {
      if (const auto address = resolved(base.address, stated)) writer_.announce(*address, what, level.queries);
      ++what.place.base;
    }
  }

  std::string file_text(pugi::xml_node element, const char* attribute, const Level& level) {
    return writer_.base_url(level.bases.front(), stated_value(element, attribute));
  }

  /// Elements of a representation stand for all of that name that it inherits.
  void write_below(pugi::xml_node representation, pugi::xml_node segments, const FileElement& kind,
                   const Level& level) {
    pugi::xml_node own = own_segments(representation, segments.name());
    if (first_child(own, kind.name)) return;
    for (const pugi::xml_node child : children(segments, kind.name)) {
      pugi::xml_node copy = own.append_copy(child);
      for (const char* const attribute : kind.attributes) {
        if (child.attribute(attribute)) copy.attribute(attribute).set_value(file_text(child, attribute, level).c_str());
      }
    }
    const pugi::xml_attribute range = segments.attribute("indexRange");  // inherited with the index alone
    if (kind.name == "RepresentationIndex" && range && !own.attribute(range.name())) own.append_copy(range);
  }

  void rewrite_name(pugi::xml_node element, const char* attribute, const Base& base, const Announcement& what) {
    const pugi::xml_attribute found = element.attribute(attribute);
    if (!found) return;
    element.attribute(attribute).set_value(writer_.file(base, std::string{trimmed(found.value())}, what).c_str());
  }

  struct Written {
    std::string stated, text;
  };

  const Base& document_;
  NameWriter& writer_;
  pugi::xml_document xml_;
  RewrittenMpd result_;
  std::map<std::pair<const void*, std::string_view>, Written> written_;
};

}  // namespace

std::string_view place_in_text(const dash::Representation& representation) {
  const std::string_view place = representation.place;  // "line 14, Period[0]/..."
  return place.substr(std::min(place.find(", "), place.size() - 2) + 2);
}

RewrittenMpd rewrite_mpd(const std::string& text, const Base& document, NameWriter& writer) {
  return MpdRewriting{document, writer}.run(text);
}

std::string rewrite_mpd_part(const std::string& text, const std::vector<Base>& around, NameWriter& writer) {
  return MpdRewriting{around.front(), writer}.run_part(text, around);
}

std::string without_representations(const std::string& text, const std::set<std::size_t>& left_out) {
  pugi::xml_document xml;
  parse(xml, text, 0);
  std::size_t number = 0;
  for (const pugi::xml_node period : children(xml.document_element(), "Period")) {
    for (pugi::xml_node set : children(period, "AdaptationSet")) {
      for (const pugi::xml_node representation : children(set, "Representation")) {
        if (left_out.contains(number++)) set.remove_child(representation);
      }
    }
  }
  return written(xml);
}

}  // namespace tributary::proxy
