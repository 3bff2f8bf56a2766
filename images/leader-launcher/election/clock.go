// Package election holds what a launcher decides, as values: no I/O, no goroutine, no clock of its own.
package election

import (
	"syscall"
	"time"
	"unsafe"
)

// Instant is a time on a clock that never steps back. Instants of two machines cannot be compared.
type Instant time.Duration

// Never lies before every instant of a running machine.
const Never = Instant(-1 << 62)

// Add returns the instant a duration later.
func (i Instant) Add(d time.Duration) Instant { return i + Instant(d) }

// Since returns how long ago an earlier instant was.
func (i Instant) Since(earlier Instant) time.Duration { return time.Duration(i - earlier) }

const clockBoottime = 7

// Now reads CLOCK_BOOTTIME, which also counts the time that a machine is suspended. Go's own clock does not, so a lease would
// seem to last longer than others believe.
func Now() Instant {
	var spec syscall.Timespec
	_, _, failed := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockBoottime, uintptr(unsafe.Pointer(&spec)), 0)
	if failed != 0 {
		panic("the kernel has no CLOCK_BOOTTIME: " + failed.Error())
	}
	return Instant(spec.Nano())
}
