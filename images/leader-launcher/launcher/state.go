package launcher

import (
	"sync"
	"time"

	"reconstruct.dev/leader-launcher/application"
	"reconstruct.dev/leader-launcher/election"
)

// state is what the goroutines of a launcher share.
type state struct {
	mu       sync.Mutex
	identity election.Identity
	memory   election.Memory
	stopping bool

	authority election.Authority
	// renewed is when the last successful renewal of the Lease was sent.
	renewed election.Instant
	// holdsLease: the Lease names this launcher, as far as it knows.
	holdsLease bool
	news       election.News

	observation application.Observation
	// observed is when the application last answered.
	observed   election.Instant
	isComplete bool

	// enforced is the last stance that was seen to hold.
	enforced election.Stance
	// accepts: the application may accept writes. It is set before the first command that leads there, and reset when the
	// application was seen not to.
	accepts  bool
	fencedAt int64

	problem string
	// appProblem is why the application does not answer.
	appProblem string
	// refusal is what the application last refused, until its stance holds.
	refusal        string
	failedHandover *FailedHandover
}

func newState(identity election.Identity) *state {
	return &state{
		identity: identity, memory: election.Memory{Boot: identity.Boot},
		authority: election.Authority{From: election.Never}, renewed: election.Never, observed: election.Never, isComplete: true,
	}
}

// role returns the obeyed role.
func (s *state) role() *election.Role {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.memory.Role
}

// mayLead tells whether the application leads by right. The caller holds the lock.
func (s *state) mayLead(now election.Instant) bool {
	role := s.memory.Role
	return role != nil && role.Role == election.Leader && !s.stopping &&
		s.authority.Term == role.Term && s.authority.Holds(now) && s.enforced.Kind == election.Leading
}

// leaderRole returns the role in whose name the Lease is renewed. Nil if it is not.
func (s *state) leaderRole() *election.Role {
	s.mu.Lock()
	defer s.mu.Unlock()
	role := s.memory.Role
	if role == nil || role.Role != election.Leader || s.authority.Term != role.Term || s.authority.Lost {
		return nil
	}
	if s.stopping && !s.accepts {
		return nil
	}
	return role
}

// extend records that the Lease was renewed, or that everybody has promised.
func (s *state) extend(term int64, sent election.Instant, by string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.authority.Term != term {
		return
	}
	s.authority.Extend(sent, by)
	if by == byLease {
		s.renewed, s.holdsLease = sent, true
	}
}

const (
	byLease    = "Lease"
	byPromises = "Promises"
)

func (s *state) lose(term int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.authority.Term == term {
		s.authority.Lost, s.holdsLease = true, false
	}
}

// mustDie tells that the application may accept writes without a right to.
func (s *state) mustDie(now election.Instant) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accepts && s.authority.Overdue(now)
}

// promise gives a promise, or returns why not. A promise is news of the leader too.
func (s *state) promise(p election.Promise, now election.Instant) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if problem := s.memory.Give(p, now); problem != "" {
		return problem
	}
	if s.news.Term != p.Term || s.news.Boot != p.Boot {
		s.news = election.News{Term: p.Term, Boot: p.Boot, Confirmed: election.Never}
	}
	s.news.At = now
	return ""
}

// hear records that the leader of a role leads.
func (s *state) hear(news election.News) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.news.Term == news.Term && s.news.Boot == news.Boot && s.news.At > news.At {
		news.At = s.news.At
	}
	s.news = news
}

// silence is how long an application may not answer before it counts as not running.
const silence = 3 * time.Second

// answers tells whether the application has answered lately. The caller holds the lock.
func (s *state) answers(now election.Instant) bool {
	return s.observed != election.Never && now < s.observed.Add(silence)
}
