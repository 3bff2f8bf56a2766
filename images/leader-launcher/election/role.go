package election

import (
	"encoding/json"
	"fmt"
	"math"
	"net"
	"time"
)

// Kind is what a candidate should be.
type Kind string

const (
	Leader  Kind = "leader"
	Replica Kind = "replica"
	None    Kind = "none"
)

// Identity names one start of one Pod's launcher.
type Identity struct {
	Name string `json:"name"`
	UID  string `json:"uid"`
	Boot string `json:"boot"`
}

// Holder is the form of an identity in a Lease.
func (i Identity) Holder() string { return i.Name + "/" + i.UID + "/" + i.Boot }

// Candidate is an identity and where it listens.
type Candidate struct {
	Identity
	Address string `json:"address"`
}

// Milliseconds is a duration in JSON.
type Milliseconds int64

// Duration converts it.
func (m Milliseconds) Duration() time.Duration { return time.Duration(m) * time.Millisecond }

// Lease names the Lease of an election, and its times.
type Lease struct {
	Name          string       `json:"name"`
	Duration      Milliseconds `json:"duration"`
	RenewDeadline Milliseconds `json:"renewDeadline"`
	RetryPeriod   Milliseconds `json:"retryPeriod"`
}

// Handover asks a leader to give its role to another candidate.
type Handover struct {
	To       Identity     `json:"to"`
	Deadline Milliseconds `json:"deadline"`
	// Request of a person. Each one is tried once. Empty for a preference.
	Request string `json:"request"`
}

// Role is what the operator writes into an annotation of a Pod. operator/controllers/leader/ports/roles.ts describes its fields.
type Role struct {
	Election    string       `json:"election"`
	UID         string       `json:"uid"`
	Term        int64        `json:"term"`
	Role        Kind         `json:"role"`
	Boot        string       `json:"boot"`
	Lease       Lease        `json:"lease"`
	Port        int          `json:"port"`
	Leader      *Candidate   `json:"leader"`
	Candidates  []Candidate  `json:"candidates"`
	MinReplicas int          `json:"minReplicas"`
	MaxLag      Milliseconds `json:"maxLag"`
	Handover    *Handover    `json:"handover"`
}

// ParseRole reads a role. An error means that nobody may be served.
func ParseRole(text []byte) (*Role, error) {
	var role Role
	if err := json.Unmarshal(text, &role); err != nil {
		return nil, fmt.Errorf("the role is no JSON: %w", err)
	}
	if problem := role.problem(); problem != "" {
		return nil, fmt.Errorf("the role is malformed: %s", problem)
	}
	return &role, nil
}

func (r *Role) problem() string {
	times := r.Lease
	switch {
	case r.Term < 1 || r.Term > math.MaxInt32:
		// A Lease has no higher one.
		return "term must be from 1 to 2147483647"
	case r.Role != Leader && r.Role != Replica && r.Role != None:
		return "role must be leader, replica or none"
	case r.Boot == "":
		return "boot is missing"
	case times.Name == "":
		return "lease.name is missing"
	case times.RetryPeriod < 1 || times.RenewDeadline <= times.RetryPeriod || times.Duration <= times.RenewDeadline:
		return "lease needs 0 < retryPeriod < renewDeadline < duration"
	case r.Port < 1 || r.Port > 65535:
		return "port must be from 1 to 65535"
	case r.MinReplicas < 0 || r.MaxLag < 1:
		return "minReplicas must be 0 or more, and maxLag 1 or more"
	case r.Role == Replica && (r.Leader == nil || r.Leader.Boot == "" || net.ParseIP(r.Leader.Address) == nil):
		return "a replica needs a leader with boot and IP address"
	}
	for _, other := range r.Candidates {
		if net.ParseIP(other.Address) == nil || other.UID == "" {
			return "each candidate needs uid and IP address"
		}
	}
	return ""
}
