package launcher

import (
	"crypto/rand"
	"encoding/hex"
	"net"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"time"

	"reconstruct.dev/leader-launcher/application"
	"reconstruct.dev/leader-launcher/election"
	"reconstruct.dev/leader-launcher/kubernetes"
)

// Launcher runs one application.
type Launcher struct {
	options    Options
	state      *state
	api        *kubernetes.Client
	callers    *kubernetes.Callers
	peers      *peers
	child      *child
	connection *application.Connection
	password   *application.Password
	place      application.Place

	leaseLock sync.Mutex
	lease     *kubernetes.Lease

	// All below belong to the goroutine of turns.
	roleText    string
	roleRead    *election.Role
	roleProblem string
	lastRefusal string
	lastOrder   election.Handover
	pending     *kubernetes.Release
	nextRelease election.Instant
	killed      string
	stopBy      election.Instant
	isEnding    bool
	nextLook    election.Instant
}

// Run starts the application and enforces its role until it ends. It returns the exit code.
func Run(options Options) (int, error) {
	l, err := newLauncher(options)
	if err != nil {
		return 1, err
	}
	if err := os.MkdirAll(options.SocketDir, 0o700); err != nil {
		return 1, err
	}
	listener, err := net.Listen("tcp", options.Listen)
	if err != nil {
		return 1, err
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT)
	if l.child, err = startChild(serverArguments(options)); err != nil {
		return 1, err
	}
	log("Started the application", "boot", l.state.identity.Boot, "pid", l.child.process.Pid, "listen", options.Listen)
	go func() { panic(l.serve(listener)) }()
	go l.renew()
	go l.askPromises()
	go l.followNews()
	go l.meetPeers()
	go l.guard()
	return l.work(signals), nil
}

func newLauncher(options Options) (*Launcher, error) {
	boot := make([]byte, 16)
	if _, err := rand.Read(boot); err != nil {
		return nil, err
	}
	api, err := kubernetes.NewClient(options.APIServer, options.APICAFile, options.APITokenFile)
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(options.Listen)
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return nil, err
	}
	password := application.NewPassword(options.PasswordFile, options.Username)
	identity := election.Identity{Name: options.PodName, UID: options.PodUID, Boot: hex.EncodeToString(boot)}
	return &Launcher{
		options: options, state: newState(identity), api: api, peers: newPeers(options.TokenFile, number),
		callers:    &kubernetes.Callers{Client: api, Namespace: options.Namespace, OwnTokenFile: options.TokenFile, Now: time.Now},
		connection: &application.Connection{Socket: options.socket(), Login: password.Login},
		password:   password,
		place:      application.Place{Open: options.openAddresses()},
	}, nil
}

func (l *Launcher) work(signals <-chan os.Signal) int {
	turns := time.NewTicker(turnPeriod)
	for {
		select {
		case <-l.child.done:
			return l.finish()
		case <-signals:
			l.beginStop()
		case <-turns.C:
			if !l.child.hasEnded() && !l.isEnding {
				l.turn()
				l.endIfClosed()
			}
		}
	}
}

// beginStop ends a leader in an orderly way: a replica has everything before the Lease is released.
func (l *Launcher) beginStop() {
	if l.stopBy != 0 {
		return
	}
	log("Stops")
	l.stopBy = election.Now().Add(2 * orderlyEnd)
	if role := l.state.role(); role != nil && l.state.leadsNow() {
		l.handOver(role, nil, orderlyEnd, "Shutdown")
	}
	l.state.mu.Lock()
	l.state.stopping = true
	l.state.mu.Unlock()
}

// endIfClosed ends the application when nobody uses it and the Lease is released.
func (l *Launcher) endIfClosed() {
	if l.stopBy == 0 {
		return
	}
	s := l.state
	s.mu.Lock()
	isClosed := s.enforced.Kind == election.Closed && !s.accepts && !s.holdsLease
	s.mu.Unlock()
	if isClosed || election.Now() >= l.stopBy {
		l.isEnding = true
		l.child.process.Signal(syscall.SIGTERM)
	}
}

// finish releases the Lease of an application that has ended.
func (l *Launcher) finish() int {
	s := l.state
	s.mu.Lock()
	holds := s.holdsLease
	s.accepts = false
	s.observation = application.Observation{}
	s.authority.Lost = true
	s.mu.Unlock()
	log("The application has ended", "code", l.child.code)
	if holds {
		reason := l.killed
		switch {
		case reason != "":
		case l.stopBy != 0:
			reason = "Shutdown"
		default:
			reason = "Crashed"
		}
		l.pending = nil
		l.release(reason)
	}
	if l.stopBy != 0 && l.killed == "" {
		return 0
	}
	if l.child.code == 0 {
		return 1
	}
	return l.child.code
}

// kill ends an application that does not obey.
func (l *Launcher) kill(reason, why string) {
	log("Kills the application", "why", why)
	l.killed = reason
	l.child.process.Kill()
}

// guardPeriod is how late an application without a right to lead is killed.
const guardPeriod = 20 * time.Millisecond

// guard kills the application if it may accept writes beyond its authority, whatever the other goroutines wait for. It never returns.
func (l *Launcher) guard() {
	for {
		time.Sleep(guardPeriod)
		if l.state.mustDie(election.Now()) && !l.child.hasEnded() {
			log("Kills the application", "why", "it does not stop to accept writes in time")
			l.child.process.Kill()
			return
		}
	}
}
