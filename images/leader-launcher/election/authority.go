package election

import "time"

// Authority is the right to lead in a term. It follows from the Lease, or from promises of all other candidates. Both count from
// the moment before the request was sent.
type Authority struct {
	Term int64
	// From is when the request of the last success was sent.
	From Instant
	// By is "Lease" or "Promises".
	By string
	// Lost: the Lease names somebody else. Nothing but another role brings the authority back.
	Lost bool

	deadline time.Duration
	duration time.Duration
}

// NewAuthority returns one that does not hold yet.
func NewAuthority(role *Role) Authority {
	return Authority{
		Term: role.Term, From: Never,
		deadline: role.Lease.RenewDeadline.Duration(), duration: role.Lease.Duration.Duration(),
	}
}

// Extend records a success.
func (a *Authority) Extend(sent Instant, by string) {
	if a.Lost || sent <= a.From {
		return
	}
	a.From, a.By = sent, by
}

// Holds tells whether the launcher may let its application accept writes.
func (a Authority) Holds(now Instant) bool {
	return !a.Lost && a.From != Never && now < a.From.Add(a.deadline)
}

// Overdue tells that the application must be killed if it still accepts writes: it did not obey in half of the time that is left
// until another candidate may lead.
func (a Authority) Overdue(now Instant) bool {
	return a.From == Never || now >= a.From.Add((a.deadline+a.duration)/2)
}

// News is when a replica last had proof that its leader may lead, as the time of the leader's renewal.
type News struct {
	Term int64
	Boot string
	// At is not later than the last success of the leader.
	At Instant
	// Confirmed is when the launcher of the leader last said that it leads.
	Confirmed Instant
}

// Fresh tells whether the leader of the role may still lead.
func (n News) Fresh(role *Role, now Instant) bool {
	return n.about(role) && now < n.At.Add(role.Lease.Duration.Duration())
}

// ConfirmedWithin tells whether the leader's launcher has said lately that it leads.
func (n News) ConfirmedWithin(role *Role, now Instant, within time.Duration) bool {
	return n.about(role) && now < n.Confirmed.Add(within)
}

func (n News) about(role *Role) bool {
	return role.Leader != nil && n.Term == role.Term && n.Boot == role.Leader.Boot
}

// FromAgo returns the milliseconds since the last success.
func (a Authority) FromAgo(now Instant) int64 { return now.Since(a.From).Milliseconds() }
