import { setTimeout as pause } from 'node:timers/promises';
import { aborted } from '../../runtime/concurrency/abort-signals.js';
import { type Fault, statusOf } from './fault.js';

/** A response that is being sent. */
export interface Passage {
  /** True if no more data may pass, although the connection stays open. */
  frozen: boolean;
  /** Aborts when the client has closed the connection. */
  readonly closed: AbortSignal;
}

const newline = 0x0a;
/** Milliseconds between two pieces of a slow body. */
const drip = 20;

/** The body of a response under a fault. @throws {Error} to break the connection */
export async function* disturbance(
  source: AsyncIterable<Buffer>,
  fault: Fault | undefined,
  passage: Passage,
): AsyncGenerator<Buffer> {
  const whole = fault && 'afterEvents' in fault ? events(source, fault, passage) : source;
  const steady = fault?.kind === 'trickle' ? trickling(whole, fault.bytesPerSecond) : whole;
  for await (const piece of steady) if (!passage.frozen) yield piece;
  // A dead connection does not report the end of the response either.
  if (passage.frozen) await aborted(passage.closed);
}

/** The first events of a watch, followed by the fault. */
async function* events(
  source: AsyncIterable<Buffer>,
  fault: Fault & { readonly afterEvents: number },
  passage: Passage,
): AsyncGenerator<Buffer> {
  let left = fault.afterEvents;
  if (left > 0) {
    for await (const chunk of source) {
      const end = endOfLine(chunk, left);
      yield chunk.subarray(0, end);
      left -= linesIn(chunk.subarray(0, end));
      if (left === 0) break;
    }
  }
  if (left > 0) return; // the server has ended the watch earlier
  if (fault.kind === 'cut') throw new Error('the watch is cut');
  if (fault.kind === 'freeze') passage.frozen = true;
  if (fault.kind === 'error-event') yield errorEvent(fault.code);
}

function errorEvent(code: number): Buffer {
  return Buffer.from(`${JSON.stringify({ type: 'ERROR', object: statusOf(code) })}\n`);
}

async function* trickling(source: AsyncIterable<Buffer>, bytesPerSecond: number): AsyncGenerator<Buffer> {
  const size = Math.max(1, Math.round((bytesPerSecond * drip) / 1000));
  for await (const chunk of source) {
    for (let start = 0; start < chunk.length; start += size) {
      await pause(drip);
      yield chunk.subarray(start, start + size);
    }
  }
}

/** The end of the n-th line, or of the chunk if it has fewer lines. */
function endOfLine(chunk: Buffer, n: number): number {
  let end = 0;
  for (let line = 0; line < n; line++) {
    const at = chunk.indexOf(newline, end);
    if (at < 0) return chunk.length;
    end = at + 1;
  }
  return end;
}

function linesIn(chunk: Buffer): number {
  return chunk.reduce((count, byte) => (byte === newline ? count + 1 : count), 0);
}
