import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createInterface } from 'node:readline';

/** A line of the input. */
export interface EndpointsCommand {
  readonly start?: string;
  readonly stop?: string;
}

/** Where the servers listen. */
const port = Number(process.argv[2]);
const servers = new Map<string, Server>();

/** Starts and stops HTTP servers of addresses, and prints each line again when it is done, until its input ends. */
for await (const line of createInterface({ input: process.stdin })) {
  const { start, stop } = JSON.parse(line) as EndpointsCommand;
  if (start !== undefined) await listen(start);
  if (stop !== undefined) servers.get(stop)?.close(() => console.log(line));
  else console.log(line);
}
for (const server of servers.values()) server.close();

async function listen(address: string): Promise<void> {
  const headers = { 'x-version': address, connection: 'close' };
  const server = createServer((_, response) => response.writeHead(200, headers).end('ok'));
  server.listen(port, address);
  await once(server, 'listening');
  servers.set(address, server);
}
