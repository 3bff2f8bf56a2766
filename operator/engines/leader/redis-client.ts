import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** Where a client connects. */
export interface RedisAddress {
  readonly address: string;
  readonly port: number;
  readonly tls?: { readonly authority?: string; readonly serverName: string };
}

/** An answer: a text, a number, null, a list of answers, or the server's refusal as an Error. */
export type RedisValue = string | number | null | Error | readonly RedisValue[];

/** Bytes of answers. Those of the commands that are sent here are short. */
const longest = 65_536;

/**
 * Sends commands over a connection of its own, and returns an answer for each.
 *
 * A library would bring reconnects, pools and 400 commands. Four commands on one connection need this file, and its limits on
 * what a server may answer are its own.
 * @throws {Error} of the connection
 */
export function redisAnswers(
  at: RedisAddress,
  commands: readonly (readonly string[])[],
  signal: AbortSignal,
): Promise<readonly RedisValue[]> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const socket = opened(at);
    let received = Buffer.alloc(0);
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', abort);
      socket.destroy();
      settle();
    };
    const abort = () => end(() => reject(signal.reason));
    signal.addEventListener('abort', abort, { once: true });
    socket.on('error', (error) => end(() => reject(error)));
    socket.on('close', () => end(() => reject(new Error('the server has closed the connection'))));
    socket.on('data', (piece) => {
      received = Buffer.concat([received, piece]);
      try {
        const answers = answersIn(received, commands.length);
        if (answers) end(() => resolve(answers));
        else if (received.length > longest) throw new Error(`the server answers more than ${longest} bytes`);
      } catch (error) {
        end(() => reject(error));
      }
    });
    socket.write(commands.map(encoded).join(''));
  });
}

function opened({ address: host, port, tls }: RedisAddress): Socket {
  if (!tls) return connect({ host, port });
  const { authority, serverName } = tls;
  const isName = isIP(serverName) === 0;
  return connectTls({ host, port, ...(isName && { servername: serverName }), ...(authority && { ca: authority }) });
}

function encoded(command: readonly string[]): string {
  return `*${command.length}\r\n${command.map((text) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`).join('')}`;
}

/** All answers, or undefined if some are still to come. @throws {Error} if the server speaks no RESP */
function answersIn(received: Buffer, count: number): readonly RedisValue[] | undefined {
  const answers: RedisValue[] = [];
  for (let at = 0; answers.length < count; ) {
    const found = valueAt(received, at);
    if (!found) return undefined;
    answers.push(found.value);
    at = found.end;
  }
  return answers;
}

interface Found {
  readonly value: RedisValue;
  readonly end: number;
}

function valueAt(received: Buffer, at: number): Found | undefined {
  const lineEnd = received.indexOf('\r\n', at);
  if (lineEnd < 0) return undefined;
  const [kind, text] = [String.fromCharCode(received[at] ?? 0), received.toString('utf8', at + 1, lineEnd)];
  const end = lineEnd + 2;
  if (kind === '+') return { value: text, end };
  if (kind === '-') return { value: new Error(text.slice(0, 300)), end };
  const number = Number(text);
  if (!':$*'.includes(kind) || !Number.isSafeInteger(number))
    throw new Error('the server does not speak the protocol of Redis');
  if (kind === ':') return { value: number, end };
  if (number < 0) return { value: null, end };
  if (kind === '*') return listAt(received, end, number);
  if (received.length < end + number + 2) return undefined;
  return { value: received.toString('utf8', end, end + number), end: end + number + 2 };
}

function listAt(received: Buffer, start: number, count: number): Found | undefined {
  const value: RedisValue[] = [];
  let end = start;
  while (value.length < count) {
    const found = valueAt(received, end);
    if (!found) return undefined;
    value.push(found.value);
    end = found.end;
  }
  return { value, end };
}
