#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace godwit::storage {

// A target of a tgt daemon, as `tgtadm` shows it.
struct Target {
  int id = 0;
  std::string name;
  std::string backing = {};  // of LUN 1; empty while it has none
  bool open = false;         // to every initiator

  bool operator==(const Target&) const = default;
};

std::vector<Target> parseTargets(std::string_view shown);

// One tgt daemon. For one caller at a time: targets are numbered by whoever makes them.
class Tgt {
 public:
  // `control` is what the daemon has for TGT_IPC_SOCKET; what tgtadm says goes through the file `scratch`.
  Tgt(std::string control, std::string scratch) : control_(std::move(control)), scratch_(std::move(scratch)) {}

  Result<std::vector<Target>> targets() const;
  // Serves a file as LUN 1 of that target, to everybody. Safe to repeat, whatever there is of it.
  Result<> serve(const std::string& name, const std::string& file) const;
  // Conflict when an initiator has it, unless that is not to matter. Succeeds when there is no such target.
  enum class InUse { Refuse, Ignore };
  Result<> withdraw(const std::string& name, InUse inUse) const;

 private:
  Result<std::string> run(std::vector<std::string> words) const;

  const std::string control_;
  const std::string scratch_;
};

}  // namespace godwit::storage
