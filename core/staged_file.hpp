// A file that appears whole or not at all: written beside its place, then renamed. Devices, pipes and folders are never
// replaced: what is written to them goes there at once. A symbolic link is followed.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace sassafras {

class StagedFile {
  public:
    explicit StagedFile(const std::string& path) : target_(path), place_(path) {
        std::error_code failed;
        if (std::filesystem::is_symlink(std::filesystem::symlink_status(target_, failed)))
            if (auto followed = std::filesystem::weakly_canonical(target_, failed); !failed)
                target_ = place_ = std::move(followed);
        const auto status = std::filesystem::status(target_, failed);
        if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) place_ += ".sassafras-part";
    }
    /// Where to write.
    [[nodiscard]] const std::filesystem::path& place() const { return place_; }
    /// What was written takes its place. False if it cannot.
    [[nodiscard]] bool commit() const {
        if (place_ == target_) return true;
        std::error_code failed;
        std::filesystem::rename(place_, target_, failed);
        return !failed;
    }
    void discard() const {
        std::error_code ignored;
        if (place_ != target_) std::filesystem::remove(place_, ignored);
    }

  private:
    std::filesystem::path target_;
    std::filesystem::path place_;
};

}  // namespace sassafras
