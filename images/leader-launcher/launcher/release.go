package launcher

import (
	"context"
	"errors"
	"time"

	"reconstruct.dev/leader-launcher/election"
	"reconstruct.dev/leader-launcher/kubernetes"
)

const (
	// releaseTimeout bounds one try to release the Lease.
	releaseTimeout = 3 * time.Second
	releasePause   = time.Second
)

// releaseIfIdle gives the Lease back when the application was seen to be closed and the role is another one, or the end is near. A
// leader whose authority only lapsed keeps the Lease: it leads on when it can renew it.
func (l *Launcher) releaseIfIdle() {
	if !l.state.holdsInVain() || election.Now() < l.nextRelease {
		return
	}
	l.nextRelease = election.Now().Add(releasePause)
	l.release("Fenced")
}

func (s *state) holdsInVain() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	role := s.memory.Role
	isOver := s.stopping || s.authority.Lost || role == nil || role.Role != election.Leader || role.Term != s.authority.Term
	return s.holdsLease && !s.accepts && isOver
}

// release tries once. Others wait for the end of the lease if it fails.
func (l *Launcher) release(reason string) {
	l.leaseLock.Lock()
	defer l.leaseLock.Unlock()
	if l.lease == nil {
		return
	}
	content := l.pending
	if content == nil || content.Term != l.lease.Term {
		content = l.releaseFor(&election.Role{Term: l.lease.Term}, reason)
	}
	ctx, cancel := context.WithTimeout(context.Background(), releaseTimeout)
	defer cancel()
	err := l.lease.Release(ctx, *content)
	if err != nil && !errors.Is(err, kubernetes.ErrLost) {
		log("Could not release the Lease", "term", l.lease.Term, "error", err)
		return
	}
	log("Released the Lease", "term", l.lease.Term, "reason", content.Reason)
	l.pending = nil
	l.state.lose(l.lease.Term)
}
