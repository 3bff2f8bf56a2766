package application

import (
	"strconv"
	"time"

	"reconstruct.dev/leader-launcher/election"
)

// Nobody is an address that never answers. A server that follows it refuses writes and keeps its history, unlike one that follows
// no address at all.
const (
	NobodyHost = "127.0.0.1"
	NobodyPort = 1
)

// Place is where a server listens once it may.
type Place struct {
	// Open is the value of bind for clients.
	Open string
}

// DetachedFrom tells that the server follows nobody and accepts no write.
func (o Observation) DetachedFrom() bool {
	return !o.IsPrimary && o.MasterHost == NobodyHost && o.MasterPort == NobodyPort
}

// Follows tells that the server follows this address, whether or not it has a link.
func (o Observation) Follows(address string, port int) bool {
	return !o.IsPrimary && o.MasterHost == address && o.MasterPort == port
}

// CommandsFor returns what leads from the observed state to the stance, nothing if it is there. What stops writes comes first, and
// what lets clients in comes last and alone: it is sent when the rest is seen to hold.
func CommandsFor(stance election.Stance, o Observation, place Place) [][]string {
	switch stance.Kind {
	case election.Leading:
		return leading(stance.Role, o, place)
	case election.Following:
		return following(stance.Role, o, place)
	case election.Detached:
		if !o.DetachedFrom() {
			return [][]string{detach()}
		}
		return nil
	}
	if o.DetachedFrom() && o.Bind == "" {
		return nil
	}
	return Fence()
}

// Holds tells that the server is what the stance says. A leader holds its stance also while it cannot write the term, because
// replicas attach only to a leader that holds it.
func Holds(stance election.Stance, o Observation, place Place) bool {
	switch stance.Kind {
	case election.Leading:
		return o.IsPrimary && o.Bind == place.Open && o.MinReplicas == stance.Role.MinReplicas
	case election.Following:
		return o.Follows(stance.Role.Leader.Address, stance.Role.Port)
	case election.Detached:
		return o.DetachedFrom()
	}
	return o.DetachedFrom() && o.Bind == ""
}

// Fence returns what stops writes, links and clients, in this order.
func Fence() [][]string {
	return append([][]string{detach()}, shut()...)
}

func shut() [][]string {
	return append(CloseClients(),
		[]string{"CLIENT", "KILL", "TYPE", "replica"},
		[]string{"CLIENT", "KILL", "TYPE", "master"},
	)
}

// CloseClients returns what ends all clients but keeps replicas.
func CloseClients() [][]string {
	return [][]string{
		{"CONFIG", "SET", "bind", ""},
		{"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"},
		{"CLIENT", "KILL", "TYPE", "pubsub"},
	}
}

func detach() []string {
	return []string{"REPLICAOF", NobodyHost, strconv.Itoa(NobodyPort)}
}

func leading(role *election.Role, o Observation, place Place) [][]string {
	term, lag := strconv.FormatInt(role.Term, 10), Seconds(role.MaxLag.Duration())
	if !o.IsPrimary {
		if o.Bind != "" {
			return Fence()
		}
		// Nobody can write between these, because no port is open. The term is written while no replica has to confirm it.
		return [][]string{
			{"CONFIG", "SET", "min-replicas-to-write", "0"},
			{"REPLICAOF", "NO", "ONE"},
			{"SET", TermKey, term},
			{"CONFIG", "SET", "min-replicas-to-write", strconv.Itoa(role.MinReplicas)},
			{"CONFIG", "SET", "min-replicas-max-lag", strconv.Itoa(lag)},
		}
	}
	var commands [][]string
	if o.MinReplicas != role.MinReplicas {
		commands = append(commands, []string{"CONFIG", "SET", "min-replicas-to-write", strconv.Itoa(role.MinReplicas)})
	}
	if o.MaxLag != lag {
		commands = append(commands, []string{"CONFIG", "SET", "min-replicas-max-lag", strconv.Itoa(lag)})
	}
	if len(commands) > 0 {
		return commands
	}
	if o.Term != term && !o.IsLoading {
		commands = append(commands, []string{"SET", TermKey, term})
	}
	if o.Bind != place.Open {
		commands = append(commands, []string{"CONFIG", "SET", "bind", place.Open})
	}
	return commands
}

func following(role *election.Role, o Observation, place Place) [][]string {
	if o.IsPrimary {
		return Fence()
	}
	if !o.Follows(role.Leader.Address, role.Port) {
		return [][]string{{"REPLICAOF", role.Leader.Address, strconv.Itoa(role.Port)}}
	}
	if o.LinkUp && !o.IsSyncing && o.Bind != place.Open {
		return [][]string{{"CONFIG", "SET", "bind", place.Open}}
	}
	return nil
}

// Seconds rounds up, as the server counts whole seconds.
func Seconds(d time.Duration) int {
	return int((d + time.Second - 1) / time.Second)
}
