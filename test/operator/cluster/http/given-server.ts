import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Transport } from '../../../../operator/cluster/http/transport.js';

/** A server that answers like this, and its origin. */
export async function listening(listener: RequestListener): Promise<{ server: Server; origin: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Closes a server with all its connections. */
export async function closed(server: Server, transport: Transport): Promise<void> {
  server.closeAllConnections();
  await transport.close();
  await new Promise((resolve) => server.close(resolve));
}
