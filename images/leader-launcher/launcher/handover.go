package launcher

import (
	"strconv"
	"time"

	"reconstruct.dev/leader-launcher/application"
	"reconstruct.dev/leader-launcher/election"
	"reconstruct.dev/leader-launcher/kubernetes"
)

const (
	// orderlyEnd is how long a leader that ends waits for a replica to have everything.
	orderlyEnd = 5 * time.Second
	// confirmTimeout bounds one wait for confirmations: it must be below commandTimeout.
	confirmTimeout = 200 * time.Millisecond
)

// handOverIfAsked gives the role to the candidate that the operator names. It returns whether it tried to.
func (l *Launcher) handOverIfAsked(stance election.Stance) bool {
	if stance.Kind != election.Leading || stance.Role.Handover == nil || !l.state.leadsNow() {
		return false
	}
	order := *stance.Role.Handover
	if l.lastOrder == order {
		return false
	}
	l.lastOrder = order
	if problem := l.handOver(stance.Role, &order.To, order.Deadline.Duration(), "Handover"); problem != "" {
		log("Did not hand over", "to", order.To.Name, "problem", problem)
		l.state.failHandover(FailedHandover{Term: stance.Role.Term, To: order.To.Name, Problem: problem, Request: order.Request})
	}
	return true
}

// handOver ends all writes, waits until a replica has them, and gives the Lease back. Without a certain candidate it ends in any case.
// It returns why the leader leads on.
func (l *Launcher) handOver(role *election.Role, to *election.Identity, patience time.Duration, reason string) string {
	until := election.Now().Add(patience)
	if to != nil {
		if problem := nearby(l.state.seen(), role, to); problem != "" {
			return problem
		}
	}
	// From here nobody can write. The term is written once more, so that replicas are asked for something new.
	found, problem := (*election.Identity)(nil), "the application does not close its clients"
	if l.send(application.CloseClients()) {
		l.send([][]string{{"SET", application.TermKey, strconv.FormatInt(role.Term, 10)}})
		found, problem = l.awaitCopy(role, to, until)
	}
	if found == nil && to != nil {
		return problem
	}
	l.state.abandon(role.Term)
	if !l.fence(role) {
		l.kill(reason, "it does not stop to accept writes")
		return ""
	}
	l.pending = l.releaseFor(role, reason)
	l.pending.To = found
	return ""
}

// nearby returns why a candidate is too far behind to be waited for.
func nearby(o application.Observation, role *election.Role, to *election.Identity) string {
	for _, one := range o.Followers {
		if candidate := candidateAt(role, one.Address); candidate != nil && candidate.Boot == to.Boot {
			if !one.Online || one.Lag > role.MaxLag.Duration() {
				return "it has not confirmed a write within maxLag"
			}
			return ""
		}
	}
	return "it is not attached as a replica"
}

// awaitCopy waits until a replica has everything.
func (l *Launcher) awaitCopy(role *election.Role, to *election.Identity, until election.Instant) (*election.Identity, string) {
	if !l.observe() {
		return nil, "the application does not answer"
	}
	all := l.state.seen()
	for election.Now() < until && len(all.Followers) > 0 {
		l.send([][]string{{"WAIT", strconv.Itoa(len(all.Followers)), strconv.Itoa(int(confirmTimeout.Milliseconds()))}})
		if l.decide().Kind != election.Leading || !l.observe() {
			return nil, "the authority to lead has ended"
		}
		for _, one := range l.state.seen().Followers {
			candidate := candidateAt(role, one.Address)
			if candidate != nil && one.Offset >= all.Offset && (to == nil || candidate.Boot == to.Boot) {
				return &candidate.Identity, ""
			}
		}
	}
	return nil, "it did not get all writes in time"
}

func candidateAt(role *election.Role, address string) *election.Candidate {
	for at := range role.Candidates {
		if role.Candidates[at].Address == address {
			return &role.Candidates[at]
		}
	}
	return nil
}

// fence closes the application, and sees that it is.
func (l *Launcher) fence(role *election.Role) bool {
	closed := election.Stance{Kind: election.Closed, Role: role}
	l.send(application.Fence())
	if !l.observe() || !application.Holds(closed, l.state.seen(), l.place) {
		return false
	}
	l.state.settle(closed)
	return true
}

func (l *Launcher) releaseFor(role *election.Role, reason string) *kubernetes.Release {
	release := &kubernetes.Release{By: l.state.identity, Term: role.Term, Reason: reason}
	if o := l.state.seen(); o.DetachedFrom() {
		offset := o.Offset
		release.ReplicationID, release.Offset = o.ReplicationID, &offset
	}
	return release
}

func (s *state) leadsNow() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mayLead(election.Now())
}

// abandon ends the authority for good. The Lease is still to be released.
func (s *state) abandon(term int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.authority.Term == term {
		s.authority.Lost = true
	}
}

func (s *state) failHandover(failed FailedHandover) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failedHandover = &failed
}
