import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that wait for their answer, at the most. Who scrapes or probes sends one at a time. */
const mostWaiting = 8;

/** What a connection has asked, and was not answered yet. */
interface Asked {
  waiting: number;
  last: Promise<void>;
}

/**
 * Answers what comes over one connection one after the other: Node reads on while an answer is under way, and would have
 * all made at once, and kept for somebody who may not read them. Who asks far ahead is cut off.
 *
 * @param answer the same request is asked once, and never of a connection that is over
 */
export function inTurn(answer: (request: IncomingMessage, response: ServerResponse) => void): RequestListener {
  const asked = new WeakMap<Socket, Asked>();
  return (request, response) => {
    const { socket } = request;
    const known = asked.get(socket) ?? { waiting: 0, last: Promise.resolve() };
    asked.set(socket, known);
    known.waiting++;
    if (known.waiting > mostWaiting) return void socket.destroy();
    known.last = known.last.then(async () => {
      if (!socket.destroyed) {
        const over = new Promise((resolve) => response.once('close', resolve)); // read by the other side, or cut off
        answer(request, response);
        await over;
      }
      known.waiting--;
    });
  };
}
