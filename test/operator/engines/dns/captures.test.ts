import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ZoneUpdate } from '../../../../operator/dns/dns-records.js';
import { decodeMessage } from '../../../../operator/engines/dns/message.js';
import { sign, verify } from '../../../../operator/engines/dns/tsig.js';
import { tsigKey } from '../../../../operator/engines/dns/tsig-key.js';
import { encodeUpdate } from '../../../../operator/engines/dns/update.js';

interface Capture {
  readonly name: string;
  readonly key: { readonly name: string; readonly algorithm: string; readonly secret: string };
  /** Seconds since 1970. */
  readonly time: number;
  readonly hex: string;
}

/**
 * What nsupdate of BIND 9.18.49 sent to a TCP server that recorded it, with its input beside ours. Names have one label
 * below the zone, and the service comes last: there BIND compresses names as we do. Elsewhere it points to other copies.
 */
interface RequestCapture extends Capture {
  readonly nsupdate: readonly string[];
  readonly fudge: number;
  readonly update: ZoneUpdate;
}

/** What named of BIND 9.18.49 answered to a request with this signature. */
interface ResponseCapture extends Capture {
  readonly requestMac: string;
  readonly rcode: number;
}

const read = <T>(file: string) => JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')) as readonly T[];
const requests = read<RequestCapture>('nsupdate-requests.json');
const responses = read<ResponseCapture>('bind-responses.json');

describe('an update has the bytes of nsupdate', () => {
  test.each(requests)('that $name', ({ update, key, time, fudge, hex }) => {
    const id = Number.parseInt(hex.slice(0, 4), 16);
    expect(sign(encodeUpdate(update, id), tsigKey(key), time, fudge).bytes.toString('hex')).toBe(hex);
  });
});

describe('a response of BIND', () => {
  test.each([
    { capture: 'sha256', rcode: 0, verification: { result: 'verified' } },
    { capture: 'sha384', rcode: 0, verification: { result: 'verified' } },
    { capture: 'sha512 refused by policy', rcode: 5, verification: { result: 'verified' } },
    { capture: 'prerequisite', rcode: 6, verification: { result: 'verified' } },
    { capture: 'unknown key', rcode: 9, verification: { result: 'rejected', error: 'BADKEY' } },
    { capture: 'wrong secret', rcode: 9, verification: { result: 'rejected', error: 'BADSIG' } },
    {
      capture: 'clock behind',
      rcode: 9,
      verification: { result: 'rejected', error: 'BADTIME', serverTime: expect.any(Number) },
    },
  ])('is read and verified: $capture', ({ capture, rcode, verification }) => {
    const found = responses.find(({ name }) => name === capture);
    expect(found).toBeDefined();
    const { key, time, requestMac, hex } = found as ResponseCapture;
    const message = decodeMessage(Buffer.from(hex, 'hex'));
    expect(message).toMatchObject({ isResponse: true, opcode: 5, rcode });
    expect(verify(message, tsigKey(key), Buffer.from(requestMac, 'hex'), time)).toEqual(verification);
  });

  test('tells by how much its clock differs', () => {
    const { key, time, requestMac, hex } = responses.find(({ name }) => name === 'clock behind') as ResponseCapture;
    const message = decodeMessage(Buffer.from(hex, 'hex'));
    const { serverTime = 0 } = verify(message, tsigKey(key), Buffer.from(requestMac, 'hex'), time) as {
      readonly serverTime?: number;
    };
    expect(serverTime - time).toBe(400);
  });
});
