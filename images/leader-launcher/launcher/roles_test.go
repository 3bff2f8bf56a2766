package launcher

import (
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"reconstruct.dev/leader-launcher/election"
)

// elected lets the first Pod lead term 1 and all others follow.
func (g *group) elected() (leader *pod, report Report) {
	g.t.Helper()
	leader = g.pods[0]
	report = g.boots(leader)
	if err := g.store.Elect(report.Holder(), 1, g.store.Read().Version); err != nil {
		g.t.Fatal(err)
	}
	for _, p := range g.pods[1:] {
		p.assignRole(g.role(election.Replica, 1, g.boots(p), &report))
	}
	leader.assignRole(g.role(election.Leader, 1, report, nil))
	g.until("the leader leads", func() bool { r, _ := g.report(leader); return r.Role == election.Leader && r.Leads })
	for _, p := range g.pods[1:] {
		g.until(p.name+" follows", func() bool {
			r, _ := g.report(p)
			return r.Role == election.Replica && r.App.IsLinked != nil && *r.App.IsLinked && !isClosed(p)
		})
	}
	if len(g.pods) > 1 {
		g.until("a write is accepted", func() bool { return ask(leader, "SET", "first", "1") == "OK" })
	}
	return leader, report
}

func TestAServerServesNobodyWithoutAValidRole(t *testing.T) {
	each(t, func(t *testing.T, server string) {
		g := givenGroup(t, server, 1).start()
		p := g.pods[0]
		report := g.boots(p)
		other := report
		other.Boot = "another start"
		for _, row := range []struct{ when, role string }{
			{"there is no role", ""},
			{"the role is half a document", `{"term": 1`},
			{"the role misses a field", `{"term": 1, "role": "leader", "boot": "` + report.Boot + `"}`},
		} {
			p.assign(row.role)
			time.Sleep(3 * turnPeriod)
			if r, _ := g.report(p); r.Role != election.None || r.Problem == "" || !isClosed(p) {
				t.Errorf("it serves when %s: %+v", row.when, r)
			}
		}
		g.store.Elect(other.Holder(), 1, g.store.Read().Version)
		p.assignRole(g.role(election.Leader, 1, other, nil))
		time.Sleep(3 * turnPeriod)
		if !isClosed(p) {
			t.Error("it obeys the role of another start")
		}
		p.assignRole(g.role(election.Leader, 1, report, nil))
		time.Sleep(5 * turnPeriod)
		if !isClosed(p) {
			t.Error("it leads although the Lease names another start")
		}
	})
}

func TestALeaderServesAndItsReplicasReadAndTheTermIsInAKey(t *testing.T) {
	each(t, func(t *testing.T, server string) {
		g := givenGroup(t, server, 3).start()
		leader, _ := g.elected()
		if got := ask(leader, "GET", "reconstruct:leader:term"); got != "1" {
			t.Errorf("term: %s", got)
		}
		g.until("a replica reads", func() bool { return ask(g.pods[1], "GET", "first") == "1" })
		if got := ask(g.pods[1], "SET", "x", "1"); !strings.Contains(got, "READONLY") {
			t.Errorf("a replica accepts a write: %s", got)
		}
		report, _ := g.report(leader)
		g.until("both replicas confirm", func() bool { report, _ = g.report(leader); return len(report.App.ConfirmedBy) == 2 })
		if report.FencedAt != 1 || report.Authority != "Lease" {
			t.Errorf("%+v", report)
		}
		if now := g.store.Read(); now.Holder != report.Holder() || now.Renewed == "" {
			t.Errorf("the Lease is not renewed: %+v", now)
		}
	})
}

func TestALeaderRefusesWritesThatNoReplicaConfirms(t *testing.T) {
	each(t, func(t *testing.T, server string) {
		g := givenGroup(t, server, 2).start()
		leader, _ := g.elected()
		g.pods[1].remove()
		g.until("writes are refused", func() bool { return strings.Contains(ask(leader, "SET", "x", "1"), "NOREPLICAS") })
	})
}

func TestAFencedCandidateClosesItsClientsAndKeepsItsHistory(t *testing.T) {
	each(t, func(t *testing.T, server string) {
		g := givenGroup(t, server, 3).start()
		leader, first := g.elected()
		before, _ := g.report(leader)
		connected := client(leader)
		connected.Do(time.Second, []string{"PING"})
		for _, p := range g.pods {
			r, _ := g.report(p)
			p.assignRole(g.role(election.None, 2, r, nil))
		}
		offsets := map[string]int64{}
		for _, p := range g.pods {
			g.until(p.name+" is fenced", func() bool { r, _ := g.report(p); return r.FencedAt == 2 && r.Role == election.None })
			r, _ := g.report(p)
			if !isClosed(p) || r.App.Offset == nil || r.App.ReplicationID != before.App.ReplicationID || !r.App.IsComplete {
				t.Errorf("%s: %+v", p.name, r)
				continue
			}
			offsets[p.name] = *r.App.Offset
		}
		if _, err := connected.Do(time.Second, []string{"PING"}); err == nil {
			t.Error("a client of the former leader is still connected")
		}
		g.until("the Lease is released", func() bool {
			now := g.store.Read()
			return now.Holder == "" && strings.Contains(now.Release, `"reason":"Fenced"`)
		})
		// The next leader has all data, and the former one follows it without a full copy.
		second, _ := g.report(g.pods[1])
		g.store.Elect(second.Holder(), 2, g.store.Read().Version)
		g.pods[1].assignRole(g.role(election.Leader, 2, second, nil))
		r, _ := g.report(leader)
		leader.assignRole(g.role(election.Replica, 2, r, &second))
		g.until("the next leader serves", func() bool { return ask(g.pods[1], "GET", "first") == "1" })
		g.until("the former leader follows", func() bool { return ask(leader, "GET", "reconstruct:leader:term") == "2" })
		if first.Boot != r.Boot {
			t.Error("the former leader has restarted")
		}
	})
}

func TestARestartedContainerWithoutDataNeverEmptiesItsReplicas(t *testing.T) {
	each(t, func(t *testing.T, server string) {
		g := givenGroup(t, server, 3).start()
		leader, before := g.elected()
		g.until("the replicas have the key", func() bool { return ask(g.pods[1], "GET", "first") == "1" && ask(g.pods[2], "GET", "first") == "1" })
		leader.signal(syscall.SIGKILL)
		g.until("the container is back", func() bool { r, err := g.report(leader); return err == nil && r.Boot != before.Boot && r.App.IsRunning })
		time.Sleep(2 * time.Second)
		if !isClosed(leader) {
			t.Error("the restarted container serves")
		}
		for _, p := range g.pods[1:] {
			if got := ask(p, "GET", "first"); got != "1" {
				t.Errorf("%s has lost its data: %s", p.name, got)
			}
		}
	})
}

func TestALeaderThatCannotRenewLeadsOnWhileAllPromiseAndStopsInTimeOtherwise(t *testing.T) {
	each(t, func(t *testing.T, server string) {
		g := givenGroup(t, server, 3).start()
		leader, _ := g.elected()
		for _, p := range g.pods {
			p.door.Shut()
		}
		time.Sleep(2 * times.Duration.Duration())
		r, _ := g.report(leader)
		if r.Authority != "Promises" || ask(leader, "SET", "x", "1") != "OK" {
			t.Fatalf("it does not lead by promises: %+v", r)
		}
		// The other candidates keep their word.
		second, _ := g.report(g.pods[1])
		if second.PromisedTo == nil {
			t.Fatal("no promise is reported")
		}
		g.pods[1].assignRole(g.role(election.None, 2, second, nil))
		time.Sleep(3 * turnPeriod)
		if second, _ = g.report(g.pods[1]); second.FencedAt != 1 || second.Problem == "" {
			t.Errorf("it obeys a higher term in spite of its promise: %+v", second)
		}
		g.pods[1].assignRole(g.role(election.Replica, 1, second, &r))
		g.pods[2].remove()
		at := time.Now()
		g.until("the leader has stopped", func() bool { return isClosed(leader) })
		if took := time.Since(at); took > times.Duration.Duration() {
			t.Logf("it took %v", took)
		}
		if r, _ = g.report(leader); r.Leads || r.Role != election.None {
			t.Errorf("%+v", r)
		}
		// The API server is back before anybody else was elected: it leads on.
		for _, p := range g.pods {
			p.door.Open()
		}
		g.until("it leads again", func() bool { r, _ := g.report(leader); return r.Leads && r.Authority == "Lease" && !isClosed(leader) })
	})
}

func TestAReplicaDetachesFromALeaderThatNobodyVouchesFor(t *testing.T) {
	each(t, func(t *testing.T, server string) {
		g := givenGroup(t, server, 2).start()
		leader, _ := g.elected()
		// The launcher hangs and its server goes on: the replica must not confirm for ever.
		leader.signalLauncher(syscall.SIGSTOP)
		g.until("the replica has detached", func() bool {
			r, _ := g.report(g.pods[1])
			return r.Role == election.None && r.App.IsLinked == nil
		})
		g.until("writes are refused", func() bool { return strings.Contains(ask(leader, "SET", "x", "1"), "NOREPLICAS") })
		leader.signalLauncher(syscall.SIGCONT)
		g.until("the leader was stopped or leads by a renewed Lease", func() bool {
			r, err := g.report(leader)
			return err == nil && r.App.IsRunning && (r.Leads || isClosed(leader))
		})
	})
}

func TestALeaderThatEndsInOrderHandsOverEverything(t *testing.T) {
	each(t, func(t *testing.T, server string) {
		g := givenGroup(t, server, 3).start()
		leader, report := g.elected()
		leader.mu.Lock()
		leader.restarts = false
		leader.mu.Unlock()
		at := time.Now()
		leader.signalLauncher(syscall.SIGTERM)
		g.until("the Lease is released", func() bool { return g.store.Read().Holder == "" })
		t.Logf("released after %v", time.Since(at))
		now := g.store.Read()
		for _, part := range []string{`"reason":"Shutdown"`, `"to":{"name":"cache-`, `"replicationId":"`, `"offset":`, report.Boot} {
			if !strings.Contains(now.Release, part) {
				t.Errorf("the release misses %s: %s", part, now.Release)
			}
		}
		<-leader.ended
	})
}

func TestALeaderHandsOverToTheNamedCandidateOrLeadsOn(t *testing.T) {
	each(t, func(t *testing.T, server string) {
		g := givenGroup(t, server, 3).start()
		leader, report := g.elected()
		role := g.role(election.Leader, 1, report, nil)
		role.Handover = &election.Handover{To: election.Identity{Name: "gone", UID: "gone", Boot: "gone"}, Deadline: 1000}
		leader.assignRole(role)
		g.until("the failure is told", func() bool { r, _ := g.report(leader); return r.Handover != nil && r.Handover.To == "gone" && r.Leads })
		role.Handover = &election.Handover{To: role.Handover.To, Deadline: 1000, Request: "again"}
		leader.assignRole(role)
		g.until("a new request is tried", func() bool {
			r, _ := g.report(leader)
			return r.Handover != nil && r.Handover.Request == "again" && r.Leads
		})
		second, _ := g.report(g.pods[2])
		role.Handover = &election.Handover{To: second.Identity, Deadline: 1000}
		leader.assignRole(role)
		g.until("the Lease is released", func() bool { return g.store.Read().Holder == "" })
		if now := g.store.Read(); !strings.Contains(now.Release, `"reason":"Handover"`) || !strings.Contains(now.Release, second.Boot) {
			t.Errorf("%s", now.Release)
		}
		if r, _ := g.report(leader); r.Leads || !isClosed(leader) {
			t.Errorf("it still leads: %+v", r)
		}
	})
}

func TestALeaderThatCannotCloseItsClientsDoesNotHandOver(t *testing.T) {
	each(t, func(t *testing.T, server string) {
		g := givenGroup(t, server, 2)
		for _, p := range g.pods {
			p.serverExtra = []string{"--rename-command", "CLIENT", ""}
		}
		leader, report := g.start().elected()
		second, _ := g.report(g.pods[1])
		role := g.role(election.Leader, 1, report, nil)
		role.Handover = &election.Handover{To: second.Identity, Deadline: 1000}
		leader.assignRole(role)
		g.until("the failure is told", func() bool { r, _ := g.report(leader); return r.Handover != nil && r.Leads })
		if r, _ := g.report(leader); r.Handover.Problem != "the application does not close its clients" {
			t.Errorf("%+v", r.Handover)
		}
	})
}

func TestACrashedServerReleasesTheLeaseAtOnce(t *testing.T) {
	each(t, func(t *testing.T, server string) {
		g := givenGroup(t, server, 2).start()
		leader, before := g.elected()
		leader.signalServer(syscall.SIGKILL)
		g.until("the Lease is released", func() bool { return strings.Contains(g.store.Read().Release, `"reason":"Crashed"`) })
		g.until("the container has restarted", func() bool { r, err := g.report(leader); return err == nil && r.Boot != before.Boot })
	})
}

func TestAServerThatHangsWhileItLeadsIsKilledAndReplaced(t *testing.T) {
	each(t, func(t *testing.T, server string) {
		g := givenGroup(t, server, 2).start()
		leader, before := g.elected()
		leader.signalServer(syscall.SIGSTOP)
		g.until("the Lease is released", func() bool { return strings.Contains(g.store.Read().Release, `"reason":"Unresponsive"`) })
		g.until("the container has restarted", func() bool { r, err := g.report(leader); return err == nil && r.Boot != before.Boot })
	})
}

func TestAServerDiesWithItsLauncher(t *testing.T) {
	each(t, func(t *testing.T, server string) {
		g := givenGroup(t, server, 2).start()
		leader, before := g.elected()
		leader.signalLauncher(syscall.SIGKILL)
		g.until("the container has restarted", func() bool { r, err := g.report(leader); return err == nil && r.Boot != before.Boot })
		if !isClosed(leader) {
			t.Error("the server outlives its launcher")
		}
	})
}

func TestAReplicaThatSomebodyLetWriteFollowsAgain(t *testing.T) {
	each(t, func(t *testing.T, server string) {
		g := givenGroup(t, server, 2).start()
		leader, _ := g.elected()
		ask(g.pods[1], "REPLICAOF", "NO", "ONE")
		g.until("it follows again", func() bool {
			ask(leader, "SET", "after", "2")
			return ask(g.pods[1], "GET", "after") == "2" && strings.Contains(ask(g.pods[1], "SET", "x", "1"), "READONLY")
		})
	})
}

func TestOnlyTheOperatorAndPeersGetAnswers(t *testing.T) {
	each(t, func(t *testing.T, server string) {
		g := givenGroup(t, server, 1).start()
		g.boots(g.pods[0])
		base := fmt.Sprintf("http://%s:%d", g.pods[0].address, Port)
		for _, row := range []struct {
			want                int
			method, path, token string
		}{
			{200, "GET", "/healthz", ""},
			{403, "GET", "/v1/status", ""},
			{403, "GET", "/v1/status", "x"},
			{403, "POST", "/v1/promise", g.operatorToken},
			{405, "POST", "/v1/status", g.operatorToken},
			{200, "GET", "/v1/status", g.operatorToken},
		} {
			request, _ := http.NewRequest(row.method, base+row.path, strings.NewReader("{}"))
			request.Header.Set("Authorization", "Bearer "+row.token)
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode != row.want {
				t.Errorf("%s %s: got %d, want %d", row.method, row.path, response.StatusCode, row.want)
			}
		}
	})
}

func TestAPasswordIsSetForClientsAndReplicas(t *testing.T) {
	each(t, func(t *testing.T, server string) {
		g := givenGroup(t, server, 2)
		for _, p := range g.pods {
			p.extra = []string{"--password-file", p.folder + "/password"}
			p.assign("")
			writeFile(t, p.folder+"/password", "open sesame\n")
		}
		g.start()
		leader, report := g.pods[0], g.boots(g.pods[0])
		g.store.Elect(report.Holder(), 1, g.store.Read().Version)
		g.pods[1].assignRole(g.role(election.Replica, 1, g.boots(g.pods[1]), &report))
		leader.assignRole(g.role(election.Leader, 1, report, nil))
		g.until("the replica confirms", func() bool { r, _ := g.report(leader); return len(r.App.ConfirmedBy) == 1 })
		if got := ask(leader, "GET", "x"); !strings.Contains(got, "NOAUTH") {
			t.Errorf("a client without a password got %s", got)
		}
		c := client(leader)
		if answers, err := c.Do(time.Second, []string{"AUTH", "open sesame"}, []string{"SET", "x", "1"}); err != nil || answers[1] != "OK" {
			t.Errorf("%v %v", answers, err)
		}
		c.Close()
		for _, p := range g.pods {
			writeFile(t, p.folder+"/password", "another\n")
		}
		g.until("the server has the new password", func() bool { return ask(leader, "AUTH", "another") == "OK" })
		leader.signalServer(syscall.SIGSTOP)
		time.Sleep(1200 * time.Millisecond)
		leader.signalServer(syscall.SIGCONT)
		g.until("the replica confirms with the new password", func() bool {
			r, _ := g.report(leader)
			return r.Leads && len(r.App.ConfirmedBy) == 1 && ask(g.pods[1], "AUTH", "another") == "OK"
		})
	})
}

func TestARefusalOfTheServerIsTold(t *testing.T) {
	each(t, func(t *testing.T, server string) {
		g := givenGroup(t, server, 1)
		// An address of no machine here.
		g.pods[0].extra = []string{"--listen", g.pods[0].address + ":7481"}
		g.pods[0].address, g.pods[0].bindAddress = "192.0.2.1", g.pods[0].address
		g.start()
		g.pods[0].address = g.pods[0].bindAddress
		report := g.boots(g.pods[0])
		g.store.Elect(report.Holder(), 1, g.store.Read().Version)
		g.pods[0].assignRole(g.role(election.Leader, 1, report, nil))
		g.until("the refusal is told", func() bool {
			r, _ := g.report(g.pods[0])
			return r.Role == election.None && strings.Contains(r.Problem, "CONFIG")
		})
	})
}
