package application

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// TermKey is the key with the term, which applications can read where they read their data.
const TermKey = "reconstruct:leader:term"

// Follower is a replica, as its leader sees it.
type Follower struct {
	Address string
	Port    int
	Online  bool
	Offset  int64
	Lag     time.Duration
}

// Observation is what a server says of itself.
type Observation struct {
	Version    string
	IsLoading  bool
	IsPrimary  bool
	MasterHost string
	MasterPort int
	LinkUp     bool
	IsSyncing  bool
	// SinceNews is the time since a replica heard from its leader.
	SinceNews     time.Duration
	ReplicationID string
	SecondID      string
	Offset        int64
	SecondOffset  int64
	Followers     []Follower
	// Keys without TermKey.
	Keys        int64
	Term        string
	Bind        string
	MinReplicas int
	MaxLag      int
}

// Observe asks the server.
func (c *Connection) Observe(deadline time.Duration) (Observation, error) {
	answers, err := c.Do(deadline,
		[]string{"INFO", "server", "replication", "persistence", "keyspace"},
		[]string{"CONFIG", "GET", "bind"},
		[]string{"CONFIG", "GET", "min-replicas-to-write"},
		[]string{"CONFIG", "GET", "min-replicas-max-lag"},
		[]string{"GET", TermKey},
	)
	if err != nil {
		return Observation{}, err
	}
	// GET is refused while data load, all others are not.
	for _, answer := range answers[:4] {
		if refused, is := answer.(ServerError); is {
			return Observation{}, refused
		}
	}
	text, is := answers[0].(string)
	if !is {
		return Observation{}, fmt.Errorf("the server's INFO is no text")
	}
	o := observationOf(text)
	o.Bind = setting(answers[1])
	o.MinReplicas, _ = strconv.Atoi(setting(answers[2]))
	o.MaxLag, _ = strconv.Atoi(setting(answers[3]))
	o.Term, _ = answers[4].(string)
	if o.Term != "" {
		o.Keys--
	}
	return o, nil
}

func setting(answer any) string {
	list, _ := answer.([]any)
	if len(list) != 2 {
		return "?"
	}
	text, _ := list[1].(string)
	return text
}

func observationOf(info string) Observation {
	fields := map[string]string{}
	var o Observation
	for _, line := range strings.Split(info, "\n") {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\r"), ":")
		fields[name] = value
		switch {
		case strings.HasPrefix(name, "slave") && strings.Contains(value, "ip="):
			o.Followers = append(o.Followers, followerOf(value))
		case strings.HasPrefix(name, "db") && strings.HasPrefix(value, "keys="):
			o.Keys += numberOf(pairs(value)["keys"])
		}
	}
	o.Version = "redis " + fields["redis_version"]
	if version := fields["valkey_version"]; version != "" {
		o.Version = "valkey " + version
	}
	o.IsLoading = fields["loading"] == "1" || fields["async_loading"] == "1"
	o.IsPrimary = fields["role"] == "master"
	o.MasterHost, o.MasterPort = fields["master_host"], int(numberOf(fields["master_port"]))
	o.LinkUp = fields["master_link_status"] == "up"
	o.IsSyncing = fields["master_sync_in_progress"] == "1"
	o.SinceNews = time.Duration(numberOf(fields["master_last_io_seconds_ago"])) * time.Second
	o.ReplicationID = fields["master_replid"]
	o.Offset = numberOf(fields["master_repl_offset"])
	if !o.IsPrimary {
		o.Offset = numberOf(fields["slave_repl_offset"])
	}
	if id := fields["master_replid2"]; strings.Trim(id, "0") != "" {
		o.SecondID, o.SecondOffset = id, numberOf(fields["second_repl_offset"])
	}
	return o
}

func followerOf(text string) Follower {
	of := pairs(text)
	return Follower{
		Address: of["ip"], Port: int(numberOf(of["port"])), Online: of["state"] == "online",
		Offset: numberOf(of["offset"]), Lag: time.Duration(numberOf(of["lag"])) * time.Second,
	}
}

func pairs(text string) map[string]string {
	found := map[string]string{}
	for _, pair := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(pair, "=")
		found[name] = value
	}
	return found
}

func numberOf(text string) int64 {
	number, _ := strconv.ParseInt(text, 10, 64)
	return number
}
