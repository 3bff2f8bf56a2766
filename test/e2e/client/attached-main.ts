import { type ClientOptions, CountingClient } from './counting-client.js';
import { resolvingLookup } from './resolving-lookup.js';

/** What a client process gets as JSON. */
export interface AttachedOptions extends Omit<ClientOptions, 'lookup' | 'onFailed'> {
  /** The DNS server that it asks for addresses, such as `10.0.0.53:53`. @default - the lookup of Node.js */
  readonly resolver?: string;
}

/**
 * Prints each failure at once and each second what was counted, as lines of JSON, until its input ends. So it ends with the
 * process that started it.
 */
const { resolver, ...options } = JSON.parse(process.argv[2] ?? '{}') as AttachedOptions;
const print = (line: object) => console.log(JSON.stringify(line));
const client = new CountingClient({
  ...options,
  ...(resolver !== undefined && { lookup: resolvingLookup(resolver) }),
  onFailed: (failed) => print({ failed }),
});
const telling = setInterval(() => print({ period: client.take() }), 1000);
process.stdin.resume().once('end', async () => {
  await client.stop();
  clearInterval(telling);
  print({ period: client.take() });
});
