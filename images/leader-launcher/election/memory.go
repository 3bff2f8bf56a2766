package election

import "fmt"

// Promise is the word given to a leader: no role of a higher term is obeyed before it ends.
type Promise struct {
	Term  int64
	Boot  string
	Until Instant
}

// Memory is what one start of a launcher knows of roles. It starts empty: a restarted launcher obeys no earlier role, because each
// role names the start that it is for.
type Memory struct {
	Boot string
	// Term is the highest term of an obeyed role.
	Term int64
	// Role is the obeyed role. Nil: nobody is served.
	Role *Role
	// Promise is the last one given.
	Promise *Promise
}

// Consider takes what the role file has now, nil for a missing or malformed one. It returns why the role is not obeyed.
func (m *Memory) Consider(role *Role, now Instant) (problem string) {
	if role == nil {
		m.Role = nil
		return "it has no role"
	}
	if role.Boot != m.Boot {
		// The Pod keeps its annotation when its container restarts.
		return "its role is for another start of the container"
	}
	if role.Term < m.Term {
		return fmt.Sprintf("its role has term %d, and it has obeyed term %d", role.Term, m.Term)
	}
	if p := m.Promise; p != nil && role.Term > p.Term && now < p.Until {
		return fmt.Sprintf("it has promised the leader of term %d to wait", p.Term)
	}
	m.Term, m.Role = role.Term, role
	return ""
}

// Give gives a promise to a leader, or returns why not.
func (m *Memory) Give(p Promise, now Instant) (problem string) {
	if m.Term > p.Term {
		return fmt.Sprintf("it has obeyed term %d", m.Term)
	}
	if m.Role != nil && m.Term == p.Term {
		if m.Role.Role == Leader {
			return "it was told to lead in this term"
		}
		if m.Role.Role == Replica && m.Role.Leader.Boot != p.Boot {
			return "another candidate leads in this term"
		}
	}
	if old := m.Promise; old != nil && now < old.Until && (old.Term > p.Term || old.Term == p.Term && old.Boot != p.Boot) {
		return fmt.Sprintf("it has promised another leader of term %d", old.Term)
	}
	if old := m.Promise; old != nil && old.Term == p.Term && old.Until > p.Until {
		p.Until = old.Until
	}
	m.Promise = &p
	return ""
}

// Promised returns the promise that still runs.
func (m *Memory) Promised(now Instant) *Promise {
	if m.Promise != nil && now < m.Promise.Until {
		return m.Promise
	}
	return nil
}
