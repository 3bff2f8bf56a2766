import {
  type EtcdKeysAnswer,
  type EtcdKeysQuestion,
  type EtcdKeysRequest,
  etcdKeys,
} from '../../controllers/publication/ports/etcd.js';
import type { AllowedAddresses } from '../../egress/allowed-addresses.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { CallError } from '../../runtime/ports/external-call.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';
import { type EtcdExchange, EtcdKeysClient } from './keys-client.js';

/** Keys of one answer. */
const mostKeys = 1_000;
/** Operations of one transaction, as etcd's own default limits them. */
const mostOperations = 128;

/** What the source of keys needs. */
export interface EtcdKeysSourceOptions {
  readonly clock: Pick<Clock, 'after'>;
  readonly addresses: Pick<AllowedAddresses, 'lookupFor'>;
}

/** Reads and changes keys of an etcd. Each request has its own connection, and nothing but tokens of users is cached. */
export function etcdKeysSource({ clock, addresses }: EtcdKeysSourceOptions): Provided {
  const client = new EtcdKeysClient({ clock, lookup: addresses.lookupFor });
  return provided(
    etcdKeys,
    async (question, { signal, secret }) => answerOf(client, question, { ...question, signal, secret }),
    {
      perform: async (request, { signal, mayLeave, secret }) =>
        change(client, request, { ...request, signal, mayLeave, secret }),
      concurrency: 64,
      callsPerSecond: 1_000,
      serverOf: ({ endpoints }) => endpoints.join(' '),
    },
  );
}

/** All keys of the question, read in one transaction and so at one moment. */
async function answerOf(
  client: EtcdKeysClient,
  { key, ownerKey }: EtcdKeysQuestion,
  exchange: EtcdExchange,
): Promise<EtcdKeysAnswer> {
  const below = `${key}/`;
  const ranges = [
    { key: base64(key) },
    { key: base64(below), range_end: base64(endOf(below)), limit: mostKeys + 1 },
    { key: base64(ownerKey) },
  ];
  const answer = await client.transaction(exchange, { success: ranges.map((range) => ({ request_range: range })) });
  const [own = {}, children = {}, owner = {}] = rangesIn(answer);
  const values = { ...own, ...children };
  if (Object.keys(values).length > mostKeys)
    throw new CallError('terminal', `key: ${key} has more than ${mostKeys} keys below it`);
  const sorted = Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const found = owner[ownerKey];
  return { values: Object.fromEntries(sorted), ...(found !== undefined && { owner: found }) };
}

async function change(client: EtcdKeysClient, request: EtcdKeysRequest, exchange: EtcdExchange): Promise<void> {
  const { requires, put = {}, delete: deleted = [] } = request;
  const puts = Object.entries(put);
  const operations = puts.length + deleted.length;
  if (operations === 0 || Math.max(operations, requires.length) > mostOperations)
    throw new CallError('terminal', `put: Invalid value: must be 1 to ${mostOperations} changes, got ${operations}`);
  const compare = requires.map((one) => ({
    key: base64(one.key),
    result: 'EQUAL',
    ...(one.is === 'absent' ? { target: 'VERSION', version: '0' } : { target: 'VALUE', value: base64(one.value) }),
  }));
  const success = [
    ...puts.map(([key, value]) => ({ request_put: { key: base64(key), value: base64(value) } })),
    ...deleted.map((key) => ({ request_delete_range: { key: base64(key) } })),
  ];
  const failure = requires.map(({ key }) => ({ request_range: { key: base64(key) } }));
  const answer = await client.transaction(exchange, { compare, success, failure });
  if (answer['succeeded'] === true) return;
  const found = Object.assign({}, ...rangesIn(answer)) as Readonly<Record<string, string>>;
  const other = requires.filter((one) => found[one.key] !== (one.is === 'absent' ? undefined : one.value));
  const names = other.map(
    ({ key, is }) => `${key} must ${is === 'absent' ? 'not exist' : 'have the value of its owner'}`,
  );
  throw new CallError('retryable', `etcd changed nothing: ${names.join(', ')}`, { mayHaveEffect: false });
}

/** The values of each range of a response, by their keys. */
function rangesIn(answer: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, string>>[] {
  const { responses = [] } = answer as { readonly responses?: readonly Response[] };
  return responses.map(({ response_range: range }) =>
    Object.fromEntries((range?.kvs ?? []).map(({ key = '', value = '' }) => [textOf(key), textOf(value)])),
  );
}

/** A part of a response of etcd's gateway, which omits empty fields. */
interface Response {
  readonly response_range?: { readonly kvs?: readonly { readonly key?: string; readonly value?: string }[] };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function textOf(bytes: string): string {
  return Buffer.from(bytes, 'base64').toString();
}

/** The first key after all that start with a text that ends with a slash. */
function endOf(prefix: string): string {
  return `${prefix.slice(0, -1)}0`;
}
