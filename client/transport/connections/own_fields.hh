#pragma once

#include <string>
#include <string_view>

#include "transport/connections/origin.hh"
#include "transport/http_transport.hh"

namespace tributary::transport {

/// Fields that the user adds to the requests for an address.
struct OwnFields {
  Origin origin;         // of the address
  RequestFields fields;  // for all requests, but those that may be secret (Authorization, Cookie) for this origin only

  /// Those of a request to this origin.
  RequestFields for_origin(const Origin& to) const;
};

/// Reads "Name: value". Throws std::invalid_argument for anything else, and for fields that requests have already: they
/// say which bytes are wanted, and how the connection is used.
RequestFields::value_type read_field(std::string_view line);

/// The field that names a user by a password (RFC 7617).
RequestFields::value_type basic_authorization(std::string_view user, std::string_view password);

/// Whether one of the fields has this name, in any case.
bool has_field(const RequestFields& fields, std::string_view name);
bool is_same_name(std::string_view a, std::string_view b);

}  // namespace tributary::transport
