// Writes numbered keys through the members of an EtcdCluster, one after another, and prints each acknowledged one.
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';

const hosts = (process.env.HOSTS ?? '').split(',');
const interval = 1_000 / Number(process.env.RATE);
const file = (name) => readFileSync(`/certificate/${name}`);
const base64 = (text) => Buffer.from(text).toString('base64');
const print = (line) => console.log(JSON.stringify({ timestamp: Date.now(), ...line }));

/** Resolves with the revision of the store. Whoever does not know the outcome of a write writes the same again. */
function put(host, number) {
  return new Promise((resolve, reject) => {
    const tls = { cert: file('tls.crt'), key: file('tls.key'), ca: file('ca.crt') };
    const signal = AbortSignal.timeout(2_000);
    const sent = request({ ...tls, host, port: 2379, path: '/v3/kv/put', method: 'POST', signal }, async (response) => {
      try {
        let text = '';
        for await (const part of response) text += part;
        if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${text.slice(0, 200)}`);
        resolve(Number(JSON.parse(text).header.revision));
      } catch (error) {
        reject(error);
      }
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ key: base64(`written/${number}`), value: base64(String(number)) }));
  });
}

let latest = 0;
for (let number = 1, member = 0; ; ) {
  const began = Date.now();
  try {
    const revision = await put(hosts[member % hosts.length], number);
    if (revision <= latest) print({ name: 'producer_send_error', message: `revision ${revision} after ${latest}` });
    latest = revision;
    print({ name: 'producer_send_success', value: String(number) });
    number++;
    await pause(Math.max(0, began + interval - Date.now()));
  } catch (error) {
    const message = `${error.code ?? ''} ${error.message}`.replace(/[\d.]+:2379/, 'a member').slice(0, 120);
    print({ name: 'producer_send_error', message });
    member++;
    await pause(50);
  }
}
