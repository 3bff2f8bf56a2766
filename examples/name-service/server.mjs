import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * A small name service: `GET`, `PUT` and `DELETE /records/NAME`. `GET /log` returns every change. `PUT /faults` turns faults
 * on: `slowMs`, `limited` (429), `failing` (500 after the effect) and `lateMs` (the effect shows late).
 */
const records = new Map();
const shown = new Map();
const log = [];
let faults = {};

const token = process.env.TOKEN;

function change(name, address) {
  const before = records.get(name);
  log.push({ name, address: address ?? null, changes: before !== address });
  if (address === undefined) records.delete(name);
  else records.set(name, address);
  const show = () => (address === undefined ? shown.delete(name) : shown.set(name, address));
  if (faults.lateMs) setTimeout(show, faults.lateMs).unref();
  else show();
}

async function answer(request) {
  const [, place, encoded = ''] = new URL(request.url ?? '/', 'http://localhost').pathname.split('/');
  if (place === 'log') return [200, log];
  if (place === 'faults') {
    faults = await json(request);
    return [200, faults];
  }
  if (place !== 'records') return [404, { error: 'no such page' }];
  if (token && request.headers.authorization !== `Bearer ${token}`) return [401, { error: 'the token is not valid' }];
  const name = decodeURIComponent(encoded);
  if (request.method === 'GET') {
    const address = shown.get(name);
    return address === undefined ? [404, { error: 'no such record' }] : [200, { address }];
  }
  if (faults.limited) return [429, { error: 'too many changes' }, { 'Retry-After': '1' }];
  const { address } = request.method === 'PUT' ? await json(request) : {};
  if (address === '0.0.0.0') return [422, { error: 'address 0.0.0.0 is reserved' }];
  change(name, address);
  return faults.failing ? [500, { error: 'internal error' }] : [200, {}];
}

const server = createServer(async (request, response) => {
  try {
    if (faults.slowMs && !request.url?.startsWith('/faults')) await pause(faults.slowMs);
    const [status, body, headers = {}] = await answer(request);
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  } catch (error) {
    response.writeHead(400).end(JSON.stringify({ error: String(error) }));
  }
});
server.listen(Number(process.env.PORT ?? 8053), () => console.log('listening'));
