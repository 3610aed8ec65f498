#pragma once

#include "base/result.hpp"
#include "kinds/virtual_machine.hpp"
#include "object/document.hpp"
#include "subresources/options.hpp"

// Volumes that come to a guest while it runs, and go: written into its spec, from which its node takes them.
namespace godwit::subresources {

// What is wrong with the request itself, whatever the guest.
Result<> checkRequest(const AddVolumeOptions& options);
Result<> checkRequest(const RemoveVolumeOptions& options);

// Why the volumes that are there do not allow it, in KubeVirt's words; empty when they do.
std::string obstacle(const std::vector<kinds::VolumeSpec>& volumes, const AddVolumeOptions& options);
std::string obstacle(const std::vector<kinds::VolumeSpec>& volumes, const RemoveVolumeOptions& options);

// Changes the spec of an instance, in its template or its own. Whatever else the body says of the disk is kept.
void addVolume(const object::Document& body, json::object& spec);
void removeVolume(const RemoveVolumeOptions& options, json::object& spec);

// Whether the volume that is asked for is there already, as it was asked for.
bool hasVolume(const std::vector<kinds::VolumeSpec>& volumes, const AddVolumeOptions& options);

}  // namespace godwit::subresources
