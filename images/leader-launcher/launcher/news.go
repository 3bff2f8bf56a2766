package launcher

import (
	"context"
	"time"

	"reconstruct.dev/leader-launcher/election"
)

const (
	// newsTimeout bounds one question to another launcher.
	newsTimeout = time.Second
	// urgentNews is the time between two questions of a replica without a link.
	urgentNews = 200 * time.Millisecond
	// acquaintance is the time between two questions to all candidates. By them, launchers accept each other's tokens before the
	// API server is away.
	acquaintance = 20 * time.Second
)

// followNews asks the leader's launcher whether it leads. It never returns.
func (l *Launcher) followNews() {
	for {
		role := l.state.role()
		if role == nil || role.Role != election.Replica {
			time.Sleep(idle)
			continue
		}
		l.askLeader(role)
		wait := min(role.Lease.RetryPeriod.Duration()/2, time.Second)
		if !l.state.isLinked(role) {
			wait = min(wait, urgentNews)
		}
		l.pause(wait, func() bool { return l.state.role() == role })
	}
}

func (l *Launcher) askLeader(role *election.Role) {
	ctx, cancel := context.WithTimeout(context.Background(), newsTimeout)
	defer cancel()
	sent := election.Now()
	report, err := l.peers.status(ctx, *role.Leader)
	if err != nil || report.Identity != role.Leader.Identity || report.Term != role.Term || !report.Leads || report.RenewedAgo == nil {
		return
	}
	renewed := sent.Add(-time.Duration(*report.RenewedAgo) * time.Millisecond)
	l.state.hear(election.News{Term: role.Term, Boot: role.Leader.Boot, At: renewed, Confirmed: sent})
}

// isLinked tells whether the application follows the leader of a role, and hears from it.
func (s *state) isLinked(role *election.Role) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.observation
	return role.Leader != nil && o.Follows(role.Leader.Address, role.Port) && (o.LinkUp || o.IsSyncing)
}

// meetPeers lets all candidates know this launcher's token. It never returns.
func (l *Launcher) meetPeers() {
	for {
		if role := l.state.role(); role != nil {
			for _, candidate := range role.Candidates {
				go func(candidate election.Candidate) {
					ctx, cancel := context.WithTimeout(context.Background(), newsTimeout)
					defer cancel()
					l.peers.status(ctx, candidate)
				}(candidate)
			}
			time.Sleep(acquaintance)
		}
		time.Sleep(idle)
	}
}

func min(one, other time.Duration) time.Duration {
	if one < other {
		return one
	}
	return other
}
