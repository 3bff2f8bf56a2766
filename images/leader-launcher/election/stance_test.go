package election

import (
	"testing"
	"time"
)

func seconds(n float64) Instant { return Instant(n * float64(time.Second)) }

func TestAuthorityEndsAtRenewDeadlineAfterTheRequestWasSent(t *testing.T) {
	role := given(nil)
	a := NewAuthority(role)
	if a.Holds(seconds(1)) || !a.Overdue(seconds(1)) {
		t.Error("nobody may lead before the first success")
	}
	a.Extend(seconds(100), "Lease")
	a.Extend(seconds(99), "Promises")
	for _, row := range []struct {
		at             float64
		holds, overdue bool
	}{{100, true, false}, {109.9, true, false}, {110, false, false}, {112.4, false, false}, {112.5, false, true}} {
		if a.Holds(seconds(row.at)) != row.holds || a.Overdue(seconds(row.at)) != row.overdue {
			t.Errorf("at %v: holds %v, overdue %v", row.at, a.Holds(seconds(row.at)), a.Overdue(seconds(row.at)))
		}
	}
	a.Lost = true
	a.Extend(seconds(101), "Lease")
	if a.Holds(seconds(101)) {
		t.Error("a lost Lease must end the authority for good")
	}
}

func TestAnApplicationLeadsOrFollowsOnlyWhatIsProved(t *testing.T) {
	leader := given(func(r *Role) { r.Role, r.Leader = Leader, nil })
	replica := given(nil)
	none := given(func(r *Role) { r.Role, r.Leader = None, nil })
	held := NewAuthority(leader)
	held.Extend(seconds(95), "Lease")
	old := NewAuthority(leader)
	old.Extend(seconds(90), "Lease")
	other := held
	other.Term = 6
	news := News{Term: 7, Boot: "other", At: seconds(90), Confirmed: seconds(98)}
	with := func(change func(*News)) News { n := news; change(&n); return n }
	for _, row := range []struct {
		want StanceKind
		when string
		s    Situation
	}{
		{Closed, "it has no role", Situation{Authority: held, News: news}},
		{Closed, "its role is none", Situation{Role: none, Authority: held, News: news}},
		{Leading, "the Lease was renewed", Situation{Role: leader, Authority: held}},
		{Closed, "the Lease was never renewed", Situation{Role: leader, Authority: NewAuthority(leader)}},
		{Closed, "renewDeadline has passed", Situation{Role: leader, Authority: old}},
		{Closed, "the authority is from another term", Situation{Role: leader, Authority: other}},
		{Closed, "it stops", Situation{Role: leader, Authority: held, Stopping: true}},
		{Following, "the leader's launcher says that it leads", Situation{Role: replica, News: news}},
		{Detached, "nobody has said that the leader leads", Situation{Role: replica}},
		{Detached, "the word of the leader's launcher is old and there is no link",
			Situation{Role: replica, News: with(func(n *News) { n.Confirmed = seconds(97) })}},
		{Following, "it has a link", Situation{Role: replica, IsLinked: true, News: with(func(n *News) { n.Confirmed = Never })}},
		{Detached, "the leader has not renewed for leaseDuration, whatever link there is",
			Situation{Role: replica, IsLinked: true, News: with(func(n *News) { n.At = seconds(85) })}},
		{Detached, "the news is about another start of the leader",
			Situation{Role: replica, IsLinked: true, News: with(func(n *News) { n.Boot = "before" })}},
		{Detached, "the news is about another term",
			Situation{Role: replica, IsLinked: true, News: with(func(n *News) { n.Term = 6 })}},
		{Closed, "a replica stops", Situation{Role: replica, News: news, IsLinked: true, Stopping: true}},
	} {
		row.s.Now = seconds(100)
		if got := StanceOf(row.s); got.Kind != row.want {
			t.Errorf("got %v, want %v, when %s", got.Kind, row.want, row.when)
		}
	}
}
