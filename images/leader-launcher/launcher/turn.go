package launcher

import (
	"os"
	"time"

	"reconstruct.dev/leader-launcher/application"
	"reconstruct.dev/leader-launcher/election"
)

const (
	// turnPeriod is the time between two looks at the role and at the application.
	turnPeriod = 100 * time.Millisecond
	// commandTimeout bounds one exchange with the application.
	commandTimeout = time.Second
)

// turn reads the role, looks at the application, and leads it towards its stance by one step.
func (l *Launcher) turn() {
	l.readRole()
	l.followPassword()
	if !l.observe() {
		l.noticeSilence()
		return
	}
	stance := l.decide()
	if l.handOverIfAsked(stance) {
		return
	}
	o := l.state.seen()
	commands := application.CommandsFor(stance, o, l.place)
	if len(commands) > 0 {
		if stance.Kind == election.Leading {
			l.state.mayAccept()
			// The authority may have ended while the application was asked.
			if l.decide() != stance {
				return
			}
		}
		l.send(commands)
		if !l.observe() {
			return
		}
	}
	if application.Holds(stance, l.state.seen(), l.place) {
		if l.state.settle(stance) {
			log("Took a role", "stance", stance.Kind.String(), "term", termOf(stance.Role))
		}
	}
	l.releaseIfIdle()
}

// passwordPeriod is the time between two looks at the password.
const passwordPeriod = 5 * time.Second

// followPassword logs in anew when the file has another password, by which the server gets it.
func (l *Launcher) followPassword() {
	now := election.Now()
	if now < l.nextLook {
		return
	}
	l.nextLook = now.Add(passwordPeriod)
	if l.password.HasChanged() {
		log("The password has changed")
		l.connection.Close()
	}
}

func termOf(role *election.Role) int64 {
	if role == nil {
		return 0
	}
	return role.Term
}

// readRole obeys what the role file has.
func (l *Launcher) readRole() {
	text, err := os.ReadFile(l.options.RoleFile)
	switch {
	case err != nil:
		l.roleText, l.roleRead, l.roleProblem = "", nil, err.Error()
	case len(text) == 0:
		l.roleText, l.roleRead, l.roleProblem = "", nil, ""
	case string(text) != l.roleText:
		l.roleText, l.roleProblem = string(text), ""
		if l.roleRead, err = election.ParseRole(text); err != nil {
			l.roleProblem = err.Error()
		}
	}
	l.state.obey(l.roleRead, l.roleProblem, election.Now())
}

func (s *state) obey(role *election.Role, problem string, now election.Instant) {
	s.mu.Lock()
	defer s.mu.Unlock()
	why := s.memory.Consider(role, now)
	if problem == "" {
		problem = why
	}
	if problem != s.problem && problem != "" {
		log("Does not obey", "problem", problem)
	}
	s.problem = problem
	obeyed := s.memory.Role
	// A new term begins without authority, and only when the application was seen not to accept writes in the name of the last.
	if obeyed != nil && obeyed.Role == election.Leader && s.authority.Term != obeyed.Term && !s.accepts {
		s.authority, s.holdsLease = election.NewAuthority(obeyed), false
	}
}

// observe looks at the application.
func (l *Launcher) observe() bool {
	o, err := l.connection.Observe(commandTimeout)
	if err != nil {
		l.state.mu.Lock()
		l.state.appProblem = err.Error()
		l.state.mu.Unlock()
		return false
	}
	l.state.see(o, election.Now())
	return true
}

func (s *state) see(o application.Observation, now election.Instant) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.observation, s.observed, s.appProblem = o, now, ""
	switch {
	case o.IsSyncing || o.IsLoading && s.enforced.Kind == election.Following:
		s.isComplete = false
	case o.LinkUp || o.IsPrimary:
		s.isComplete = true
	}
}

func (s *state) seen() application.Observation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.observation
}

// decide returns the stance for now.
func (l *Launcher) decide() election.Stance {
	role := l.state.role()
	isLinked := role != nil && l.state.isLinked(role)
	s := l.state
	s.mu.Lock()
	defer s.mu.Unlock()
	return election.StanceOf(election.Situation{
		Now: election.Now(), Role: role, Stopping: s.stopping, Authority: s.authority, News: s.news, IsLinked: isLinked,
	})
}

// send returns whether the application has accepted all commands.
func (l *Launcher) send(commands [][]string) bool {
	answers, err := l.connection.Do(commandTimeout, commands...)
	if err != nil {
		log("The application does not answer", "error", err)
		return false
	}
	isAccepted := true
	for at, answer := range answers {
		if refused, is := answer.(application.ServerError); is {
			l.complain(commands[at], refused)
			isAccepted = false
		}
	}
	return isAccepted
}

// complain logs a refusal once, until another one comes.
func (l *Launcher) complain(command []string, refused application.ServerError) {
	text := command[0] + ": " + refused.Error()
	if text != l.lastRefusal {
		log("The application refuses a command", "command", command[0], "error", refused.Error())
	}
	l.lastRefusal = text
	l.state.mu.Lock()
	defer l.state.mu.Unlock()
	l.state.refusal = "the server refuses " + text
}

func (s *state) mayAccept() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.accepts = true
}

// settle records a stance that was seen to hold. It returns whether it is another one.
func (s *state) settle(stance election.Stance) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	isNew := s.enforced.Kind != stance.Kind || termOf(s.enforced.Role) != termOf(stance.Role)
	s.enforced, s.refusal = stance, ""
	if stance.Kind != election.Leading {
		s.accepts = false
	}
	// The guarantee of a term: nothing is confirmed to a leader of a lower one.
	if term := termOf(stance.Role); term > s.fencedAt {
		s.fencedAt = term
	}
	return isNew
}

// noticeSilence kills an application that leads and has not answered for as long as a lease lasts.
func (l *Launcher) noticeSilence() {
	s := l.state
	s.mu.Lock()
	role := s.memory.Role
	isSilent := s.accepts && role != nil && s.observed != election.Never &&
		election.Now() >= s.observed.Add(role.Lease.Duration.Duration())
	s.mu.Unlock()
	if isSilent {
		l.kill("Unresponsive", "it leads and does not answer")
	}
}
