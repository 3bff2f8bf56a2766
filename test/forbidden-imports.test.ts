import { describe, expect, it } from 'vitest';
import { forbiddenImports } from './forbidden-imports.js';
import type { LibraryRule } from './import-rules.js';

describe('the check of imports', () => {
  it.each([
    { broken: 'src must not import operator', path: 'src/a.ts', text: "import { x } from '../operator/index.js';" },
    { broken: 'src must not import a file system', path: 'src/a.ts', text: "import 'node:fs';" },
    {
      broken: 'src must not import a client',
      path: 'src/a/b.ts',
      text: "import type { A } from '@kubernetes/client-node';",
    },
    { broken: 'crds must not import imports', path: 'crds/a.ts', text: "export * from '../imports/index.js';" },
    {
      broken: 'runtime must not import src',
      path: 'operator/runtime/a.ts',
      text: "import {\n  type A,\n  b,\n} from '../../src/index.js';",
    },
    {
      broken: 'runtime must not import cluster',
      path: 'operator/runtime/a.ts',
      text: "export { a } from '../cluster/paths.js';",
    },
    {
      broken: 'runtime must not import a client, late',
      path: 'operator/runtime/a.ts',
      text: "const a = await import('undici');",
    },
    {
      broken: 'cluster must not import the queue',
      path: 'operator/cluster/a.ts',
      text: "import { WorkQueue } from '../runtime/concurrency/work-queue.js';",
    },
    {
      broken: 'cluster must not load the official client',
      path: 'operator/cluster/a.ts',
      text: "await import('@kubernetes/client-node')",
    },
    {
      broken: 'a controller must not import another',
      path: 'operator/controllers/a/index.ts',
      text: "import '../b/index.js';",
    },
    {
      broken: 'a controller must not import cluster',
      path: 'operator/controllers/a/index.ts',
      text: "import { a } from '../../cluster/paths.js';",
    },
    {
      broken: 'a controller must not go behind the index of the runtime',
      path: 'operator/controllers/a/index.ts',
      text: "import { a } from '../../runtime/concurrency/work-queue.js';",
    },
    {
      broken: 'only beta.ts may load the special functions',
      path: 'operator/controllers/algorithm/judgement/statistics/share.ts',
      text: "import { incbi } from 'cephes';",
    },
    {
      broken: 'an engine must not import another engine',
      path: 'operator/engines/metrics/a.ts',
      text: "import { a } from '../postgres/open-postgres.js';",
    },
    {
      broken: 'an engine must not import the logic of a controller',
      path: 'operator/engines/postgres/a.ts',
      text: "import { a } from '../../controllers/database/desire.js';",
    },
    {
      broken: 'an engine must not import the whole runtime',
      path: 'operator/engines/new-engine/a.ts',
      text: "import { a } from '../../runtime/index.js';",
    },
    {
      broken: 'a new engine must not import another engine',
      path: 'operator/engines/lamp/index.ts',
      text: "import { kafka } from '../kafka/index.js';",
    },
    {
      broken: 'a new engine must not import the list of engines',
      path: 'operator/engines/lamp/index.ts',
      text: "import { engines } from '../index.js';",
    },
    {
      broken: 'a new engine must not import the logic of its controller',
      path: 'operator/engines/lamp/index.ts',
      text: "import { a } from '../../controllers/lamp/view.js';",
    },
    {
      broken: 'a new engine must not import cluster',
      path: 'operator/engines/lamp/index.ts',
      text: "import { a } from '../../cluster/paths.js';",
    },
    {
      broken: 'a new engine must not import the constructs',
      path: 'operator/engines/lamp/index.ts',
      text: "import { a } from '../../../src/manifest/quantity.js';",
    },
    {
      broken: 'a new engine must not load a library without a row',
      path: 'operator/engines/lamp/index.ts',
      text: "const client = await import('lamp-client');",
    },
    {
      broken: 'a new engine must not load the library of another engine',
      path: 'operator/engines/lamp/index.ts',
      text: "const { default: pg } = await import('pg');",
    },
    {
      broken: 'only one file of an engine may load its library',
      path: 'operator/engines/postgres/a.ts',
      text: "import type { Client } from 'pg';",
    },
    { broken: 'the command must not load the library of an engine', path: 'cli/a.ts', text: "await import('pg');" },
    {
      broken: 'a file beside the list of engines must not import more than the list',
      path: 'operator/engines/lamp.ts',
      text: "import { a } from '../runtime/kubernetes/errors.js';",
    },
    {
      broken: 'a new controller must not read certificates',
      path: 'operator/controllers/lamp/view.ts',
      text: "import { a } from '../../certificates/reading.js';",
    },
    { broken: 'nobody imports main', path: 'cli/a.ts', text: "import '../operator/main.js';" },
    {
      broken: 'operator must not import its test kit',
      path: 'operator/a.ts',
      text: "import { a } from './testing/index.js';",
    },
  ])('fails where $broken', ({ path, text }) => {
    expect(forbiddenImports({ path, text })).toHaveLength(1);
  });

  it('lets a new engine import its ports and shared values without a rule of its own', () => {
    const imported = [
      ...['../../controllers/lamp/ports/lamp.js', '../../dns/dns-records.js', '../../egress/allowed-addresses.js'],
      ...['../../runtime/ports/external-port.js', './client.js', 'node:net'],
    ];
    const text = imported.map((from) => `import { a } from '${from}';`).join('\n');
    expect(forbiddenImports({ path: 'operator/engines/lamp/index.ts', text })).toEqual([]);
    expect(
      forbiddenImports({ path: 'operator/engines/index.ts', text: "import { a } from './lamp/index.js';" }),
    ).toEqual([]);
  });

  it('lets a new controller import what all controllers import', () => {
    const text = "import { a } from '../../runtime/index.js';\nimport { b } from '../../../src/index.js';";
    expect(forbiddenImports({ path: 'operator/controllers/lamp/desire.ts', text })).toEqual([]);
  });

  it.each([
    { only: 'operator/engines/lamp/client.ts', path: 'operator/engines/lamp/client.ts', may: true },
    { only: 'operator/engines/lamp/client.ts', path: 'operator/engines/lamp/index.ts', may: false },
    { only: 'operator/engines/lamp/', path: 'operator/engines/lamp/wire/client.ts', may: true },
    { only: 'operator/engines/lamp/', path: 'operator/engines/lamps/client.ts', may: false },
    { only: ['operator/dns/', 'operator/engines/lamp/'], path: 'operator/engines/lamp/client.ts', may: true },
    { only: 'operator/engines/lamp/client.ts', path: 'cli/lamp.ts', may: false },
    { only: 'operator/engines/lamp/client.ts', path: 'test/operator/engines/lamp/given-lamp.ts', may: true },
  ])('decides by the row $only of a library whether $path may load it: $may', ({ only, path, may }) => {
    const row: LibraryRule = { library: /^lamp-client$/, only, because: 'the client of lamps is large' };
    const expected = may ? [] : [`${path} imports lamp-client: the client of lamps is large`];
    expect(forbiddenImports({ path, text: "await import('lamp-client');" }, [row])).toEqual(expected);
  });

  it('names the file, the import and the rule', () => {
    const planted = { path: 'src/a.ts', text: "import { x } from '../operator/index.js';" };
    expect(forbiddenImports(planted)).toEqual([
      'src/a.ts imports operator/index.ts: src turns props into objects: no operator, no client, no file, no process',
    ]);
  });
});
