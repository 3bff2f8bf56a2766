package launcher

import (
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"time"

	"reconstruct.dev/leader-launcher/election"
	"reconstruct.dev/leader-launcher/kubernetes"
)

const longestRequest = 16 << 10

// longestPromise bounds how long a peer can keep this candidate from leading.
const longestPromise = 10 * time.Minute

// serve answers the operator, other launchers and the kubelet's probes.
func (l *Launcher) serve(listener net.Listener) error {
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", l.health)
	mux.HandleFunc("/v1/status", l.allow(http.MethodGet, kubernetes.Operator, func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, l.state.report(election.Now()))
	}))
	mux.HandleFunc("/v1/promise", l.allow(http.MethodPost, kubernetes.Peer, l.givePromise))
	server := &http.Server{
		Handler: mux, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second, WriteTimeout: 10 * time.Second,
		IdleTimeout: time.Minute, MaxHeaderBytes: 32 << 10,
	}
	return server.Serve(listener)
}

func (l *Launcher) health(w http.ResponseWriter, _ *http.Request) {
	l.state.mu.Lock()
	isWell := l.state.answers(election.Now())
	l.state.mu.Unlock()
	if isWell {
		answer(w, http.StatusOK, map[string]bool{"answers": true})
		return
	}
	answer(w, http.StatusServiceUnavailable, map[string]bool{"answers": false})
}

// allow lets in whom a token proves to be at least this caller.
func (l *Launcher) allow(method string, least kubernetes.Caller, handle http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != method {
			answer(w, http.StatusMethodNotAllowed, nil)
			return
		}
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		caller, err := l.callers.Of(r.Context(), token)
		switch {
		case err != nil:
			log("Could not review a token", "from", r.RemoteAddr, "error", err)
			answer(w, http.StatusServiceUnavailable, nil)
		case caller < least:
			answer(w, http.StatusForbidden, nil)
		default:
			handle(w, r)
		}
	}
}

func (l *Launcher) givePromise(w http.ResponseWriter, r *http.Request) {
	var request PromiseRequest
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, longestRequest)).Decode(&request)
	duration := request.Duration.Duration()
	if err != nil || request.Term < 1 || request.Boot == "" || duration <= 0 || duration > longestPromise {
		answer(w, http.StatusBadRequest, nil)
		return
	}
	now := election.Now()
	given := PromiseAnswer{UID: l.state.identity.UID, Boot: l.state.identity.Boot}
	given.Problem = l.state.promise(election.Promise{Term: request.Term, Boot: request.Boot, Until: now.Add(duration)}, now)
	given.Promised = given.Problem == ""
	if !given.Promised {
		answer(w, http.StatusConflict, given)
		return
	}
	answer(w, http.StatusOK, given)
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if body != nil {
		json.NewEncoder(w).Encode(body)
	}
}
