package election

import "time"

// Stance is what the application should be now.
type Stance struct {
	Kind StanceKind
	// Role is the obeyed role. Nil only if closed.
	Role *Role
}

// StanceKind is one of four.
type StanceKind int

const (
	// Closed: follows nobody, has no port and no client.
	Closed StanceKind = iota
	// Detached: follows nobody, and goes on answering reads if it did.
	Detached
	// Following: follows the leader of the role, and answers reads once it has a copy.
	Following
	// Leading: accepts writes.
	Leading
)

// Situation is everything that a stance follows from.
type Situation struct {
	Now       Instant
	Role      *Role
	Stopping  bool
	Authority Authority
	News      News
	// IsLinked: it has a link to the leader of the role, or copies from it.
	IsLinked bool
}

// confirmation is how old the word of the leader's launcher may be when a link is made.
const confirmation = 3 * time.Second

// StanceOf decides. Everything that is not proved closes or detaches.
func StanceOf(s Situation) Stance {
	role := s.Role
	if role == nil || s.Stopping {
		return Stance{Kind: Closed, Role: role}
	}
	switch role.Role {
	case Leader:
		if s.Authority.Term == role.Term && s.Authority.Holds(s.Now) {
			return Stance{Kind: Leading, Role: role}
		}
		return Stance{Kind: Closed, Role: role}
	case Replica:
		if !s.News.Fresh(role, s.Now) {
			return Stance{Kind: Detached, Role: role}
		}
		// A link that is made again could lead to another process at the same address, with no data. So the leader's launcher
		// is asked first.
		if s.IsLinked || s.News.ConfirmedWithin(role, s.Now, confirmation) {
			return Stance{Kind: Following, Role: role}
		}
		return Stance{Kind: Detached, Role: role}
	}
	return Stance{Kind: Closed, Role: role}
}

func (k StanceKind) String() string {
	return [...]string{"closed", "detached", "following", "leading"}[k]
}
