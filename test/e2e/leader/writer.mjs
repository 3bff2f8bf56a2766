// Writes numbered keys to the leader through its Service, one after another, and prints each one that a replica has confirmed.
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const host = process.env.HOST;
const interval = 1_000 / Number(process.env.RATE);
const print = (line) => console.log(JSON.stringify({ timestamp: Date.now(), ...line }));

/** One connection. It ends with the first error. */
function opened() {
  const socket = connect({ host, port: 6379, timeout: 3_000 });
  let text = '';
  let settle = () => {};
  const end = (message) => {
    socket.destroy();
    settle({ message });
  };
  socket.on('data', (piece) => {
    text += piece;
    const [set, wait, ...rest] = text.split('\r\n');
    if (set.startsWith('-')) end(set.slice(1, 80));
    else if (rest.length > 0) {
      text = '';
      settle(Number(wait.slice(1)) >= 1 ? {} : { message: 'no replica has confirmed' });
    }
  });
  socket.on('error', ({ code, message }) => end(code ?? message));
  socket.on('close', () => end('closed'));
  socket.on('timeout', () => end('no answer'));
  return {
    isOpen: () => !socket.destroyed,
    /** A write whose outcome is not known is written again with the same value. */
    write: (number) =>
      new Promise((resolve) => {
        settle = resolve;
        socket.write(`SET written:${number} ${number}\r\nWAIT 1 1000\r\n`);
      }),
  };
}

for (let number = 1, connection = opened(); ; ) {
  const began = Date.now();
  if (!connection.isOpen()) connection = opened();
  const { message } = await connection.write(number);
  if (message === undefined) {
    print({ name: 'producer_send_success', value: String(number) });
    number++;
    await pause(Math.max(0, began + interval - Date.now()));
  } else {
    print({ name: 'producer_send_error', message });
    await pause(50);
  }
}
