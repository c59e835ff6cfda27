// The contract of all transports, kept by the simulated one in virtual time.
#include "simulation/simulated_transport.hh"
#include "transport_contract.hh"

namespace tributary::transport {
namespace {

class SimulatedWorld final : public ContractWorld {
 public:
  explicit SimulatedWorld(const std::string& scenario) : link_{parse_scenario(scenario).front()} {}

  HttpTransport& transport() override { return transport_; }
  TimePoint now() override { return now_; }
  void step() override {
    if (const auto deadline = transport_.next_deadline()) now_ = std::max(now_, *deadline);
    transport_.advance(now_);
  }
  std::string target() const override { return "/film.mp4"; }
  DataSize file_size() const override { return DataSize{2'000'000}; }
  std::optional<std::string> content(ByteRange /*range*/) const override { return std::nullopt; }
  std::optional<std::string> missing_target() const override { return std::nullopt; }

 private:
  LinkScenario link_;
  Bottleneck bottleneck_{link_, 1};
  SimulatedTransport transport_{link_, bottleneck_};
  TimePoint now_{};
};

ContractCase simulated_case(const std::string& name, const std::string& scenario) {
  return {name, [scenario] { return std::make_unique<SimulatedWorld>(scenario); }};
}

INSTANTIATE_TEST_SUITE_P(Simulated, TransportContract,
                         testing::Values(simulated_case("Simulated", "wifi 16Mbps 20ms"),
                                         simulated_case("SimulatedSlow", "edge 500kbps 300ms"),
                                         simulated_case("SimulatedWithLoss", "lte 8Mbps 60ms, loss 1%")),
                         contract_case_name);

}  // namespace
}  // namespace tributary::transport
