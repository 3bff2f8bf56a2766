package launcher

import (
	"sort"

	"reconstruct.dev/leader-launcher/application"
	"reconstruct.dev/leader-launcher/election"
)

// Report is the answer of GET /v1/status. operator/controllers/leader/ports/launchers.ts describes its fields.
type Report struct {
	election.Identity
	Term       int64             `json:"term"`
	Role       election.Kind     `json:"role"`
	Leads      bool              `json:"leads"`
	Authority  string            `json:"authority,omitempty"`
	RenewedAgo *int64            `json:"renewedAgo,omitempty"`
	FencedAt   int64             `json:"fencedAt"`
	PromisedTo *Promised         `json:"promisedTo,omitempty"`
	Handover   *FailedHandover   `json:"handover,omitempty"`
	Problem    string            `json:"problem,omitempty"`
	App        ApplicationReport `json:"application"`
}

// Promised is a promise that still runs.
type Promised struct {
	Term int64  `json:"term"`
	Boot string `json:"boot"`
}

// FailedHandover tells why a leader kept its role.
type FailedHandover struct {
	Term    int64  `json:"term"`
	To      string `json:"to"`
	Problem string `json:"problem"`
	Request string `json:"request,omitempty"`
}

// ApplicationReport is what the application says of itself.
type ApplicationReport struct {
	IsRunning     bool     `json:"isRunning"`
	Version       string   `json:"version"`
	ReplicationID string   `json:"replicationId"`
	SecondID      string   `json:"secondReplicationId,omitempty"`
	SecondOffset  *int64   `json:"secondOffset,omitempty"`
	Offset        *int64   `json:"offset,omitempty"`
	IsComplete    bool     `json:"isComplete"`
	HasData       *bool    `json:"hasData,omitempty"`
	IsLinked      *bool    `json:"isLinked,omitempty"`
	IsFresh       *bool    `json:"isFresh,omitempty"`
	ConfirmedBy   []string `json:"confirmedBy,omitempty"`
}

func (s *state) report(now election.Instant) Report {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := Report{
		Identity: s.identity, Term: s.memory.Term, Role: s.enforcedRole(), FencedAt: s.fencedAt,
		Handover: s.failedHandover, Problem: s.obstacle(), App: s.applicationReport(now),
	}
	if s.mayLead(now) {
		ago := s.authority.FromAgo(now)
		r.Leads, r.Authority, r.RenewedAgo = true, s.authority.By, &ago
	}
	if p := s.memory.Promised(now); p != nil {
		r.PromisedTo = &Promised{p.Term, p.Boot}
	}
	return r
}

// obstacle is what keeps the launcher from its role, for people.
func (s *state) obstacle() string {
	for _, problem := range []string{s.problem, s.appProblem, s.refusal} {
		if problem != "" {
			return problem
		}
	}
	return ""
}

func (s *state) enforcedRole() election.Kind {
	switch s.enforced.Kind {
	case election.Leading:
		return election.Leader
	case election.Following:
		return election.Replica
	}
	return election.None
}

func (s *state) applicationReport(now election.Instant) ApplicationReport {
	o := s.observation
	r := ApplicationReport{
		IsRunning: s.answers(now) && !o.IsLoading, Version: o.Version,
		ReplicationID: o.ReplicationID, SecondID: o.SecondID, IsComplete: s.isComplete,
	}
	if o.SecondID != "" {
		r.SecondOffset = &o.SecondOffset
	}
	if o.Version != "" && !o.IsLoading {
		has := o.Keys > 0
		r.HasData, r.Offset = &has, &o.Offset
	}
	role := s.memory.Role
	switch {
	case o.DetachedFrom():
	case role != nil && role.Role == election.Replica:
		linked, fresh := o.LinkUp, o.LinkUp && o.SinceNews <= role.MaxLag.Duration()
		r.IsLinked, r.IsFresh = &linked, &fresh
	case role != nil && o.IsPrimary:
		r.ConfirmedBy = confirmers(o, role)
	}
	return r
}

func confirmers(o application.Observation, role *election.Role) []string {
	var found []string
	for _, one := range o.Followers {
		if one.Online && one.Lag <= role.MaxLag.Duration() {
			found = append(found, one.Address)
		}
	}
	sort.Strings(found)
	return found
}
