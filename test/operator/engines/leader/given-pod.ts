import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../../../operator/runtime/ports/clock.js';

/** How tests reach programs on this machine, where no Pod is. */
export const local = { clock: systemClock, refusal: () => undefined };

/** A program in a Pod that speaks HTTP. */
export async function givenPod(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  port = 0,
  host = '127.0.0.1',
) {
  const server = createServer(answer);
  await once(server.listen(port, host), 'listening');
  const end = () => {
    server.closeAllConnections();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, address: host, end };
}
