package launcher

import (
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"reconstruct.dev/leader-launcher/election"
)

// confirmed is a write that WAIT 1 has confirmed, and when.
type confirmed struct {
	key        string
	term       int
	start, end time.Time
}

// writers write to every Pod, as if each were the leader.
type writers struct {
	mu   sync.Mutex
	all  []confirmed
	stop chan struct{}
	wait sync.WaitGroup
}

func (g *group) write(perPod int) *writers {
	w := &writers{stop: make(chan struct{})}
	for _, p := range g.pods {
		for at := 0; at < perPod; at++ {
			w.wait.Add(1)
			go w.run(p, fmt.Sprintf("%s-%d", p.name, at))
		}
	}
	return w
}

func (w *writers) run(p *pod, name string) {
	defer w.wait.Done()
	c := client(p)
	defer c.Close()
	for number := 0; ; number++ {
		select {
		case <-w.stop:
			return
		default:
		}
		key, start := fmt.Sprintf("%s-%d", name, number), time.Now()
		answers, err := c.Do(5*time.Second, []string{"SET", key, key}, []string{"WAIT", "1", "1000"}, []string{"GET", "reconstruct:leader:term"})
		end := time.Now()
		if err != nil || answers[0] != "OK" {
			time.Sleep(5 * time.Millisecond)
			continue
		}
		// The data stay small enough that a full copy is quick.
		time.Sleep(2 * time.Millisecond)
		if replicas, is := answers[1].(int64); is && replicas >= 1 {
			text, _ := answers[2].(string)
			term, _ := strconv.Atoi(text)
			w.mu.Lock()
			w.all = append(w.all, confirmed{key, term, start, end})
			w.mu.Unlock()
		}
	}
}

func (w *writers) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.all)
}

func (w *writers) end() []confirmed {
	close(w.stop)
	w.wait.Wait()
	return w.all
}

// overlaps counts writes of a lower term that began after a write of a higher term was confirmed, and were confirmed all the same.
func overlaps(all []confirmed) int {
	first := map[int]time.Time{}
	for _, one := range all {
		if at, is := first[one.term]; !is || one.end.Before(at) {
			first[one.term] = one.end
		}
	}
	found := 0
	for _, one := range all {
		for term, at := range first {
			if term > one.term && one.start.After(at) {
				found++
				break
			}
		}
	}
	return found
}

func (g *group) leader() (*pod, Report, bool) {
	for _, p := range g.pods {
		if report, err := g.report(p); err == nil && report.Leads && report.Role == election.Leader {
			return p, report, true
		}
	}
	return nil, Report{}, false
}

// isWell tells that one leads, that all others have a whole copy and confirm, and that the operator knows that.
func (g *group) isWell(o *operator) bool {
	_, leader, leads := g.leader()
	if !leads || len(leader.App.ConfirmedBy) != len(g.pods)-1 {
		return false
	}
	for _, p := range g.pods {
		report, err := g.report(p)
		if err != nil || o.knows(p.name) != report.Boot || !report.App.IsComplete {
			return false
		}
		if report.Boot != leader.Boot && (report.App.IsFresh == nil || !*report.App.IsFresh) {
			return false
		}
	}
	return true
}

var faults = []struct {
	name string
	with func(g *group, o *operator, leader *pod)
}{
	{"the leader's Pod is killed", func(_ *group, _ *operator, leader *pod) { leader.signal(syscall.SIGKILL) }},
	{"the leader's server is killed", func(_ *group, _ *operator, leader *pod) { leader.signalServer(syscall.SIGKILL) }},
	{"the leader's launcher is killed", func(_ *group, _ *operator, leader *pod) { leader.signalLauncher(syscall.SIGKILL) }},
	{"the leader ends in order", func(_ *group, _ *operator, leader *pod) { leader.signalLauncher(syscall.SIGTERM) }},
	{"the leader is frozen beyond its lease", func(_ *group, _ *operator, leader *pod) {
		frozen(leader.signal, times.Duration.Duration()*time.Duration(2+rand.Intn(2)))
	}},
	{"the leader is frozen for less than its lease", func(_ *group, _ *operator, leader *pod) {
		frozen(leader.signal, time.Duration(rand.Int63n(int64(times.Duration.Duration()))))
	}},
	{"the leader's launcher is frozen", func(_ *group, _ *operator, leader *pod) {
		frozen(leader.signalLauncher, times.Duration.Duration()*3)
	}},
	{"the leader's server is frozen", func(_ *group, _ *operator, leader *pod) {
		frozen(leader.signalServer, times.Duration.Duration()*3)
	}},
	{"the leader loses the API server", func(_ *group, _ *operator, leader *pod) {
		leader.door.Shut()
		time.Sleep(2 * times.Duration.Duration())
		leader.door.Open()
	}},
	{"nobody reaches the API server, and the leader is killed", func(g *group, _ *operator, leader *pod) {
		for _, p := range g.pods {
			p.door.Shut()
		}
		time.Sleep(times.Duration.Duration())
		leader.signal(syscall.SIGKILL)
		time.Sleep(times.Duration.Duration())
		for _, p := range g.pods {
			p.door.Open()
		}
	}},
	{"a replica is frozen, and the leader loses the API server", func(g *group, _ *operator, leader *pod) {
		leader.door.Shut()
		frozen(g.other(leader).signal, 2*times.Duration.Duration())
		leader.door.Open()
	}},
	{"a replica is killed", func(g *group, _ *operator, leader *pod) { g.other(leader).signal(syscall.SIGKILL) }},
	{"the operator restarts while the leader is killed", func(_ *group, o *operator, leader *pod) {
		o.end()
		leader.signal(syscall.SIGKILL)
		time.Sleep(time.Duration(rand.Int63n(int64(time.Second))))
		o.begin()
	}},
	{"the operator is away", func(_ *group, o *operator, _ *pod) {
		o.end()
		time.Sleep(2 * times.Duration.Duration())
		o.begin()
	}},
}

func (g *group) other(leader *pod) *pod {
	for {
		if p := g.pods[rand.Intn(len(g.pods))]; p != leader {
			return p
		}
	}
}

func frozen(signal func(syscall.Signal), long time.Duration) {
	signal(syscall.SIGSTOP)
	time.Sleep(long)
	signal(syscall.SIGCONT)
}

// TestNoConfirmedWriteIsLostAndNeverTwoConfirm lets faults happen while writers write to all Pods. LEADER_FAULTS is their number.
func TestNoConfirmedWriteIsLostAndNeverTwoConfirm(t *testing.T) {
	each(t, func(t *testing.T, server string) {
		number, _ := strconv.Atoi(os.Getenv("LEADER_FAULTS"))
		if number == 0 {
			number = 3
		}
		g := givenGroup(t, server, 3).start()
		o := g.operate()
		defer o.end()
		w := g.write(2)
		isWell := func() bool { return g.isWell(o) }
		g.until("all are well", isWell)
		order := rand.Perm(len(faults))
		for at := 0; at < number; at++ {
			fault := faults[order[at%len(order)]]
			leader, before, leads := g.leader()
			if !leads {
				t.Fatal("nobody leads")
			}
			start := time.Now()
			fault.with(g, o, leader)
			time.Sleep(300 * time.Millisecond)
			g.until("all are well after "+fault.name, isWell)
			took := time.Since(start)
			count := w.count()
			g.until("writes are confirmed", func() bool { return w.count() > count })
			_, now, _ := g.leader()
			t.Logf("%5.1f s, term %d to %d: %s", took.Seconds(), before.Term, now.Term, fault.name)
			if t.Failed() {
				break
			}
		}
		all := w.end()
		g.until("all are well in the end", isWell)
		g.lose(all)
	})
}

// lose counts what the present leader does not have.
func (g *group) lose(all []confirmed) {
	g.t.Helper()
	leader, _, _ := g.leader()
	c := client(leader)
	defer c.Close()
	lost := 0
	for _, one := range all {
		answers, err := c.Do(5*time.Second, []string{"GET", one.key})
		if err != nil {
			g.t.Fatal(err)
		}
		if answers[0] != one.key {
			lost++
			if lost < 10 {
				g.t.Logf("lost: %+v", one)
			}
		}
	}
	g.t.Logf("%d confirmed writes, %d lost, %d confirmed beside a later leader", len(all), lost, overlaps(all))
	if lost > 0 || overlaps(all) > 0 {
		g.t.Fail()
	}
}
