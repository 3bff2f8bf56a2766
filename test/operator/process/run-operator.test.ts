import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaults } from '../../../operator/config/config.js';
import { controllers } from '../../../operator/controllers/index.js';
import { runOperator } from '../../../operator/process/run-operator.js';
import { silent } from '../../../operator/runtime/ports/telemetry.js';
import { type Listening, serve } from '../../../operator/telemetry/server.js';
import { freePort } from '../../../operator/testing/control-plane/free-port.js';

let other: Listening;
beforeEach(async () => {
  other = await serve(0, {});
});
afterEach(() => other.close());

const connection = {
  origin: 'http://127.0.0.1:1',
  basePath: '',
  namespace: '',
  credentials: async () => ({ tls: {} }),
};
const { signal } = new AbortController();

describe('an operator of which a part cannot start', () => {
  it.each(['metricsPort', 'healthPort', 'acmePort'] as const)(
    'R31 "should return an error if any Components fail to Start": leaves nothing running when its %s is taken',
    async (taken) => {
      const free = await freePort();
      const answered = { podIp: '10.0.0.7', allowedAddresses: ['acme.example.com'] };
      const open = taken === 'metricsPort' ? 'healthPort' : 'metricsPort';
      const ports = { metricsPort: 0, healthPort: 0, [open]: free, [taken]: other.port };
      const config = { ...defaults, ...answered, ...ports };
      const running = runOperator([], { config, connection, signal, log: silent.log });
      await expect(running).rejects.toThrow(`port ${other.port} is already in use`);
      await expect(fetch(`http://localhost:${free}/`)).rejects.toThrow();
    },
  );
});

it('says which controllers it has, before anything starts, when it is to run one that it has not', async () => {
  const config = { ...defaults, metricsPort: 0, healthPort: 0, controllers: ['algorithm', 'algorythm'] };
  const running = runOperator(controllers, { config, connection, signal, log: silent.log });
  await expect(running).rejects.toThrow(/must be among algorithm, .*, got algorythm$/);
});

it('names the controllers in the log that cannot run for some namespaces', async () => {
  const config = { ...defaults, metricsPort: 0, healthPort: other.port };
  const warningsWith = async (namespaces: readonly string[]) => {
    const warnings: object[] = [];
    const log = { ...silent.log, warn: (fields: object, message: string) => warnings.push({ ...fields, message }) };
    const running = runOperator(controllers, { config: { ...config, namespaces }, connection, signal, log });
    await expect(running).rejects.toThrow('is already in use');
    return warnings;
  };
  expect(await warningsWith([])).toEqual([]);
  expect(await warningsWith(['team'])).toEqual([
    {
      namespaces: ['team'],
      kinds: ['ClusterIssuer', 'TrustBundle'],
      controllers: ['clusterissuer', 'trustbundle'],
      message: 'Controllers of cluster-scoped kinds do not run, because only some namespaces are watched',
    },
  ]);
});
