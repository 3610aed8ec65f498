#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace godwit {

// The addresses of one network, IPv4 or IPv6, written as "10.77.0.0/24".
class Cidr {
 public:
  // Invalid when it is none, or names one address of the network instead of the network.
  static Result<Cidr> parse(const std::string& text);

  int length() const { return length_; }
  // How many addresses a host can have in it, as far as anybody counts.
  std::uint32_t hosts() const;
  bool contains(const std::string& address) const;
  // The address that many places after the network's own.
  std::string host(std::uint32_t number) const;

 private:
  Cidr(std::vector<std::uint8_t> bytes, int length) : bytes_(std::move(bytes)), length_(length) {}

  std::vector<std::uint8_t> bytes_;  // of the network's own address
  int length_;
};

}  // namespace godwit
