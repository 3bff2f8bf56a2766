package application

import (
	"strings"
	"testing"

	"reconstruct.dev/leader-launcher/election"
)

var open = Place{Open: "10.0.0.1 127.0.0.1 -::1"}

func role(kind election.Kind) *election.Role {
	return &election.Role{
		Term: 7, Role: kind, Port: 6379, MinReplicas: 1, MaxLag: 1500,
		Leader: &election.Candidate{Address: "10.0.0.2"},
	}
}

func TestCommandsLeadFromEachStateToTheStanceAndEndThere(t *testing.T) {
	detached := Observation{MasterHost: NobodyHost, MasterPort: NobodyPort}
	with := func(o Observation, change func(*Observation)) Observation { change(&o); return o }
	primary := Observation{IsPrimary: true, MinReplicas: 1, MaxLag: 2, Term: "7"}
	replica := Observation{MasterHost: "10.0.0.2", MasterPort: 6379, LinkUp: true}
	const fence = "REPLICAOF 127.0.0.1 1; CONFIG SET bind ; CLIENT KILL TYPE normal SKIPME yes; CLIENT KILL TYPE pubsub; " +
		"CLIENT KILL TYPE replica; CLIENT KILL TYPE master"
	for _, row := range []struct {
		want, when string
		kind       election.StanceKind
		o          Observation
	}{
		{"", "it is closed", election.Closed, detached},
		{fence, "it accepts writes and must close", election.Closed, primary},
		{fence, "it follows a leader and must close", election.Closed, replica},
		{fence, "a port is open", election.Closed, with(detached, func(o *Observation) { o.Bind = open.Open })},
		{"REPLICAOF 127.0.0.1 1", "it follows and must not", election.Detached, replica},
		{"", "it is detached and its port stays open", election.Detached, with(detached, func(o *Observation) { o.Bind = open.Open })},
		{"REPLICAOF 10.0.0.2 6379", "it is detached and may follow", election.Following, detached},
		{fence, "it accepts writes and must follow", election.Following, primary},
		{"REPLICAOF 10.0.0.2 6379", "it follows another leader", election.Following,
			with(replica, func(o *Observation) { o.MasterHost = "10.0.0.3" })},
		{"CONFIG SET bind " + open.Open, "it has a copy", election.Following, replica},
		{"", "it has no link yet", election.Following, with(replica, func(o *Observation) { o.LinkUp = false })},
		{"", "it copies", election.Following, with(replica, func(o *Observation) { o.IsSyncing = true })},
		{"", "it follows and is open", election.Following, with(replica, func(o *Observation) { o.Bind = open.Open })},
		{"CONFIG SET min-replicas-to-write 0; REPLICAOF NO ONE; SET reconstruct:leader:term 7; CONFIG SET min-replicas-to-write 1; " +
			"CONFIG SET min-replicas-max-lag 2", "it is closed and must lead", election.Leading, detached},
		{fence, "readers are connected before it leads", election.Leading, with(detached, func(o *Observation) { o.Bind = open.Open })},
		{"CONFIG SET bind " + open.Open, "it accepts writes under the guard of its replicas", election.Leading, primary},
		{"CONFIG SET min-replicas-to-write 1", "somebody has changed the guard", election.Leading,
			with(primary, func(o *Observation) { o.MinReplicas = 0 })},
		{"SET reconstruct:leader:term 7", "somebody has flushed the term", election.Leading,
			with(primary, func(o *Observation) { o.Term, o.Bind = "", open.Open })},
		{"", "it leads", election.Leading, with(primary, func(o *Observation) { o.Bind = open.Open })},
	} {
		var lines []string
		for _, command := range CommandsFor(election.Stance{Kind: row.kind, Role: role(election.Leader)}, row.o, open) {
			lines = append(lines, strings.Join(command, " "))
		}
		if got := strings.Join(lines, "; "); got != row.want {
			t.Errorf("when %s:\n got %s\nwant %s", row.when, got, row.want)
		}
	}
}

func TestALeaderHoldsItsStanceOnlyWithItsGuardAndItsPort(t *testing.T) {
	leading := election.Stance{Kind: election.Leading, Role: role(election.Leader)}
	for _, row := range []struct {
		want bool
		o    Observation
	}{
		{true, Observation{IsPrimary: true, MinReplicas: 1, Bind: open.Open}},
		{false, Observation{IsPrimary: true, MinReplicas: 0, Bind: open.Open}},
		{false, Observation{IsPrimary: true, MinReplicas: 1}},
		{false, Observation{MinReplicas: 1, Bind: open.Open}},
	} {
		if Holds(leading, row.o, open) != row.want {
			t.Errorf("must be %v: %+v", row.want, row.o)
		}
	}
}
