import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { definitionsModule, standardChannel } from './codegen/crds/gateway-api.js';

const folder = path.join(process.cwd(), 'imports', 'gateway-api');
await mkdir(folder, { recursive: true });
await writeFile(
  path.join(folder, 'definitions.ts'),
  definitionsModule(await standardChannel(), 'npm run fetch:gateway-api'),
);
