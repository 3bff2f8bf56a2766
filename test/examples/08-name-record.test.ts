import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { controllerContract, type GivenResource, portContract, portModel, simulation } from 'cdk8s-reconstruct/testing';
import { afterEach, describe, it, vi } from 'vitest';
import { parse } from 'yaml';
import { nameService } from '../../examples/08-name-record/client.js';
import { nameRecord, names } from '../../examples/08-name-record/controller.js';
import { freePort } from '../../operator/testing/control-plane/free-port.js';

const written = parse(readFileSync('examples/08-name-record/resource.yaml', 'utf8')) as GivenResource;
const resource = { ...written, metadata: { ...written.metadata, namespace: 'team' } };

const service = portModel(names, {
  showsWithin: 4_000,
  state: {} as Readonly<Record<string, string>>,
  answer: (records, { name }) => (records[name] === undefined ? {} : { address: records[name] }),
  perform: (records, { name, address }) => {
    const { [name]: _, ...others } = records;
    return address === undefined ? others : { ...others, [name]: address };
  },
});

describe('a NameRecord', () => {
  const given = { resource, edited: { address: '192.0.2.8' }, ports: [service] };
  for (const { name, holds } of controllerContract(nameRecord, given)) it(name, holds);
  for (const { name, holds } of simulation(nameRecord, given, { seeds: 20 })) it(name, holds);
});

describe('the client of the name service', () => {
  const running = new Set<ChildProcess>();
  afterEach(() => {
    for (const child of running) child.kill('SIGKILL');
    running.clear();
  });

  const start = async () => {
    const port = await freePort();
    const env = { ...process.env, PORT: String(port) };
    running.add(spawn(process.execPath, ['examples/name-service/server.mjs'], { env, stdio: 'ignore' }));
    const address = `http://127.0.0.1:${port}`;
    await vi.waitFor(() => fetch(`${address}/log`), { timeout: 60_000, interval: 20 });
    return nameService(address);
  };
  const checks = portContract({
    port: names,
    start,
    question: { name: 'shop' },
    before: {},
    request: { name: 'shop', address: '192.0.2.7' },
    after: { address: '192.0.2.7' },
    refused: { name: 'shop', address: '0.0.0.0' },
  });
  for (const { name, holds } of checks) it(name, holds);
});
