#include "dash/reading/set_reader.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "dash/bounds.hh"
#include "dash/mpd_error.hh"
#include "dash/reading/channel_count.hh"
#include "dash/reading/media_kind.hh"
#include "dash/reading/segment_sequences.hh"
#include "dash/reading/url_query_reader.hh"
#include "dash/xml/remote_element.hh"
#include "units/text/printed_text.hh"

namespace tributary::dash {
namespace {

constexpr std::string_view kThumbnails = "http://dashif.org/guidelines/thumbnail_tile";
constexpr std::string_view kOldThumbnails = "http://dashif.org/thumbnail_tile";  // before the guidelines had a place
constexpr std::string_view kTrickMode = "http://dashif.org/guidelines/trickmode";
/// Essential properties that are understood; the last four only repeat what the media say.
constexpr std::array<std::string_view, 10> kUnderstood{kThumbnails,
                                                       kOldThumbnails,
                                                       kTrickMode,
                                                       kUrlQueryScheme,
                                                       "urn:mpeg:dash:pattern:2024",
                                                       "urn:mpeg:dash:ssr:2023",
                                                       "urn:mpeg:mpegB:cicp:ColourPrimaries",
                                                       "urn:mpeg:mpegB:cicp:TransferCharacteristics",
                                                       "urn:mpeg:mpegB:cicp:MatrixCoefficients",
                                                       "urn:mpeg:mpegB:cicp:VideoFullRangeFlag"};

constexpr std::int64_t kMostPixels = 1 << 20;  // of a side

void leave_out(std::string why, std::vector<std::string>& left_out) {
  if (left_out.size() < kMostLeftOut) left_out.push_back(std::move(why));
}

void leave_out(const XmlElement& element, std::string_view why, std::vector<std::string>& left_out) {
  leave_out(printable_line(fmt::format("{}: {}", element.place(), why)), left_out);
}

[[noreturn]] void refuse_all(const XmlElement& element, std::string_view why) {
  throw MpdTooLarge{fmt::format("{}: {}", element.place(), why)};
}

/// The first of these properties that is not understood.
const Descriptor* unknown_property(const std::vector<Descriptor>& essential) {
  const auto found = std::ranges::find_if(essential, [](const Descriptor& property) {
    return std::ranges::find(kUnderstood, property.scheme) == kUnderstood.end();
  });
  return found == essential.end() ? nullptr : &*found;
}

const Descriptor* find_scheme(const std::vector<Descriptor>& descriptors, std::string_view scheme) {
  const auto found = std::ranges::find(descriptors, scheme, &Descriptor::scheme);
  return found == descriptors.end() ? nullptr : &*found;
}

/// Two numbers and a character between them, as "10x20" and "30000/1001"; the second one may be missing.
std::optional<std::pair<int, int>> pair_from(std::string_view text, char between) {
  const std::size_t border = std::min(text.find(between), text.size());
  std::pair<int, int> pair{0, 1};
  const auto read = [](std::string_view part, int& value) {
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    return error == std::errc{} && end == part.data() + part.size() && value > 0;
  };
  if (!read(text.substr(0, border), pair.first)) return std::nullopt;
  if (border < text.size() && !read(text.substr(border + 1), pair.second)) return std::nullopt;
  return pair;
}

std::vector<Protection> read_protection(const XmlElement& element) {
  std::vector<Protection> all;
  for (Descriptor& stated : read_descriptors(element, "ContentProtection")) {
    std::ranges::transform(stated.scheme, stated.scheme.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    Protection protection{std::move(stated.scheme), std::move(stated.value)};
    if (std::ranges::find(all, protection) != all.end()) continue;
    if (all.size() == kMostProtections) {
      element.refuse(fmt::format("more than {} kinds of ContentProtection", kMostProtections));
    }
    all.push_back(std::move(protection));
  }
  return all;
}

/// The larger of one or two numbers: with two, the second one is the rate of the extension (clause 5.3.7.2).
std::optional<int> read_sampling_rate(const XmlElement& element) {
  const auto text = element.text("audioSamplingRate");
  const auto rates = text ? pair_from(*text, ' ') : std::nullopt;
  return rates ? std::optional{std::max(rates->first, rates->second)} : std::nullopt;
}

/// The first configuration that is known.
std::optional<int> read_channels(const XmlElement& element) {
  for (const Descriptor& configuration : read_descriptors(element, "AudioChannelConfiguration")) {
    if (const auto channels = channel_count(configuration)) return channels;
  }
  return std::nullopt;
}

template <typename T>
void set_if(T& value, std::optional<T> stated) {
  if (stated) value = std::move(*stated);
}
template <typename T>
void set_if(std::optional<T>& value, std::optional<T> stated) {
  if (stated) value = std::move(stated);
}

std::optional<int> read_side(const XmlElement& element, const char* attribute) {
  const auto pixels = hint([&] { return element.whole(attribute, 1, kMostPixels); });
  return pixels ? std::optional{static_cast<int>(*pixels)} : std::nullopt;
}

template <typename T>
void append(std::vector<T>& to, std::vector<T> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// What a set or a representation may state (clause 5.3.7), put over what the level around it states.
void read_common(const XmlElement& element, Representation& common) {
  set_if(common.mime_type, element.text("mimeType"));
  set_if(common.codecs, element.text("codecs"));
  set_if(common.width, read_side(element, "width"));
  set_if(common.height, read_side(element, "height"));
  set_if(common.audio_sampling_rate, read_sampling_rate(element));
  set_if(common.channels, read_channels(element));
  if (const auto text = element.text("frameRate")) {
    if (const auto rate = pair_from(*text, '/')) common.frame_rate = FrameRate{rate->first, rate->second};
  }
  append(common.protection, read_protection(element));
  append(common.essential_properties, read_descriptors(element, "EssentialProperty"));
  append(common.url_queries, read_url_queries(element));
  append(common.supplemental_properties, read_descriptors(element, "SupplementalProperty"));
  const Descriptor* thumbnails = find_scheme(common.essential_properties, kThumbnails);
  if (thumbnails == nullptr) thumbnails = find_scheme(common.essential_properties, kOldThumbnails);
  if (thumbnails != nullptr) {
    const auto tiles = pair_from(thumbnails->value, 'x');
    if (!tiles) element.refuse(fmt::format("its thumbnails are \"{}\", not such as 10x20", thumbnails->value));
    common.tiles = Tiles{tiles->first, tiles->second};
  }
}

/// An upper bound of the memory that a copy takes.
std::size_t bytes_of(const Representation& one) {
  std::size_t bytes = sizeof one + one.mime_type.size() + one.codecs.size();
  for (const auto& [scheme, value] : one.protection) bytes += sizeof(Protection) + scheme.size() + value.size();
  for (const auto& [stated, of_mpd] : one.url_queries) bytes += sizeof(UrlQuery) + stated.size();
  for (const auto* const properties : {&one.essential_properties, &one.supplemental_properties}) {
    for (const auto& [scheme, value] : *properties) bytes += sizeof(Descriptor) + scheme.size() + value.size();
  }
  return bytes;
}

/// Reads the representations of one set.
class RepresentationReader {
 public:
  RepresentationReader(const SetContext& context, const StatedSegments& segments, Representation common,
                       Duration availability_offset)
      : context_{context},
        segments_{segments},
        common_{std::move(common)},
        bytes_inherited_{bytes_of(common_) + segments.bytes()},
        availability_offset_{availability_offset} {}

  void read_all(const XmlElement& set, std::vector<Representation>& representations) const {
    std::vector<std::string> faults;
    set.each("Representation", [&](const XmlElement& each) {
      count(each);
      try {
        read(each, representations);
      } catch (const MpdError& fault) {
        leave_out(fault.what(), faults);
      }
    });
    if (representations.empty() && !faults.empty()) throw MpdError{faults.front()};
    for (std::string& why : faults) leave_out(std::move(why), context_.so_far.left_out);
  }

 private:
  void count(const XmlElement& element) const {
    if (++context_.so_far.representations > kMostRepresentations) {
      refuse_all(element, fmt::format("more than {} representations", kMostRepresentations));
    }
    context_.so_far.inherited += bytes_inherited_;
    if (context_.so_far.inherited > kMostInherited) refuse_all(element, "what it inherits takes too much memory");
  }

  void read(const XmlElement& element, std::vector<Representation>& representations) const {
    Representation one = common_;
    read_common(element, one);
    if (const Descriptor* const unknown = unknown_property(one.essential_properties)) {
      return leave_out(element, fmt::format("its EssentialProperty {} is not known", unknown->scheme),
                       context_.so_far.left_out);
    }
    if (!element.text("dependencyId").value_or("").empty()) {
      return leave_out(element, "it depends on another representation", context_.so_far.left_out);
    }
    one.place = element.place();
    one.id = element.text("id").value_or("");
    const auto bandwidth = bandwidth_from(element.text("bandwidth").value_or(""));
    one.bandwidth = bandwidth.value_or(0);
    one.base_urls = read_base_urls(element);
    const StatedSegments stated = StatedSegments::read(element, segments_);
    one.addressing = stated.addressing(element);
    check_names(element, one, bandwidth.has_value());
    if (std::holds_alternative<IndexedAddressing>(one.addressing) && one.mime_type.ends_with("/webm")) {
      element.refuse("the Cues of its WebM list its segments, and only a sidx is read");
    }
    one.availability_offset =
        availability_offset_ + dash::availability_offset(one.base_urls) + stated.availability_offset();
    one.availability_complete = stated.availability_complete();
    representations.push_back(std::move(one));
  }

  /// A template's field needs a stated value: no other leads to the files. A stated bandwidth of 0 counts, since some
  /// packagers write it.
  static void check_names(const XmlElement& element, const Representation& one, bool states_bandwidth) {
    const auto* const addressing = std::get_if<TemplateAddressing>(&one.addressing);
    if (addressing == nullptr) return;
    const auto need = [&](bool (UriTemplate::*field)() const) {
      const auto has_it = [&](const auto& pattern) { return pattern && ((*pattern).*field)(); };
      return has_it(addressing->media) || has_it(addressing->init);
    };
    if (one.id.empty() && need(&UriTemplate::names_representation))
      element.refuse("\"id\" is missing, which the names of segments need");
    if (!states_bandwidth && need(&UriTemplate::names_bandwidth))
      element.refuse("\"bandwidth\" states no number, and the names of segments need one for $Bandwidth$");
  }

  const SetContext& context_;
  const StatedSegments& segments_;
  Representation common_;  // what the set states
  std::size_t bytes_inherited_;
  Duration availability_offset_;
};

/// The first one whose clock can be read.
std::optional<ProducerTime> read_producer_time(const XmlElement& set) {
  std::optional<ProducerTime> first;
  set.each("ProducerReferenceTime", [&](const XmlElement& reference) {
    const auto time = hint([&] { return reference.date_time("wallClockTime"); });
    const auto ticks = hint([&] { return reference.whole("presentationTime", 0, kMostTicks); });
    if (!first && time && ticks) first = {*time, *ticks};
  });
  return first;
}

/// A set that cannot be read, and why.
struct FaultySet {
  MediaKind kind = MediaKind::kOther;  // as far as it can be told
  std::string why;                     // with its place
};

/// What a set seems to be that cannot be read.
MediaKind kind_of_faulty(const XmlElement& set) {
  const auto kind_of = [](const XmlElement& element) {
    const auto text = [&](const char* attribute) { return element.text(attribute, kMostText).value_or(""); };
    return media_kind(text("contentType"), text("mimeType"), text("codecs"));
  };
  const MediaKind kind = kind_of(set);
  const auto representation = set.child("Representation");
  return kind == MediaKind::kOther && representation ? kind_of(*representation) : kind;
}

/// A fault that leaves sets which can be played is one of its set alone: a period without picture or without sound would
/// be another film.
bool can_be_left_out(const FaultySet& faulty, const std::vector<AdaptationSet>& sets) {
  const bool needed = faulty.kind == MediaKind::kVideo || faulty.kind == MediaKind::kAudio;
  return std::ranges::any_of(
      sets, [&](const AdaptationSet& set) { return !set.trick_mode && (!needed || set.kind == faulty.kind); });
}

/// Nothing: the set, or each of its representations, is left out, and `so_far.left_out` says why. Throws MpdError.
std::optional<AdaptationSet> read_set(const XmlElement& element, const SetContext& context) {
  if (!is_here(element)) return std::nullopt;
  Representation common;
  common.essential_properties = read_descriptors(element, "EssentialProperty");
  if (const Descriptor* const unknown = unknown_property(common.essential_properties)) {
    const std::string why = fmt::format("its EssentialProperty {} is not known", unknown->scheme);
    if (kind_of_faulty(element) == MediaKind::kVideo) element.refuse(why);
    leave_out(element, why, context.so_far.left_out);
    return std::nullopt;
  }
  common.essential_properties.clear();
  read_common(element, common);

  AdaptationSet set;
  set.place = element.place();
  set.id = element.text("id").value_or("");
  set.lang = element.text("lang").value_or("");
  if (const auto label = element.child("Label")) set.label = label->content(kLongestName);
  set.roles = read_descriptors(element, "Role");
  set.accessibility = read_descriptors(element, "Accessibility");
  set.trick_mode = find_scheme(common.essential_properties, kTrickMode) != nullptr;
  set.parts_begin_anew = parts_begin_anew(element);
  set.producer_time = read_producer_time(element);
  set.base_urls = read_base_urls(element);
  const StatedSegments segments = StatedSegments::read(element, context.segments);
  const RepresentationReader reader{context, segments, common,
                                    context.availability_offset + availability_offset(set.base_urls)};
  reader.read_all(element, set.representations);
  if (set.representations.empty()) {
    leave_out(element, "none of its representations can be played", context.so_far.left_out);
    return std::nullopt;
  }
  const Representation& first = set.representations.front();
  set.kind = first.tiles ? MediaKind::kImage
                         : media_kind(element.text("contentType").value_or(""), first.mime_type, first.codecs);
  return set;
}

}  // namespace

BaseUrls read_base_urls(const XmlElement& level) {
  BaseUrls urls;
  level.each("BaseURL", [&](const XmlElement& element) {
    urls.push_back({element.content(kLongestUrl), element.text("serviceLocation").value_or(""),
                    hint([&] { return element.seconds("availabilityTimeOffset"); }).value_or(Duration{})});
  });
  return urls;
}

Duration availability_offset(const BaseUrls& urls) {
  return urls.empty() ? Duration{} : urls.front().availability_offset;
}

std::vector<Descriptor> read_descriptors(const XmlElement& element, std::string_view name) {
  std::vector<Descriptor> descriptors;
  element.each(name, [&](const XmlElement& descriptor) {
    descriptors.push_back(
        {descriptor.text("schemeIdUri").value_or(""), descriptor.text("value", kLongestUrl).value_or("")});
  });
  return descriptors;
}

std::vector<AdaptationSet> read_sets(const XmlElement& period, const SetContext& context) {
  std::vector<AdaptationSet> sets;
  std::vector<FaultySet> faulty;
  std::size_t count = 0;
  period.each("AdaptationSet", [&](const XmlElement& each) {
    if (++count > kMostSets) refuse_all(each, fmt::format("more than {} sets in one period", kMostSets));
    try {
      if (auto set = read_set(each, context)) sets.push_back(std::move(*set));
    } catch (const MpdTooLarge&) {
      throw;
    } catch (const MpdError& fault) {
      faulty.push_back({kind_of_faulty(each), fault.what()});
    }
  });
  for (FaultySet& one : faulty) {
    if (!can_be_left_out(one, sets)) throw MpdError{one.why};
    leave_out(std::move(one.why), context.so_far.left_out);
  }
  for (std::string& why : leave_out_sequences(sets, context.by_parts))
    leave_out(std::move(why), context.so_far.left_out);
  return sets;
}

}  // namespace tributary::dash
