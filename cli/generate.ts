import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { allKinds, type CustomResourceDefinition } from '../crds/index.js';
import { documentedDefinition } from '../crds/schema/crd.js';
import { systems } from '../operator/controllers/index.js';
import { gatewayApiCrds } from '../src/gateway/definitions.js';
import { alertModule } from './alerts/alert-module.js';
import { joinedRules, type RuleFile, ruleFiles } from './alerts/rule-files.js';
import { definitionsOf } from './codegen/crds/definitions.js';
import { writeImports } from './codegen/imports.js';
import { kebab } from './codegen/names.js';
import { definitionPage, referringPage } from './codegen/reference/definition-page.js';
import { reference } from './codegen/reference/kind-page.js';
import { referenceHeader } from './codegen/reference/markdown.js';
import { removeStaleFiles } from './codegen/stale-files.js';
import { framed } from './dashboards/frame.js';
import { pageSections } from './page-sections.js';
import { withSections } from './pages/sections.js';
import { dashboards } from './systems.js';

const COMMAND = 'npm run generate';

/** Kinds of the Gateway API that constructs render and controllers read. */
const GATEWAY_KINDS: ReadonlySet<string> = new Set(['GatewayClass', 'Gateway', 'HTTPRoute']);

/**
 * Generates `imports/` and `docs/reference/` in a folder from `crds/` and the Gateway API, the tables in pages of
 * `docs/` from the controllers, the dashboards in `docs/monitoring/` from their tables, and the alert rules there from a
 * file for each system.
 */
export async function generate(root: string): Promise<void> {
  const rules = await ruleFiles(
    root,
    systems.map(({ name }) => name),
  );
  const parts = await Promise.allSettled([
    generateKinds(root, rules),
    generateMonitoring(root, rules),
    fillPages(root, rules),
  ]);
  // Each part has ended, so that none leaves its temporary files behind when another one fails.
  for (const part of parts) if (part.status === 'rejected') throw part.reason;
}

async function generateKinds(root: string, rules: readonly RuleFile[]): Promise<void> {
  const crds = allKinds.map(documentedDefinition);
  const out = path.join(root, 'imports');
  const foreign = gatewayApiCrds().filter(({ spec }) => GATEWAY_KINDS.has(spec.names.kind));
  const more = [['alert-rules.ts', alertModule(rules, systems)]] as const;
  await writeImports(crds, { out, classPrefix: 'Kube', command: COMMAND, alone: true, foreign, more });

  const docs = path.join(root, 'docs', 'reference');
  await mkdir(docs, { recursive: true });
  const pages = referencePages(crds);
  await Promise.all(pages.map(([file, page]) => writeFile(path.join(docs, file), page)));
  const current = pages.map(([file]) => file);
  await removeStaleFiles(docs, referenceHeader(COMMAND), current);
}

/** The pages of kinds, and of the definitions that have one, by file. */
function referencePages(crds: readonly CustomResourceDefinition[]): readonly (readonly [file: string, page: string])[] {
  const fileOf = ({ spec }: CustomResourceDefinition) => `${kebab(spec.names.kind)}.md`;
  const documented = definitionsOf(crds).flatMap((of) => (of.page ? [{ of, page: of.page }] : []));
  const referring = [
    ...crds.map((crd) => referringPage(crd, fileOf(crd))),
    ...documented.map(({ of, page }) => ({ ...page, schema: of.json })),
  ];
  return [
    ...crds.map((crd) => [fileOf(crd), reference(crd, COMMAND)] as const),
    ...documented.map(({ of, page }) => [page.file, definitionPage(of, referring, COMMAND)] as const),
  ];
}

/** Fills in the generated parts of the pages of `docs/` and its folders. */
async function fillPages(root: string, rules: readonly RuleFile[]): Promise<void> {
  const files = await readdir(path.join(root, 'docs'), { recursive: true });
  const pages = files.filter((file) => file.endsWith('.md')).map((file) => path.join('docs', file));
  const sections = await pageSections(root, rules);
  for (const page of pages) {
    const file = path.join(root, page);
    const before = await readFile(file, 'utf8');
    const after = withSections(before, page, sections);
    if (after !== before) await writeFile(file, after);
  }
}

async function generateMonitoring(root: string, rules: readonly RuleFile[]): Promise<void> {
  const folder = path.join(root, 'docs', 'monitoring');
  await mkdir(folder, { recursive: true });
  const files = (await dashboards()).map((dashboard) => [`${dashboard.file}.json`, framed(dashboard)] as const);
  const write = ([file, json]: (typeof files)[number]) =>
    writeFile(path.join(folder, file), `${JSON.stringify(json, undefined, 2)}\n`);
  await Promise.all([...files.map(write), writeFile(path.join(folder, 'rules.yaml'), joinedRules(rules, COMMAND))]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generate(process.cwd());
