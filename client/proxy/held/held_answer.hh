#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "manifests/manifest_files.hh"
#include "proxy/files/incoming_file.hh"
#include "transport/connections/curl_loop.hh"
#include "transport/connections/link_rules.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary::proxy {

/// What is asked of an origin, over one link or several, and what becomes of it.
class HeldAnswer {
 public:
  virtual ~HeldAnswer() = default;

  /// The question over one link. Ends with the object.
  class Attempt {
   public:
    virtual ~Attempt() = default;
    enum class State {
      kWaits,  // nothing that was not there before has come since the last call
      kComes,  // something has
      kThere,  // all has
    };
    /// To be called when the loop has seen activity. Throws transport::FetchError.
    virtual State advance() = 0;
    /// Bytes since the last call.
    virtual DataSize take_received() = 0;
  };
  virtual std::unique_ptr<Attempt> ask(transport::CurlLoop& loop, const transport::LinkRules& over_link) = 0;
  /// One of the two is called, once. kThere of an attempt comes before came().
  virtual void came() = 0;
  virtual void failed(unsigned status, const std::string& why) = 0;
};

/// A playlist or manifest, in any content coding. `done` gets it, or else the status of HTTP and the reason.
struct HeldDocument {
  std::optional<FetchedFile> file;
  unsigned status = 200;
  std::string why;
};
std::unique_ptr<HeldAnswer> held_document(std::string url, Duration at_most, std::function<void(HeldDocument)> done);

/// Bytes of a file, which are put into `file` as they come: all of it, or from a place on, where `file` begins.
std::unique_ptr<HeldAnswer> held_file(std::string url, std::optional<DataSize> from,
                                      std::shared_ptr<IncomingFile> file);

}  // namespace tributary::proxy
