// Package application speaks with a Redis or Valkey server through its Unix socket.
package application

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"
)

// ServerError is an error that the server answers.
type ServerError string

func (e ServerError) Error() string { return string(e) }

// Send sends one command and returns the server's refusal as an error.
type Send func(command ...string) error

// Login prepares a new connection.
type Login func(send Send) error

// Connection is one connection. It is made again after a failure. Not for concurrent use.
type Connection struct {
	// Network is "unix" unless it is set.
	Network string
	// Socket is the address in this network.
	Socket string
	// Login prepares a new connection. Nil for nothing.
	Login Login

	conn   net.Conn
	reader *bufio.Reader
}

// Do sends commands together and returns their answers in order: string, int64, []any, nil or ServerError. The error is that of the
// connection.
func (c *Connection) Do(deadline time.Duration, commands ...[]string) ([]any, error) {
	answers, err := c.do(deadline, commands)
	if err != nil {
		c.Close()
	}
	return answers, err
}

// Close ends the connection.
func (c *Connection) Close() {
	if c.conn != nil {
		c.conn.Close()
		c.conn = nil
	}
}

func (c *Connection) do(deadline time.Duration, commands [][]string) ([]any, error) {
	until := time.Now().Add(deadline)
	if c.conn == nil {
		if err := c.open(until); err != nil {
			return nil, err
		}
	}
	c.conn.SetDeadline(until)
	return c.exchange(commands)
}

func (c *Connection) open(until time.Time) error {
	dialer := net.Dialer{Deadline: until}
	network := c.Network
	if network == "" {
		network = "unix"
	}
	conn, err := dialer.Dial(network, c.Socket)
	if err != nil {
		return err
	}
	c.conn, c.reader = conn, bufio.NewReader(conn)
	c.conn.SetDeadline(until)
	if c.Login == nil {
		return nil
	}
	return c.Login(func(command ...string) error {
		answers, err := c.exchange([][]string{command})
		if err != nil {
			return err
		}
		if refused, is := answers[0].(ServerError); is {
			return refused
		}
		return nil
	})
}

func (c *Connection) exchange(commands [][]string) ([]any, error) {
	var request []byte
	for _, command := range commands {
		request = append(request, fmt.Sprintf("*%d\r\n", len(command))...)
		for _, argument := range command {
			request = append(request, fmt.Sprintf("$%d\r\n%s\r\n", len(argument), argument)...)
		}
	}
	if _, err := c.conn.Write(request); err != nil {
		return nil, err
	}
	answers := make([]any, 0, len(commands))
	for range commands {
		answer, err := read(c.reader)
		if err != nil {
			return answers, err
		}
		answers = append(answers, answer)
	}
	return answers, nil
}

const longest = 16 << 20

func read(r *bufio.Reader) (any, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return nil, err
	}
	if len(line) < 3 {
		return nil, errors.New("the server's answer is no RESP")
	}
	kind, text := line[0], line[1:len(line)-2]
	switch kind {
	case '+':
		return text, nil
	case '-':
		return ServerError(text), nil
	}
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil || number > longest && kind != ':' {
		return nil, errors.New("the server's answer is no RESP")
	}
	switch kind {
	case ':':
		return number, nil
	case '$':
		if number < 0 {
			return nil, nil
		}
		bytes := make([]byte, number+2)
		if _, err := io.ReadFull(r, bytes); err != nil {
			return nil, err
		}
		return string(bytes[:number]), nil
	case '*':
		var list []any
		for ; number > 0; number-- {
			one, err := read(r)
			if err != nil {
				return nil, err
			}
			list = append(list, one)
		}
		return list, nil
	}
	return nil, errors.New("the server's answer is no RESP")
}
