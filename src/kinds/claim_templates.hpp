#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinds/volume.hpp"
#include "object/document.hpp"

// Harvester's list of a VM's claims, a JSON array in an annotation of the VM. `targetVolume` beside a claim asks for
// its disk to be moved.
namespace godwit::kinds {

// One entry, in the form it has: with the claim inlined, as Harvester ships it, or under "pvc", as it was proposed.
class ClaimTemplate {
 public:
  explicit ClaimTemplate(json::object written) : written_(std::move(written)) {}

  std::string name() const;
  std::string storage() const;  // that it asks for
  std::string targetVolume() const;
  // Empty: none.
  void setTargetVolume(const std::string& claim);
  // Describes the claim from now on, and has no target.
  void become(const PersistentVolumeClaim& claim);

  const json::object& written() const { return written_; }

 private:
  const json::object& described() const;

  json::object written_;
};

using ClaimTemplates = std::vector<ClaimTemplate>;

// Nothing and an empty text are an empty list. Invalid says what cannot be read.
Result<ClaimTemplates> readClaimTemplates(const std::string& annotation);
std::string writeClaimTemplates(const ClaimTemplates& templates);

}  // namespace godwit::kinds
