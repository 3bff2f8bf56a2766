package launcher

import (
	"context"
	"errors"
	"sync"
	"time"

	"reconstruct.dev/leader-launcher/election"
	"reconstruct.dev/leader-launcher/kubernetes"
)

// idle is how often a goroutine without work looks for some.
const idle = 50 * time.Millisecond

// renew keeps the Lease while the role is leader. It never returns.
func (l *Launcher) renew() {
	var problem string
	for {
		role := l.state.leaderRole()
		if role == nil {
			time.Sleep(idle)
			continue
		}
		sent := election.Now()
		err := l.renewOnce(role, sent)
		now := ""
		if err != nil {
			now = err.Error()
		}
		if now != problem && err != nil {
			log("Could not renew the Lease", "lease", role.Lease.Name, "term", role.Term, "error", err)
		}
		problem = now
		l.pause(role.Lease.RetryPeriod.Duration(), func() bool { return l.state.leaderRole() == role })
	}
}

func (l *Launcher) renewOnce(role *election.Role, sent election.Instant) error {
	// A request that hangs leaves time for another one.
	patience := (role.Lease.RenewDeadline.Duration() - role.Lease.RetryPeriod.Duration()) / 2
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	l.leaseLock.Lock()
	defer l.leaseLock.Unlock()
	if l.state.leaderRole() != role && !l.isSameTerm(role) {
		return nil
	}
	err := l.leaseOf(role).Renew(ctx)
	switch {
	case err == nil:
		l.state.extend(role.Term, sent, byLease)
	case errors.Is(err, kubernetes.ErrLost):
		l.state.lose(role.Term)
	}
	return err
}

func (l *Launcher) isSameTerm(role *election.Role) bool {
	present := l.state.leaderRole()
	return present != nil && present.Term == role.Term
}

// leaseOf returns the Lease of a role. The caller holds leaseLock.
func (l *Launcher) leaseOf(role *election.Role) *kubernetes.Lease {
	if l.lease == nil || l.lease.Term != role.Term || l.lease.Name != role.Lease.Name {
		l.lease = &kubernetes.Lease{
			Client: l.api, Namespace: l.options.Namespace, Name: role.Lease.Name,
			Holder: l.state.identity.Holder(), Term: role.Term, Duration: role.Lease.Duration.Duration(),
		}
	}
	return l.lease
}

// pause waits as long as a condition holds.
func (l *Launcher) pause(d time.Duration, holds func() bool) {
	for until := election.Now().Add(d); election.Now() < until && holds(); {
		time.Sleep(idle)
	}
}

// askPromises keeps the authority while the Lease cannot be renewed. It never returns.
func (l *Launcher) askPromises() {
	for {
		time.Sleep(idle)
		role := l.state.leaderRole()
		if role == nil || !l.state.needsPromises(role, election.Now()) {
			continue
		}
		sent := election.Now()
		if err := l.askAll(role); err != nil {
			log("Not every candidate promises", "term", role.Term, "error", err)
		} else {
			l.state.extend(role.Term, sent, byPromises)
		}
		l.pause(role.Lease.RetryPeriod.Duration(), func() bool { return l.state.leaderRole() != nil })
	}
}

// needsPromises: at least one renewal has failed, and the authority still holds.
func (s *state) needsPromises(role *election.Role, now election.Instant) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(role.Candidates) > 0 && s.authority.Holds(now) && s.accepts &&
		now >= s.renewed.Add(patienceOf(role.Lease))
}

// patienceOf is how old the last renewal is when others are asked for promises: two periods, if that leaves half of the time after the
// first one.
func patienceOf(times election.Lease) time.Duration {
	retry, deadline := times.RetryPeriod.Duration(), times.RenewDeadline.Duration()
	return min(2*retry, retry+(deadline-retry)/2)
}

func (l *Launcher) askAll(role *election.Role) error {
	ctx, cancel := context.WithTimeout(context.Background(), role.Lease.RetryPeriod.Duration())
	defer cancel()
	request := PromiseRequest{
		Election: role.Election, Term: role.Term, Boot: l.state.identity.Boot, Name: l.state.identity.Name,
		Duration: role.Lease.Duration,
	}
	failures := make(chan error, len(role.Candidates))
	var all sync.WaitGroup
	for _, candidate := range role.Candidates {
		all.Add(1)
		go func(candidate election.Candidate) {
			defer all.Done()
			if err := l.peers.promise(ctx, candidate, request); err != nil {
				failures <- err
			}
		}(candidate)
	}
	all.Wait()
	close(failures)
	return <-failures
}
