package kubernetes

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reconstruct.dev/leader-launcher/election"
	"reconstruct.dev/leader-launcher/fakes"
)

func clientOf(t *testing.T, door *fakes.Door) *Client {
	client, err := NewClient(door.URL, "", "")
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestALeaseIsRenewedOnlyInTheNameAndTheTermOfItsHolder(t *testing.T) {
	store := &fakes.Store{}
	store.Elect("a/1/x", 3, 0)
	door := store.NewDoor()
	defer door.Close()
	for _, row := range []struct {
		lost   bool
		holder string
		term   int64
	}{{false, "a/1/x", 3}, {true, "a/1/y", 3}, {true, "a/1/x", 4}, {true, "", 3}} {
		lease := &Lease{Client: clientOf(t, door), Namespace: "shop", Name: "cache", Holder: row.holder, Term: row.term, Duration: time.Second}
		before := store.Renewals
		err := lease.Renew(context.Background())
		if errors.Is(err, ErrLost) != row.lost || (err == nil) == row.lost || (store.Renewals > before) == row.lost {
			t.Errorf("%s of term %d: %v", row.holder, row.term, err)
		}
	}
}

func TestARenewalSurvivesALabelOfSomebodyElse(t *testing.T) {
	store := &fakes.Store{}
	store.Elect("a/1/x", 3, 0)
	door := store.NewDoor()
	defer door.Close()
	lease := &Lease{Client: clientOf(t, door), Namespace: "shop", Name: "cache", Holder: "a/1/x", Term: 3, Duration: time.Second}
	for range [3]int{} {
		if err := lease.Renew(context.Background()); err != nil {
			t.Fatal(err)
		}
		store.Touch()
	}
}

func TestAReleasedLeaseHasNoHolderAndSaysWhy(t *testing.T) {
	store := &fakes.Store{}
	store.Elect("a/1/x", 3, 0)
	door := store.NewDoor()
	defer door.Close()
	lease := &Lease{Client: clientOf(t, door), Namespace: "shop", Name: "cache", Holder: "a/1/x", Term: 3, Duration: time.Second}
	release := Release{By: election.Identity{Name: "a", UID: "1", Boot: "x"}, Term: 3, Reason: "Crashed"}
	if err := lease.Release(context.Background(), release); err != nil {
		t.Fatal(err)
	}
	if now := store.Read(); now.Holder != "" || now.Term != 3 || !strings.Contains(now.Release, `"reason":"Crashed"`) {
		t.Errorf("%+v", now)
	}
	if err := lease.Renew(context.Background()); !errors.Is(err, ErrLost) {
		t.Errorf("a released Lease was renewed: %v", err)
	}
}

func TestCallersAreWhoTheAPIServerSaysAndAreRememberedUntilTheirTokensExpire(t *testing.T) {
	store := &fakes.Store{}
	door := store.NewDoor()
	defer door.Close()
	own := filepath.Join(t.TempDir(), "token")
	os.WriteFile(own, []byte(fakes.Token(fakes.PeerUser, Audience, time.Hour)), 0o600)
	now := time.Now()
	callers := &Callers{Client: clientOf(t, door), Namespace: "shop", OwnTokenFile: own, Now: func() time.Time { return now }}
	peer := fakes.Token(fakes.PeerUser, Audience, 30*time.Minute)
	operator := fakes.Token(fakes.OperatorUser, Audience, time.Hour)
	for _, row := range []struct {
		want  Caller
		when  string
		token string
	}{
		{Peer, "it has the launcher's own ServiceAccount", peer},
		{Operator, "it may write the status of elections", operator},
		{Stranger, "it may not", fakes.Token(fakes.StrangerUser, Audience, time.Hour)},
		{Stranger, "the token is for the API server", fakes.Token(fakes.PeerUser, "https://kubernetes", time.Hour)},
		{Stranger, "the token has expired", fakes.Token(fakes.PeerUser, Audience, -time.Hour)},
		{Stranger, "it is no token", "x"},
		{Stranger, "there is none", ""},
	} {
		if got, err := callers.Of(context.Background(), row.token); got != row.want || err != nil {
			t.Errorf("got %v, want %v, when %s: %v", got, row.want, row.when, err)
		}
	}
	door.CloseClientConnections()
	door.Shut()
	short, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if got, err := callers.Of(short, peer); got != Peer || err != nil {
		t.Errorf("a known peer must be let in without the API server: %v %v", got, err)
	}
	now = now.Add(31 * time.Minute)
	if got, err := callers.Of(short, peer); got != Stranger || err == nil {
		t.Errorf("an expired token must be reviewed again: %v %v", got, err)
	}
	if got, err := callers.Of(short, fakes.Token(fakes.PeerUser, Audience, 2*time.Hour)); got != Stranger || err == nil {
		t.Errorf("a new token is not let in without the API server: %v %v", got, err)
	}
	door.Open()
}
