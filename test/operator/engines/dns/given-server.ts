import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { readName, writeName } from '../../../../operator/engines/dns/names.js';
import type { Signed } from '../../../../operator/engines/dns/tsig.js';
import { type TsigKey, tsigKey } from '../../../../operator/engines/dns/tsig-key.js';
import { Reader, Writer } from '../../../../operator/engines/dns/wire.js';

export const givenSecret = { name: 'k8s', secret: Buffer.alloc(32, 'secret').toString('base64') };
export const givenKey: TsigKey = tsigKey(givenSecret);

/** Changes of a signed answer. */
interface AnswerOptions {
  /** Seconds since 1970. */
  readonly time: number;
  readonly rcode?: number;
  /** The error in the signature. */
  readonly error?: number;
  /** Bytes of the signature. @default - all */
  readonly macLength?: number;
  /** The data of the error. */
  readonly other?: Buffer;
}

/** The answer of a server to an update that {@link givenKey} signed: the standard, written once more. */
export function signedAnswer(
  request: Signed,
  { time, rcode = 0, error = 0, macLength = 32, other = Buffer.alloc(0) }: AnswerOptions,
): Buffer {
  const message = answerOf(request.bytes, rcode);
  const timed = parts((writer) => {
    writeName(writer, 'hmac-sha256', false);
    writer.uint(time, 6);
    writer.uint(300, 2);
  });
  const told = parts((writer) => {
    writer.uint(error, 2);
    writer.sized(() => writer.put(other));
  });
  const name = parts((writer) => writeName(writer, givenKey.name, false));
  const covered = [sized(request.mac), message, name, Buffer.from('00ff00000000', 'hex'), timed, told];
  const mac = createHmac('sha256', givenKey.secret).update(Buffer.concat(covered)).digest().subarray(0, macLength);
  const data = Buffer.concat([timed, sized(mac), message.subarray(0, 2), told]);
  const signed = Buffer.concat([message, name, Buffer.from('00fa00ff00000000', 'hex'), sized(data)]);
  signed.writeUInt16BE(1, 10);
  return signed;
}

/** The header and the question of a request as an answer without a signature. */
export function answerOf(request: Buffer, rcode: number, flags = 0x8000): Buffer {
  const reader = new Reader(request, 12);
  readName(reader);
  const message = Buffer.from(request.subarray(0, reader.at + 4));
  message.writeUInt16BE((request.readUInt16BE(2) & 0x7800) | flags | rcode, 2);
  message.fill(0, 6, 12);
  return message;
}

/** A server that does with each message what a test says. */
export class GivenServer {
  readonly received: Buffer[] = [];
  /** What it does with a message. The bytes of `reply` get their length in front. */
  answer: (message: Buffer, reply: (bytes: Buffer) => void, socket: Socket) => void = () => {};
  #port = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor() {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      let bytes = Buffer.alloc(0);
      socket.on('data', (chunk) => {
        bytes = Buffer.concat([bytes, chunk]);
        while (bytes.length >= 2 && bytes.length >= bytes.readUInt16BE(0) + 2) {
          const end = bytes.readUInt16BE(0) + 2;
          const message = bytes.subarray(2, end);
          bytes = bytes.subarray(end);
          this.received.push(message);
          this.answer(message, (reply) => socket.write(sized(reply)), socket);
        }
      });
    });
  }

  static async start(): Promise<GivenServer> {
    const given = new GivenServer();
    given.#server.listen(0, '127.0.0.1');
    await once(given.#server, 'listening');
    given.#port = (given.#server.address() as AddressInfo).port;
    return given;
  }

  /** Also after it has stopped. */
  get port(): number {
    return this.#port;
  }

  /** The number of connections that it has had. */
  get connections(): number {
    return this.#sockets.size;
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

function parts(write: (writer: Writer) => void): Buffer {
  const writer = new Writer();
  write(writer);
  return writer.bytes;
}

function sized(bytes: Buffer): Buffer {
  return parts((writer) => writer.sized(() => writer.put(bytes)));
}
