package launcher

import (
	"io"
	"os"
	"path/filepath"
)

// Install copies this program into a directory. The copy appears at once and whole.
func Install(directory string) error {
	from, err := os.Open("/proc/self/exe")
	if err != nil {
		return err
	}
	defer from.Close()
	target := filepath.Join(directory, "leader-launcher")
	to, err := os.OpenFile(target+".new", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(to, from); err != nil {
		return err
	}
	if err := to.Close(); err != nil {
		return err
	}
	// The mode of a new file depends on umask.
	if err := os.Chmod(target+".new", 0o755); err != nil {
		return err
	}
	return os.Rename(target+".new", target)
}
