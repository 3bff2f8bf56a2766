import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { defaults } from '../../../operator/config/config.js';
import { controllers } from '../../../operator/controllers/index.js';
import { allowedAddresses } from '../../../operator/egress/allowed-addresses.js';
import { type Engine, type EngineEnvironment, openEngines } from '../../../operator/engines/engine.js';
import { engines } from '../../../operator/engines/index.js';
import { systemClock } from '../../../operator/runtime/ports/clock.js';
import type { Provided } from '../../../operator/runtime/ports/external-port.js';

/** An environment in which nothing can be asked. */
const environment = {
  config: defaults,
  clock: systemClock,
  addresses: allowedAddresses([]),
  cluster: {},
  podLogs: {},
} as unknown as EngineEnvironment;

/** An operator with this configuration answers challenges. */
const answering = { ...defaults, acmePort: 8082, podIp: '10.0.0.7', allowedAddresses: ['acme.example.com'] };

describe('the list of engines', () => {
  it('has each folder of operator/engines', () => {
    const entries = readdirSync('operator/engines', { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(engines.map(({ name }) => name).toSorted()).toEqual(folders.toSorted());
  });

  it('provides each port that a controller polls or calls, and none twice', () => {
    const provided = openEngines(engines, environment).provided.map(({ port }) => port.name);
    expect(provided).toEqual([...new Set(provided)]);
    const used = controllers.flatMap(({ polls, calls }) => [...Object.values(polls).map(({ port }) => port), ...calls]);
    expect(used.length).toBeGreaterThan(30);
    expect(used.map(({ name }) => name).filter((name) => !provided.includes(name))).toEqual([]);
  });

  it('has an engine that answers challenges at the configured port', () => {
    expect(openEngines(engines, { ...environment, config: answering }).servers.map(({ port }) => port)).toEqual([8082]);
  });
});

describe('open engines', () => {
  const opened: EngineEnvironment[] = [];
  const closed: string[] = [];
  const server = createServer();
  const source = { port: { name: 'lamp' } } as Provided;
  const lamp: Engine = {
    name: 'lamp',
    open: (given) => {
      opened.push(given);
      return { provided: [source], servers: [{ server, port: 80 }], close: async () => void closed.push('lamp') };
    },
  };
  const plain: Engine = { name: 'plain', open: () => ({ provided: [] }) };
  const last: Engine = { name: 'last', open: () => ({ provided: [], close: async () => void closed.push('last') }) };

  it('get the environment, and give their sources, their servers and what closes them', async () => {
    const { provided, servers, close } = openEngines([plain, lamp, last], environment);
    expect(opened).toEqual([environment]);
    expect(provided).toEqual([source]);
    expect(servers).toEqual([{ server, port: 80 }]);
    expect(closed).toEqual([]);
    await close();
    expect(closed).toEqual(['lamp', 'last']);
  });
});

/** Prints each package that a module of the product asks for, when it is loaded. */
const printing = `
  import { writeSync } from 'node:fs';
  export async function resolve(specifier, context, next) {
    const isPackage = !/^(node:|[./]|file:|data:)/.test(specifier);
    if (isPackage && /[/]build[/]operator[/]/.test(context.parentURL)) writeSync(1, specifier + '\\n');
    return next(specifier, context);
  }`;

/** Opens all engines in a process of its own, and does something with them. @returns the packages that it loaded */
function loadedBy(use = ''): readonly string[] {
  const program = `
    import { register } from 'node:module';
    register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(printing)}`)});
    const { openEngines } = await import('./build/operator/engines/engine.js');
    const { engines } = await import('./build/operator/engines/index.js');
    const { systemClock: clock } = await import('./build/operator/runtime/ports/clock.js');
    const { allowedAddresses } = await import('./build/operator/egress/allowed-addresses.js');
    const config = ${JSON.stringify(answering)};
    const addresses = allowedAddresses(config.allowedAddresses);
    const { provided } = openEngines(engines, { config, clock, addresses, cluster: {}, podLogs: {} });
    ${use}
    await new Promise(setImmediate);`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  return [...new Set(printed.split('\n').filter((line) => line !== ''))];
}

describe('an operator that opens all engines', () => {
  it('loads no client library but the HTTP client, which the API server needs too', () => {
    expect(loadedBy()).toEqual(['undici']);
  });

  it('loads the library of a kind with its first question', () => {
    const asked = `
      const { source } = provided.find(({ port }) => port.name === 'reconstruct/certificate-authority');
      const privateKey = { algorithm: 'ECDSA', size: 256 };
      await source({ commonName: 'x', privateKey, duration: 3_600_000 }, { signal: new AbortController().signal });`;
    expect(loadedBy(asked)).toEqual(['undici', 'reflect-metadata', '@peculiar/x509']);
  });
});
