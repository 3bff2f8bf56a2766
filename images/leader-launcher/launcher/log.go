package launcher

import (
	"encoding/json"
	"os"
	"sync"
	"time"
)

var writing sync.Mutex

// log writes one line of JSON: a constant message, and pairs of a key and a value.
func log(message string, pairs ...any) {
	line := map[string]any{"time": time.Now().UTC().Format(time.RFC3339Nano), "message": message}
	for at := 0; at+1 < len(pairs); at += 2 {
		if err, is := pairs[at+1].(error); is {
			pairs[at+1] = err.Error()
		}
		line[pairs[at].(string)] = pairs[at+1]
	}
	text, _ := json.Marshal(line)
	writing.Lock()
	defer writing.Unlock()
	os.Stderr.Write(append(text, '\n'))
}
