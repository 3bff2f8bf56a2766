import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resolvingLookup } from './resolving-lookup.js';

/** A DNS server that answers each question with these addresses. */
let server: ReturnType<typeof createSocket>;
let answers: { readonly addresses: readonly string[]; readonly ttl: number };
let asked: number;
beforeEach(async () => {
  asked = 0;
  server = createSocket('udp4');
  server.on('message', (question, { port, address }) => {
    asked++;
    server.send(answerTo(question), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.close();
});

function answerTo(question: Buffer): Buffer {
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8400, 2);
  header.writeUInt16BE(answers.addresses.length, 6);
  header.writeUInt32BE(0, 8);
  let end = 12;
  while (question[end] !== 0) end += (question[end] ?? 0) + 1;
  const records = answers.addresses.map((address) => {
    const record = Buffer.from('c00c00010001000000000004', 'hex');
    record.writeUInt32BE(answers.ttl, 6);
    return Buffer.concat([record, Buffer.from(address.split('.').map(Number))]);
  });
  return Buffer.concat([header, question.subarray(12, end + 5), ...records]);
}

/** The address of each of some connections. */
async function addressesOf(lookup: ReturnType<typeof resolvingLookup>, count: number): Promise<readonly string[]> {
  const found: string[] = [];
  for (let index = 0; index < count; index++)
    found.push(
      await new Promise((resolve, reject) =>
        lookup('shop.example.com', {}, (error, address) => (error ? reject(error) : resolve(String(address)))),
      ),
    );
  return found;
}

const started = () => resolvingLookup(`127.0.0.1:${server.address().port}`);

test('connections use the addresses of one answer in turn, for as long as its TTL', async () => {
  answers = { addresses: ['192.0.2.2', '192.0.2.1'], ttl: 60 };
  expect(await addressesOf(started(), 4)).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.2']);
  expect(asked).toBe(1);
});

test('each connection asks anew where the TTL is 0', async () => {
  const lookup = started();
  answers = { addresses: ['192.0.2.1'], ttl: 0 };
  expect(await addressesOf(lookup, 1)).toEqual(['192.0.2.1']);
  answers = { addresses: ['192.0.2.2'], ttl: 0 };
  expect(await addressesOf(lookup, 1)).toEqual(['192.0.2.2']);
  expect(asked).toBe(2);
});

test('the last answer stays where there is no other one', async () => {
  const lookup = started();
  answers = { addresses: ['192.0.2.1'], ttl: 0 };
  await addressesOf(lookup, 1);
  answers = { addresses: [], ttl: 0 };
  expect(await addressesOf(lookup, 1)).toEqual(['192.0.2.1']);
});
