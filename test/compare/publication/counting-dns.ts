import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** What a client has asked a DNS server for. */
export interface DnsTraffic {
  /** Messages of the client, by what they are. */
  readonly queries: number;
  readonly transfers: number;
  readonly updates: number;
  /** In both directions. */
  readonly bytes: number;
}

/** Opcode of an update, and type of a transfer of a whole zone. */
const [update, axfr] = [5, 252];

/** Forwards TCP to a DNS server, and counts messages. */
export class CountingDns {
  #traffic = { queries: 0, transfers: 0, updates: 0, bytes: 0 };
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(
    readonly host: string,
    readonly port: number,
    to: number,
  ) {
    this.#server = createServer((client) => {
      const server = connect({ host, port: to });
      for (const socket of [client, server]) {
        this.#sockets.add(socket);
        socket.on('error', () => socket.destroy());
        socket.on('data', (chunk: Buffer) => {
          this.#traffic.bytes += chunk.length;
        });
        socket.on('close', () => this.#sockets.delete(socket));
      }
      this.#countIn(client);
      client.pipe(server).pipe(client);
    });
  }

  static async start(host: string, port: number, to: number): Promise<CountingDns> {
    const counting = new CountingDns(host, port, to);
    counting.#server.listen(port, host);
    await once(counting.#server, 'listening');
    return counting;
  }

  /** What has passed since this was called before. */
  take(): DnsTraffic {
    const traffic = this.#traffic;
    this.#traffic = { queries: 0, transfers: 0, updates: 0, bytes: 0 };
    return traffic;
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #countIn(client: Socket): void {
    let bytes = Buffer.alloc(0);
    client.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      while (bytes.length >= 2 && bytes.length >= bytes.readUInt16BE(0) + 2) {
        const end = bytes.readUInt16BE(0) + 2;
        this.#count(bytes.subarray(2, end));
        bytes = bytes.subarray(end);
      }
    });
  }

  #count(message: Buffer): void {
    const opcode = ((message[2] ?? 0) >> 3) & 15;
    if (opcode === update) this.#traffic.updates++;
    else if (typeIn(message) === axfr) this.#traffic.transfers++;
    else this.#traffic.queries++;
  }
}

/** The type of the question, which is behind a name without compression. */
function typeIn(message: Buffer): number {
  let at = 12;
  while (at < message.length && message[at] !== 0) at += (message[at] ?? 0) + 1;
  return at + 3 <= message.length ? message.readUInt16BE(at + 1) : 0;
}
