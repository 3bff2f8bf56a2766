package launcher

import (
	"encoding/json"
	"sync"
	"time"

	"reconstruct.dev/leader-launcher/election"
	"reconstruct.dev/leader-launcher/fakes"
)

// operator elects as the controller does. It has the rules of operator/controllers/leader/ports/protocol.md and nothing else, so
// that launchers can be tried without a cluster.
type operator struct {
	g *group
	// status is what outlives the operator's process.
	status struct {
		history string
		// known has the starts that may have confirmed writes, by Pod.
		known map[string]string
	}
	// seen is the Lease as this process has observed it.
	seen  fakes.Lease
	since time.Time
	roles map[string]string

	mu   sync.Mutex // of status.known
	stop chan struct{}
	done chan struct{}
}

func (g *group) operate() *operator {
	o := &operator{g: g}
	o.status.known = map[string]string{}
	o.begin()
	return o
}

// begin starts a process. It knows nothing but the status.
func (o *operator) begin() {
	o.seen, o.roles = fakes.Lease{}, map[string]string{}
	o.since = time.Now()
	o.stop, o.done = make(chan struct{}), make(chan struct{})
	go func() {
		defer close(o.done)
		for {
			select {
			case <-o.stop:
				return
			case <-time.After(50 * time.Millisecond):
				o.reconcile()
			}
		}
	}()
}

func (o *operator) end() {
	close(o.stop)
	<-o.done
}

func (o *operator) reports() map[string]Report {
	found := map[string]Report{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, p := range o.g.pods {
		all.Add(1)
		go func(p *pod) {
			defer all.Done()
			if report, err := o.g.report(p); err == nil {
				mu.Lock()
				found[p.name] = report
				mu.Unlock()
			}
		}(p)
	}
	all.Wait()
	return found
}

func (o *operator) reconcile() {
	lease := o.g.store.Read()
	if lease.Holder != o.seen.Holder || lease.Term != o.seen.Term || lease.Renewed != o.seen.Renewed {
		o.since = time.Now()
	}
	o.seen = lease
	reports := o.reports()
	leader, isHeld := o.holder(lease, reports)
	// A fence that has begun goes on, also if the leader renews again: who obeys a term follows no leader of a lower one.
	isFencing := highest(reports) > lease.Term
	if isHeld && !isFencing {
		o.steady(lease, leader, reports)
		return
	}
	for _, report := range reports {
		if p := report.PromisedTo; p != nil && p.Term == lease.Term {
			return // it leads by promises
		}
	}
	o.elect(lease, reports, !isHeld)
}

func highest(reports map[string]Report) int64 {
	var found int64
	for _, report := range reports {
		if report.Term > found {
			found = report.Term
		}
	}
	return found
}

// holder returns whether the Lease is held, and the report of its holder if it answers.
func (o *operator) holder(lease fakes.Lease, reports map[string]Report) (*Report, bool) {
	if lease.Holder == "" {
		return nil, false
	}
	for _, report := range reports {
		if report.Holder() == lease.Holder {
			report := report
			return &report, time.Since(o.since) < times.Duration.Duration()
		}
		if name := report.Name + "/" + report.UID + "/"; len(lease.Holder) > len(name) && lease.Holder[:len(name)] == name {
			return nil, false // another start of its container
		}
	}
	return nil, time.Since(o.since) < times.Duration.Duration()
}

func (o *operator) steady(lease fakes.Lease, leader *Report, reports map[string]Report) {
	if leader == nil {
		return
	}
	if leader.Role == election.Leader && leader.Term == lease.Term && leader.App.ReplicationID != "" {
		o.status.history = leader.App.ReplicationID
		o.know(*leader)
	}
	o.assign(election.Leader, lease.Term, *leader, nil)
	for _, report := range reports {
		if report.Boot == leader.Boot {
			continue
		}
		// Known as soon as its copy is whole: before, it confirms nothing.
		if report.App.IsComplete && report.App.IsLinked != nil && *report.App.IsLinked && report.Term == lease.Term {
			o.know(report)
		} else if o.knows(report.Name) == "" {
			o.know(report)
		}
		o.assign(election.Replica, lease.Term, report, leader)
	}
}

func (o *operator) assign(kind election.Kind, term int64, of Report, leader *Report) {
	role := o.g.role(kind, term, of, leader)
	text, _ := json.Marshal(role)
	if o.roles[of.Name] != string(text) {
		o.roles[of.Name] = string(text)
		o.g.pod(of.Name).assign(string(text))
	}
}

func (o *operator) elect(lease fakes.Lease, reports map[string]Report, isFree bool) {
	term := lease.Term + 1
	if seen := highest(reports); seen > term {
		term = seen
	}
	for _, report := range reports {
		o.assign(election.None, term, report, nil)
	}
	var best *Report
	ofHistory := 0
	for _, report := range reports {
		report := report
		if report.FencedAt < term || !report.App.IsComplete || !report.App.IsRunning || report.App.Offset == nil || !o.has(report) {
			continue
		}
		ofHistory++
		if best == nil || *report.App.Offset > *best.App.Offset {
			best = &report
		}
	}
	need := len(o.status.known) - 1 // of all known, one may be the former leader, and minReplicas - 1 = 0 others may be missing
	if o.status.history == "" {
		need = len(o.g.pods)
	}
	if best == nil || ofHistory < need || !isFree {
		return
	}
	o.g.store.Elect(best.Holder(), term, lease.Version)
}

func (o *operator) has(report Report) bool {
	history := o.status.history
	return history == "" || report.App.ReplicationID == history ||
		report.App.SecondID == history && report.App.SecondOffset != nil && *report.App.Offset <= *report.App.SecondOffset
}

func (o *operator) know(report Report) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.status.known[report.Name] = report.Boot
}

func (o *operator) knows(name string) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.status.known[name]
}
