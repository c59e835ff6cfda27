#include "gst/pipeline/subtitles.hh"

#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "gst/gst_handles.hh"
#include "transport/documents/document_fetch.hh"

namespace tributary {
namespace {

constexpr DataSize kLargest{16'000'000};

struct Stopped {};

/// GStreamer's parser takes the entities of WebVTT for plain text, and escapes their "&" once more. Undoes that.
std::string with_entities(std::string markup) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kEntities{{{"&amp;amp;", "&amp;"},
                                                                                    {"&amp;lt;", "&lt;"},
                                                                                    {"&amp;gt;", "&gt;"},
                                                                                    {"&amp;nbsp;", "\u00a0"},
                                                                                    {"&amp;lrm;", "\u200e"},
                                                                                    {"&amp;rlm;", "\u200f"}}};
  for (std::size_t at = markup.find('&'); at != std::string::npos; at = markup.find('&', at + 1)) {
    for (const auto& [written, meant] : kEntities) {
      if (markup.compare(at, written.size(), written) != 0) continue;
      markup.replace(at, written.size(), meant);
      break;
    }
  }
  return markup;
}

std::string text_in(GstBuffer* buffer) {
  GstMapInfo map;
  if (gst_buffer_map(buffer, &map, GST_MAP_READ) == FALSE) return "";
  std::string text{reinterpret_cast<const char*>(map.data), map.size};
  gst_buffer_unmap(buffer, &map);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\0')) text.pop_back();
  return with_entities(std::move(text));
}

GstHandle<GstElement> parsing_pipeline() {
  GError* error = nullptr;
  GstHandle<GstElement> pipeline{gst_parse_launch(
      "appsrc name=in format=bytes caps=application/x-subtitle-vtt ! subparse ! appsink name=out sync=false", &error)};
  if (error != nullptr) throw std::runtime_error{GlibError{error} -> message};
  return pipeline;
}

}  // namespace

Cues::Cues(std::vector<Cue> cues) : cues_{std::move(cues)} {
  std::stable_sort(cues_.begin(), cues_.end(), [](const Cue& a, const Cue& b) { return a.begin < b.begin; });
  for (const Cue& cue : cues_) longest_ = std::max(longest_, cue.end - cue.begin);
}

std::string Cues::at(Duration position) const {
  const auto after = std::upper_bound(cues_.begin(), cues_.end(), position,
                                      [](Duration at, const Cue& cue) { return at < cue.begin; });
  std::string text;
  for (auto cue = after; cue != cues_.begin();) {
    --cue;
    if (cue->begin + longest_ <= position) break;
    if (cue->end > position) text = cue->markup + (text.empty() ? "" : "\n") + text;
  }
  return text;
}

Cues parse_subtitles(const std::string& webvtt) {
  if (!webvtt.starts_with("WEBVTT") && !webvtt.starts_with("\xef\xbb\xbfWEBVTT"))
    throw std::runtime_error{"the subtitles do not begin with WEBVTT"};
  const GstHandle<GstElement> pipeline = parsing_pipeline();
  const GstHandle<GstElement> in{gst_bin_get_by_name(GST_BIN(pipeline.get()), "in")};
  const GstHandle<GstElement> out{gst_bin_get_by_name(GST_BIN(pipeline.get()), "out")};
  gst_element_set_state(pipeline.get(), GST_STATE_PLAYING);
  GstBuffer* const buffer = gst_buffer_new_allocate(nullptr, webvtt.size(), nullptr);
  gst_buffer_fill(buffer, 0, webvtt.data(), webvtt.size());
  GST_BUFFER_OFFSET(buffer) = 0;
  gst_app_src_push_buffer(GST_APP_SRC(in.get()), buffer);
  gst_app_src_end_of_stream(GST_APP_SRC(in.get()));
  std::vector<Cue> cues;
  while (const GstHandle<GstSample> sample{gst_app_sink_try_pull_sample(GST_APP_SINK(out.get()), 5 * GST_SECOND)}) {
    GstBuffer* const text = gst_sample_get_buffer(sample.get());
    if (!GST_BUFFER_PTS_IS_VALID(text) || !GST_BUFFER_DURATION_IS_VALID(text)) continue;
    const Duration begin{static_cast<Duration::rep>(GST_BUFFER_PTS(text))};
    cues.push_back({begin, begin + Duration{static_cast<Duration::rep>(GST_BUFFER_DURATION(text))}, text_in(text)});
  }
  gst_element_set_state(pipeline.get(), GST_STATE_NULL);
  return Cues{std::move(cues)};
}

SubtitleLoader::SubtitleLoader(Source source, const MainContext& context, Loaded loaded)
    : source_{std::move(source)}, context_{context}, loaded_{std::move(loaded)}, thread_{[this] { run(); }} {}

SubtitleLoader::~SubtitleLoader() {
  *alive_ = false;
  stopping_ = true;
  loop_.wake_up();
  thread_.join();
}

void SubtitleLoader::run() {
  auto cues = std::make_shared<Cues>();
  std::string error;
  try {
    *cues = parse_subtitles(fetch());
  } catch (const Stopped&) {
    return;
  } catch (const std::exception& failure) {
    error = failure.what();
  }
  context_.post([alive = alive_, loaded = loaded_, cues, error] {
    if (*alive) loaded(std::move(*cues), error);
  });
}

std::string SubtitleLoader::fetch() {
  std::vector<std::string> links = source_.links;
  if (links.empty()) links.emplace_back();
  std::string error;
  for (const std::string& link : links) {
    try {
      transport::DocumentFetch document{
          loop_, source_.url, {.link = link, .ca_file = source_.ca_file}, {.size = kLargest}};
      while (!stopping_) {
        if (auto found = document.result()) return std::move(found->text);
        loop_.wait(std::nullopt);
      }
      throw Stopped{};
    } catch (const transport::FetchError& failure) {
      error += (error.empty() ? "" : "; ") + std::string{failure.what()};
    }
  }
  throw std::runtime_error{error};
}

}  // namespace tributary
