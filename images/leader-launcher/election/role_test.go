package election

import (
	"encoding/json"
	"strings"
	"testing"
)

func given(change func(*Role)) *Role {
	role := &Role{
		Election: "cache", UID: "e", Term: 7, Role: Replica, Boot: "me", Port: 6379, MinReplicas: 1, MaxLag: 2000,
		Lease:  Lease{Name: "cache", Duration: 15000, RenewDeadline: 10000, RetryPeriod: 2000},
		Leader: &Candidate{Identity{"cache-1", "u1", "other"}, "10.0.0.2"},
	}
	if change != nil {
		change(role)
	}
	return role
}

func TestAMalformedRoleIsRefusedWithItsFault(t *testing.T) {
	for fault, change := range map[string]func(*Role){
		"term must be from 1": func(r *Role) { r.Term = 0 },
		"to 2147483647":       func(r *Role) { r.Term = 1 << 31 },
		"role must be leader": func(r *Role) { r.Role = "king" },
		"boot is missing":     func(r *Role) { r.Boot = "" },
		"lease.name":          func(r *Role) { r.Lease.Name = "" },
		"lease needs":         func(r *Role) { r.Lease.RenewDeadline = 15000 },
		"port must be":        func(r *Role) { r.Port = 70000 },
		"minReplicas must be": func(r *Role) { r.MinReplicas = -1 },
		"a replica needs":     func(r *Role) { r.Leader.Address = "cache-1" },
		"each candidate":      func(r *Role) { r.Candidates = []Candidate{{Address: "10.0.0.3"}} },
	} {
		text, _ := json.Marshal(given(change))
		if _, err := ParseRole(text); err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("%s: got %v", fault, err)
		}
	}
	if _, err := ParseRole([]byte("{")); err == nil {
		t.Error("half a document was read")
	}
	text, _ := json.Marshal(given(nil))
	if _, err := ParseRole(text); err != nil {
		t.Error(err)
	}
}

func TestARoleIsObeyedOnlyByTheStartThatItNamesAndInItsTerm(t *testing.T) {
	for _, row := range []struct {
		obeyed  bool
		when    string
		role    *Role
		promise *Promise
	}{
		{true, "it is the first", given(nil), nil},
		{true, "the term is the same", given(func(r *Role) { r.Term = 5 }), nil},
		{false, "the term is lower", given(func(r *Role) { r.Term = 4 }), nil},
		{false, "it is for an earlier start of the container", given(func(r *Role) { r.Boot = "before" }), nil},
		{false, "a leader of a lower term has a promise", given(nil), &Promise{Term: 6, Until: 101}},
		{true, "the promise has ended", given(nil), &Promise{Term: 6, Until: 100}},
		{true, "the promise is about its own term", given(nil), &Promise{Term: 7, Until: 101}},
	} {
		memory := Memory{Boot: "me", Term: 5, Promise: row.promise}
		problem := memory.Consider(row.role, 100)
		if (memory.Role == row.role) != row.obeyed || (problem == "") != row.obeyed {
			t.Errorf("obeyed must be %v when %s: %s", row.obeyed, row.when, problem)
		}
	}
}

func TestARoleForAnotherStartLeavesTheObeyedOneAndNoRoleEndsIt(t *testing.T) {
	memory := Memory{Boot: "me"}
	first := given(nil)
	memory.Consider(first, 1)
	memory.Consider(given(func(r *Role) { r.Boot = "other"; r.Term = 9 }), 2)
	if memory.Role != first || memory.Term != 7 {
		t.Error("the role of another start was obeyed")
	}
	memory.Consider(nil, 3)
	if memory.Role != nil || memory.Term != 7 {
		t.Error("without a role nobody may be served")
	}
}

func TestAPromiseIsGivenOnlyToTheLeaderOfTheHighestTerm(t *testing.T) {
	leading := func(r *Role) { r.Role, r.Leader = Leader, nil }
	for _, row := range []struct {
		given  bool
		when   string
		memory Memory
	}{
		{true, "it has no role yet", Memory{}},
		{true, "it follows that leader", Memory{Term: 7, Role: given(nil)}},
		{true, "it obeys a lower term", Memory{Term: 6, Role: given(leading)}},
		{false, "it has obeyed a higher term", Memory{Term: 8}},
		{false, "it was told to lead in that term", Memory{Term: 7, Role: given(leading)}},
		{false, "another candidate leads in that term", Memory{Term: 7, Role: given(func(r *Role) { r.Leader.Boot = "third" })}},
		{false, "another has its promise", Memory{Promise: &Promise{Term: 7, Boot: "third", Until: 101}}},
		{true, "the promise to another has ended", Memory{Promise: &Promise{Term: 7, Boot: "third", Until: 100}}},
		{false, "a leader of a higher term has its promise", Memory{Promise: &Promise{Term: 8, Boot: "third", Until: 101}}},
	} {
		problem := row.memory.Give(Promise{Term: 7, Boot: "other", Until: 200}, 100)
		if (problem == "") != row.given {
			t.Errorf("given must be %v when %s: %s", row.given, row.when, problem)
		}
	}
}

func TestALaterPromiseNeverShortensAnEarlierOne(t *testing.T) {
	memory := Memory{}
	memory.Give(Promise{Term: 7, Boot: "other", Until: 200}, 100)
	memory.Give(Promise{Term: 7, Boot: "other", Until: 150}, 100)
	if memory.Promised(199) == nil || memory.Promised(200) != nil {
		t.Error("the promise must hold until 200")
	}
}
