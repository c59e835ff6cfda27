#include "segmenter/filters/filter_chain.hh"

extern "C" {
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
}

#include <cassert>

namespace tributary::segmenter {
namespace {

constexpr const char* kFiltering = "cannot filter";

AVFilterContext* find(AVFilterGraph& graph, const std::string& name) {
  AVFilterContext* const filter = avfilter_graph_get_filter(&graph, name.c_str());
  assert(filter != nullptr);  // our own text of the graph names it
  return filter;
}

}  // namespace

FilterChain::FilterChain(const std::string& text, const std::string& source, const std::string& sink, std::size_t sinks,
                         std::size_t sources)
    : graph_{avfilter_graph_alloc()} {
  if (!graph_) throw std::bad_alloc{};
  AVFilterInOut* inputs = nullptr;
  AVFilterInOut* outputs = nullptr;
  check(avfilter_graph_parse2(graph_.get(), text.c_str(), &inputs, &outputs), ExitCode::kCodec,
        "cannot set up the filters " + text);
  assert(inputs == nullptr && outputs == nullptr);
  check(avfilter_graph_config(graph_.get(), nullptr), ExitCode::kCodec, "cannot connect the filters " + text);
  for (std::size_t i = 0; i < sources; ++i)
    sources_.push_back(find(*graph_, source + (i == 0 ? "@in" : "@in" + std::to_string(i))));
  for (std::size_t i = 0; i < sinks; ++i) sinks_.push_back(find(*graph_, sink + "@" + std::to_string(i)));
}

void FilterChain::push(AVFrame& frame, std::size_t source) {
  check(av_buffersrc_add_frame_flags(sources_[source], &frame, AV_BUFFERSRC_FLAG_KEEP_REF), ExitCode::kCodec,
        kFiltering);
}

void FilterChain::end(std::int64_t time, std::size_t source) {
  check(av_buffersrc_close(sources_[source], time, AV_BUFFERSRC_FLAG_PUSH), ExitCode::kCodec, kFiltering);
}

FrameHandle FilterChain::pull(std::size_t index) {
  FrameHandle frame = make_frame();
  const int result = av_buffersink_get_frame(sinks_[index], frame.get());
  if (result == AVERROR(EAGAIN) || result == AVERROR_EOF) return nullptr;
  check(result, ExitCode::kCodec, kFiltering);
  return frame;
}

}  // namespace tributary::segmenter
