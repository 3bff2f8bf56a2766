package kubernetes

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// Audience is what tokens for launchers are bound to.
const Audience = "reconstruct.dev/leader"

// Caller is who sent a request.
type Caller int

const (
	// Stranger may do nothing.
	Stranger Caller = iota
	// Operator may read the status.
	Operator
	// Peer is a launcher with the same ServiceAccount.
	Peer
)

// Callers tells who callers are, by TokenReview. It remembers accepted tokens until they expire, so that launchers know each other
// also while the API server is away.
type Callers struct {
	Client    *Client
	Namespace string
	// OwnTokenFile is the token that this launcher sends. Its subject is that of all peers.
	OwnTokenFile string
	Now          func() time.Time

	mu    sync.Mutex
	known map[[32]byte]remembered
	// reviews bounds those in progress, which strangers may cause.
	reviews chan struct{}
}

const mostReviews = 4

func (c *Callers) wait(ctx context.Context) error {
	c.mu.Lock()
	if c.reviews == nil {
		c.reviews = make(chan struct{}, mostReviews)
	}
	c.mu.Unlock()
	select {
	case c.reviews <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

type remembered struct {
	caller Caller
	until  time.Time
}

const (
	// mostKnown bounds what strangers can make a launcher remember.
	mostKnown = 1024
	// refusedFor is how long a stranger's token costs no other review.
	refusedFor = 10 * time.Second
)

// Of returns the caller of a token. An error means that it is not known.
func (c *Callers) Of(ctx context.Context, token string) (Caller, error) {
	// Only a token in the right form is worth a review.
	if !claimsOf(token).isFor(Audience) {
		return Stranger, nil
	}
	key := sha256.Sum256([]byte(token))
	c.mu.Lock()
	before, isKnown := c.known[key]
	c.mu.Unlock()
	if isKnown && c.Now().Before(before.until) {
		return before.caller, nil
	}
	if err := c.wait(ctx); err != nil {
		return Stranger, err
	}
	caller, err := c.review(ctx, token)
	<-c.reviews
	if err != nil {
		return Stranger, err
	}
	until := c.Now().Add(refusedFor)
	if caller != Stranger {
		until = claimsOf(token).expiry()
	}
	c.remember(key, remembered{caller, until})
	return caller, nil
}

func (c *Callers) remember(key [32]byte, one remembered) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = map[[32]byte]remembered{}
	}
	for old, other := range c.known {
		if !c.Now().Before(other.until) || len(c.known) >= mostKnown && other.caller == Stranger {
			delete(c.known, old)
		}
	}
	if len(c.known) < mostKnown {
		c.known[key] = one
	}
}

func (c *Callers) review(ctx context.Context, token string) (Caller, error) {
	var review struct {
		Status struct {
			Authenticated bool
			Audiences     []string
			User          struct {
				Username string
				UID      string
				Groups   []string
				Extra    map[string][]string
			}
		}
	}
	body := map[string]any{
		"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview",
		"spec": map[string]any{"token": token, "audiences": []string{Audience}},
	}
	if err := c.Client.call(ctx, http.MethodPost, "/apis/authentication.k8s.io/v1/tokenreviews", body, &review); err != nil {
		return Stranger, err
	}
	if !review.Status.Authenticated || !contains(review.Status.Audiences, Audience) {
		return Stranger, nil
	}
	user := review.Status.User
	own, err := os.ReadFile(c.OwnTokenFile)
	if err != nil {
		return Stranger, err
	}
	subject := claimsOf(strings.TrimSpace(string(own))).Subject
	if subject == "" {
		return Stranger, errors.New("the launcher's own token has no subject")
	}
	if user.Username == subject {
		return Peer, nil
	}
	isOperator, err := c.mayReport(ctx, user.Username, user.Groups, user.Extra)
	if err != nil || !isOperator {
		return Stranger, err
	}
	return Operator, nil
}

// mayReport asks whether a user writes the status of elections here. The name of an operator's ServiceAccount is not known.
func (c *Callers) mayReport(ctx context.Context, user string, groups []string, extra map[string][]string) (bool, error) {
	var review struct{ Status struct{ Allowed bool } }
	body := map[string]any{
		"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview",
		"spec": map[string]any{
			"user": user, "groups": groups, "extra": extra,
			"resourceAttributes": map[string]any{
				"group": "reconstruct.dev", "resource": "leaderelections", "subresource": "status", "verb": "patch",
				"namespace": c.Namespace,
			},
		},
	}
	err := c.Client.call(ctx, http.MethodPost, "/apis/authorization.k8s.io/v1/subjectaccessreviews", body, &review)
	return review.Status.Allowed, err
}

type claims struct {
	Subject  string  `json:"sub"`
	Expires  float64 `json:"exp"`
	Audience any     `json:"aud"`
}

func (c claims) isFor(audience string) bool {
	if c.Audience == audience {
		return true
	}
	list, _ := c.Audience.([]any)
	for _, one := range list {
		if one == audience {
			return true
		}
	}
	return false
}

func (c claims) expiry() time.Time { return time.Unix(int64(c.Expires), 0) }

// claimsOf reads a token without a check. Nothing but the time of an accepted token and the own subject is believed.
func claimsOf(token string) claims {
	var found claims
	parts := strings.Split(token, ".")
	if len(parts) == 3 {
		if text, err := base64.RawURLEncoding.DecodeString(parts[1]); err == nil {
			json.Unmarshal(text, &found)
		}
	}
	return found
}

func contains(list []string, one string) bool {
	for _, each := range list {
		if each == one {
			return true
		}
	}
	return false
}
