package launcher

import (
	"fmt"
	"net/http"
	"time"
)

// Ready asks a running launcher whether its application answers.
func Ready(options Options) error {
	client := http.Client{Timeout: 2 * time.Second}
	response, err := client.Get("http://" + options.Listen + "/healthz")
	if err != nil {
		return err
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the application does not answer")
	}
	return nil
}
