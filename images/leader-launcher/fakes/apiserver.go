// Package fakes has what launchers speak with, for tests: an API server that knows Leases and tokens.
package fakes

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Users whose tokens the API server knows.
const (
	PeerUser     = "system:serviceaccount:shop:cache"
	OperatorUser = "system:serviceaccount:reconstruct:reconstruct"
	StrangerUser = "system:serviceaccount:evil:default"
)

// Audience of tokens for launchers.
const Audience = "reconstruct.dev/leader"

// Token returns a token of a user. Only its form is that of a JWT.
func Token(user, audience string, life time.Duration) string {
	text, _ := json.Marshal(map[string]any{"sub": user, "aud": audience, "exp": time.Now().Add(life).Unix()})
	return "e30." + base64.RawURLEncoding.EncodeToString(text) + ".signed"
}

// Store is the state of an API server: one Lease.
type Store struct {
	mu      sync.Mutex
	lease   map[string]any
	version int
	// Renewals of the Lease, and reviews.
	Renewals, Reviews int
}

// Door is a way to the store, for one launcher. It can be shut.
type Door struct {
	*httptest.Server
	mu     sync.Mutex
	isShut bool
	wait   chan struct{}
}

// Shut lets all requests hang, as a partition does.
func (d *Door) Shut() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.isShut {
		d.isShut, d.wait = true, make(chan struct{})
	}
}

// Open ends the partition. Requests that hang fail.
func (d *Door) Open() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.isShut {
		d.isShut = false
		close(d.wait)
	}
}

// NewDoor opens a way to the store.
func (s *Store) NewDoor() *Door {
	door := &Door{}
	door.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		door.mu.Lock()
		isShut, wait := door.isShut, door.wait
		door.mu.Unlock()
		if isShut {
			select {
			case <-wait:
			case <-r.Context().Done():
			}
			panic(http.ErrAbortHandler)
		}
		s.serve(w, r)
	}))
	return door
}

func (s *Store) serve(w http.ResponseWriter, r *http.Request) {
	var body map[string]any
	json.NewDecoder(r.Body).Decode(&body)
	switch {
	case strings.HasSuffix(r.URL.Path, "/tokenreviews"):
		s.mu.Lock()
		s.Reviews++
		s.mu.Unlock()
		write(w, 201, map[string]any{"status": reviewed(body)})
	case strings.HasSuffix(r.URL.Path, "/subjectaccessreviews"):
		spec := body["spec"].(map[string]any)
		of := spec["resourceAttributes"].(map[string]any)
		isAsked := of["resource"] == "leaderelections" && of["subresource"] == "status" && of["verb"] == "patch" && of["namespace"] == "shop"
		write(w, 201, map[string]any{"status": map[string]any{"allowed": isAsked && spec["user"] == OperatorUser}})
	case strings.Contains(r.URL.Path, "/namespaces/shop/leases/cache"):
		s.serveLease(w, r.Method, body)
	default:
		write(w, 404, map[string]any{"message": "not found"})
	}
}

func (s *Store) serveLease(w http.ResponseWriter, method string, body map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.lease == nil:
		write(w, 404, map[string]any{"message": "not found"})
	case method == http.MethodGet:
		write(w, 200, s.lease)
	case body["metadata"].(map[string]any)["resourceVersion"] != strconv.Itoa(s.version):
		write(w, 409, map[string]any{"message": "the object has been modified"})
	default:
		s.Renewals++
		s.put(body)
		write(w, 200, s.lease)
	}
}

func (s *Store) put(lease map[string]any) {
	s.version++
	lease["metadata"].(map[string]any)["resourceVersion"] = strconv.Itoa(s.version)
	s.lease = lease
}

// Lease is what the operator sees.
type Lease struct {
	Holder, Renewed, Release string
	Term                     int64
	Version                  int
}

// Read returns the Lease.
func (s *Store) Read() Lease {
	s.mu.Lock()
	defer s.mu.Unlock()
	spec, metadata := s.lease["spec"].(map[string]any), s.lease["metadata"].(map[string]any)
	l := Lease{Version: s.version}
	l.Holder, _ = spec["holderIdentity"].(string)
	l.Renewed, _ = spec["renewTime"].(string)
	term, _ := spec["leaseTransitions"].(float64)
	l.Term = int64(term)
	annotations, _ := metadata["annotations"].(map[string]any)
	l.Release, _ = annotations["reconstruct.dev/leader-release"].(string)
	return l
}

// Elect writes a holder and a term, if the Lease still has this version. Version 0 creates it.
func (s *Store) Elect(holder string, term int64, version int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if version != s.version {
		return fmt.Errorf("the Lease has changed")
	}
	s.put(map[string]any{
		"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
		"metadata": map[string]any{"name": "cache", "namespace": "shop", "labels": map[string]any{"kept": "yes"}},
		"spec":     map[string]any{"holderIdentity": holder, "leaseTransitions": float64(term)},
	})
	return nil
}

// Touch changes the Lease as a person does who sets a label.
func (s *Store) Touch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(s.lease)
}

func reviewed(body map[string]any) map[string]any {
	token, _ := body["spec"].(map[string]any)["token"].(string)
	parts := strings.Split(token, ".")
	var claims struct {
		Sub, Aud string
		Exp      int64
	}
	if len(parts) == 3 {
		text, _ := base64.RawURLEncoding.DecodeString(parts[1])
		json.Unmarshal(text, &claims)
	}
	if claims.Aud != Audience || time.Now().Unix() >= claims.Exp {
		return map[string]any{"authenticated": false}
	}
	return map[string]any{
		"authenticated": true, "audiences": []string{Audience}, "user": map[string]any{"username": claims.Sub},
	}
}

func write(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}
