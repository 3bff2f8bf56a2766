import type { Insertion } from './copy.js';

/** The lines that a new kind adds to files that all kinds share, in the order of CONTRIBUTING.md. */
export const insertions: readonly Insertion[] = [
  {
    file: 'crds/index.ts',
    after: "import type { Kind } from './schema/index.js';",
    line: "import { lamp } from './lamp/lamp.js';",
  },
  { file: 'crds/index.ts', after: '  secretRotation,', line: '  lamp,' },
  {
    file: 'crds/index.ts',
    after: "export * from './schema/index.js';",
    line: "export { lamp, lampSpec, lampStatus } from './lamp/lamp.js';",
  },
  {
    file: 'src/index.ts',
    after: "export { KubeObject } from './manifest/kube-object.js';",
    line: "export { Lamp, type LampProps } from './lamp/lamp.js';\nexport { KubeLamp } from './lamp/resources.js';",
  },
  {
    file: 'operator/controllers/index.ts',
    after: "import type { System } from './system.js';",
    line: "import { lamp } from './lamp/index.js';\nimport { lampOptions } from './lamp/options.js';",
  },
  {
    file: 'operator/controllers/index.ts',
    after: "  { name: 'training',",
    line: "  { name: 'lamp', controllers: [lamp], options: [lampOptions], pods: [] },",
  },
  {
    file: 'operator/engines/index.ts',
    after: "import { training } from './training/index.js';",
    line: "import { lamp } from './lamp/index.js';",
  },
  { file: 'operator/engines/index.ts', after: '  training,', line: '  lamp,' },
  {
    file: 'cli/systems.ts',
    after: "  { name: 'database',",
    line: `  {
    name: 'lamp',
    commands: { lamp: async () => (await import('./lamp/lamp.js')).lampCommand() },
    dashboard: async () => (await import('./lamp/dashboard.js')).dashboard,
  },`,
  },
  {
    file: 'test/import-rules.ts',
    after: 'export const libraryRules: readonly LibraryRule[] = [',
    line: "  { library: /^lru-cache$/, only: 'operator/engines/lamp/', because: 'only bulbs are remembered in it' },",
  },
  { file: 'package.json', after: '  "dependencies": {', line: '    "lru-cache": "^11.0.0",' },
  { file: 'CHANGELOG.md', after: '### Runtime', line: '\n- `Lamp` is a bulb with a color.' },
];
