#include "cues/ttml.hh"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <utility>

#include "cues/markup.hh"
#include "cues/ttml_styles.hh"
#include "cues/ttml_times.hh"

namespace tributary {
namespace {

constexpr int kDeepest = 64;                 // elements are read by recursion
constexpr std::size_t kMostRuns = 20'000;    // of one paragraph
constexpr std::size_t kMostChanges = 1'000;  // times at which parts of one paragraph come or go
constexpr std::string_view kSpaces = " \t\r\n";

/// Text of one look and time within a paragraph.
struct Run {
  TtmlInterval when;
  TtmlStyle style;
  std::string text;
  bool keeps_blanks = false;
};

/// Puts the runs of a cue together. Blanks become one, and none at the beginning and end of a line, unless they are kept.
class Line {
 public:
  void add(const Run& run) {
    std::string text;
    for (const char c : run.text) {
      if (run.keeps_blanks) {
        text += c;
        begun_ = c != '\n';
      } else if (kSpaces.find(c) != std::string_view::npos) {
        blank_ = begun_;
      } else {
        if (std::exchange(blank_, false)) text += ' ';
        text += c;
        begun_ = true;
      }
    }
    if (text.empty() || run.style.hidden.value_or(false)) return;
    const auto element = [&](bool wanted, std::string_view name) {
      if (wanted) markup_.open("run", name);
    };
    markup_.open("all", "");
    element(run.style.italic.value_or(false), "i");
    element(run.style.bold.value_or(false), "b");
    element(run.style.underlined.value_or(false), "u");
    if (run.style.color && *run.style.color != "#ffffff")
      markup_.open("run", "span foreground=\"" + *run.style.color + "\"");
    markup_.add(text);
    markup_.close("all");
  }
  void add_break() {
    markup_.add("\n");
    blank_ = begun_ = false;
  }
  std::string take() { return markup_.take(); }

 private:
  Markup markup_;
  bool begun_ = false;  // something but blanks is in this line
  bool blank_ = false;  // is to come before the next character
};

class Ttml {
 public:
  explicit Ttml(pugi::xml_node root) : times_{root}, styles_{root} {
    const Element outer{{}, styles_.of(root, {}), keeps_blanks(root, false)};
    for (const pugi::xml_node child : root.children()) {
      if (ttml_name(child.name()) == "body") read(child, outer, Duration{}, 0);
    }
  }
  std::vector<Cue> take() { return std::move(cues_); }

 private:
  struct Element {
    TtmlInterval when;
    TtmlStyle style;
    bool keeps_blanks = false;
  };

  static bool keeps_blanks(pugi::xml_node node, bool around) {
    const pugi::xml_attribute space = node.attribute("xml:space");
    return space.empty() ? around : std::string_view{space.value()} == "preserve";
  }
  Element element(pugi::xml_node node, const Element& around, Duration from) const {
    return {times_.of(node, around.when, from), styles_.of(node, around.style),
            keeps_blanks(node, around.keeps_blanks)};
  }

  /// Calls `act` with each child and the time that its own times count from: the beginning of this element, or in a
  /// sequence the end of the child before it (section 10.2.4). `act` returns when the child ends.
  template <typename Act>
  void each_child(pugi::xml_node node, const Element& here, Act act) const {
    const bool sequence = ttml_attribute(node, "timeContainer") == "seq";
    Duration from = here.when.begin;
    for (const pugi::xml_node child : node.children()) {
      const Duration end = act(child, from);
      if (sequence && child.type() == pugi::node_element && end != TtmlInterval::kNever) from = end;
    }
  }

  /// A body, div or p. Returns when it ends.
  Duration read(pugi::xml_node node, const Element& around, Duration from, int depth) {
    if (depth > kDeepest) throw TextError{fmt::format("more than {} elements within each other", kDeepest)};
    const Element here = element(node, around, from);
    if (here.when.begin >= here.when.end) return here.when.end;
    if (ttml_name(node.name()) == "p") {
      read_paragraph(node, here);
      return here.when.end;
    }
    each_child(node, here, [&](pugi::xml_node child, Duration begin) {
      const std::string_view name = ttml_name(child.name());
      return name == "div" || name == "p" ? read(child, here, begin, depth + 1) : begin;
    });
    return here.when.end;
  }

  void read_paragraph(pugi::xml_node node, const Element& here) {
    std::vector<Run> runs;
    collect(node, here, runs, 0);
    std::set<Duration> changes{here.when.begin, here.when.end};
    for (const Run& run : runs) {
      if (changes.size() < kMostChanges) changes.insert({run.when.begin, run.when.end});
    }
    if (runs.size() * changes.size() > kMostMarkup) return;
    for (auto change = changes.begin(); std::next(change) != changes.end(); ++change) {
      const Duration begin = *change, end = *std::next(change);
      Line line;
      for (const Run& run : runs) {
        if (run.when.begin > begin || run.when.end < end) continue;
        if (run.text == "\n" && run.keeps_blanks)
          line.add_break();
        else
          line.add(run);
      }
      add({begin, end, line.take()});
    }
  }

  void collect(pugi::xml_node node, const Element& here, std::vector<Run>& runs, int depth) const {
    if (depth > kDeepest) throw TextError{fmt::format("more than {} elements within each other", kDeepest)};
    each_child(node, here, [&](pugi::xml_node child, Duration from) {
      if (runs.size() >= kMostRuns) throw TextError{"a paragraph is too long"};
      if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
        runs.push_back({here.when, here.style, child.value(), here.keeps_blanks});
        return from;
      }
      const std::string_view name = ttml_name(child.name());
      if (child.type() != pugi::node_element || (name != "span" && name != "br")) return from;
      const Element inner = element(child, here, from);
      if (inner.when.begin >= inner.when.end) return inner.when.end;
      if (name == "br")
        runs.push_back({inner.when, inner.style, "\n", true});
      else
        collect(child, inner, runs, depth + 1);
      return inner.when.end;
    });
  }

  void add(Cue cue) {
    if (cue.markup.empty()) return;
    bytes_ += cue.markup.size();
    if (cues_.size() >= kMostCues || bytes_ > kMostMarkup) throw TextError{"the text is too long"};
    cues_.push_back(std::move(cue));
  }

  TtmlTimes times_;
  TtmlStyles styles_;
  std::vector<Cue> cues_;
  std::size_t bytes_ = 0;
};

}  // namespace

std::vector<Cue> read_ttml(std::string_view document) {
  pugi::xml_document xml;
  const auto options =
      pugi::parse_cdata | pugi::parse_escapes | pugi::parse_eol | pugi::parse_wconv_attribute | pugi::parse_ws_pcdata;
  const pugi::xml_parse_result parsed = xml.load_buffer(document.data(), document.size(), options);
  if (!parsed) throw TextError{fmt::format("byte {} of the TTML: {}", parsed.offset, parsed.description())};
  const pugi::xml_node root = xml.document_element();
  if (ttml_name(root.name()) != "tt") throw TextError{"the text is XML, and no TTML"};
  return Ttml{root}.take();
}

}  // namespace tributary
