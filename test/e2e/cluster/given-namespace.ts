import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { kubectl } from './kubectl.js';
import { complaints } from './operator-pods.js';

const kinds = 'algo,db,dbb,kcl,ktopic,kuser,rot,rissuer,rcert,tj,sj';

/** The report on a namespace after a failed test. */
const views = [
  ['get', `${kinds},deployment,pod,pvc,endpointslice`, '--output=wide'],
  ['get', kinds, '--output=yaml'],
  ['get', 'events', '--sort-by=.lastTimestamp'],
];

/** Gives the tests of a file a separate namespace, and prints its objects after a failure. */
export function givenNamespace(prefix: string): string {
  const namespace = `e2e-${prefix}-${randomBytes(3).toString('hex')}`;
  beforeAll(async () => {
    await kubectl(['create', 'namespace', namespace]);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    for (const view of views) console.log(await kubectl(['--namespace', namespace, ...view]).catch(String));
    console.log(`the operator complained:\n${(await complaints().catch(String)).slice(-20)}`);
  });
  afterAll(async () => {
    // A Database that a test has failed on would hold the namespace until its last backup is made.
    await kubectl([
      '--namespace',
      namespace,
      'annotate',
      'db',
      '--all',
      'reconstruct.dev/skip-final-snapshot=true',
      '--overwrite',
    ]);
    await kubectl(['delete', 'namespace', namespace, '--wait=false']);
  });
  return namespace;
}
