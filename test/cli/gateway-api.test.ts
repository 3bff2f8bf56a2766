import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { definitionsModule, standardChannel } from '../../cli/codegen/crds/gateway-api.js';
import { gatewayApiCrds } from '../../src/gateway/definitions.js';

const module = path.join(import.meta.dirname, '..', '..', 'imports', 'gateway-api', 'definitions.ts');

test('the definitions are those of the standard channel, each in one version that is stored', () => {
  expect(gatewayApiCrds().map(({ metadata }) => metadata.name.split('.')[0])).toEqual([
    'gatewayclasses',
    'gateways',
    'httproutes',
    'grpcroutes',
    'referencegrants',
    'backendtlspolicies',
  ]);
  expect(gatewayApiCrds().map(({ spec }) => spec.versions.map(({ storage }) => storage))).toEqual(
    Array.from({ length: 6 }, () => [true]),
  );
});

test.skipIf(!hasGo())('imports/gateway-api is what npm run fetch:gateway-api writes', async () => {
  const written = definitionsModule(await standardChannel(), 'npm run fetch:gateway-api');
  expect(await readFile(module, 'utf8')).toBe(written);
});

function hasGo(): boolean {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.log('skipped: there is no go on the PATH, which gets the module of the Gateway API');
    return false;
  }
}
