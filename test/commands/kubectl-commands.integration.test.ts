import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CertificateAuthority } from '../../operator/certificates/authority.js';
import type { ClusterAccess } from '../../operator/testing/index.js';
import { freshNamespace, givenGatewayControlPlane } from '../given/control-plane.js';
import { objectsOf, resources, selectors } from './given-objects.js';
import { type PageCommand, pageCommands } from './page-commands.js';
import { failuresOf, stepsOf, withoutRepeatedReads, writing } from './page-walk.js';
import { isInTutorial, isKubectl, tutorial } from './proofs.js';

let controlPlane: ClusterAccess;
let kubeconfig: string;
let namespace: string;
/** The working directory of all pages but the tutorial, with the files that they name. */
let pagesFolder: string;
const folders: string[] = [];

beforeAll(async () => {
  controlPlane = await givenGatewayControlPlane();
  namespace = await freshNamespace(controlPlane);
  kubeconfig = join(freshFolder(tmpdir()), 'kubeconfig');
  copyFileSync(controlPlane.kubeconfig, kubeconfig);
  await kubectl(['config', 'set-context', '--current', `--namespace=${namespace}`]);
  pagesFolder = freshFolder(tmpdir());
  symlinkSync(resolve('dist'), join(pagesFolder, 'dist'));
  writeFileSync(join(pagesFolder, 'kustomization.yaml'), kustomization());
  const { own } = await CertificateAuthority.create();
  writeFileSync(join(pagesFolder, 'ca.crt'), own.certificate);
  writeFileSync(join(pagesFolder, 'ca.key'), own.key);
  writeFileSync(join(pagesFolder, 'init.sql'), 'CREATE TABLE numbers (number int);');
  writeFileSync(join(pagesFolder, 'clean.py'), 'print(1)');
  for (const { metadata, status, ...resource } of resources)
    writeFileSync(join(pagesFolder, `${metadata.name}.yaml`), JSON.stringify({ ...resource, metadata }));
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** The file that the page on installation has its reader write. */
function kustomization(): string {
  const page = readFileSync('docs/installing.md', 'utf8');
  const [, indent = '', block = ''] = /^( *)```yaml\n( *apiVersion: kustomize.*?)```/ms.exec(page) ?? [];
  return block.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
}

function freshFolder(parent: string): string {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, '.commands-'));
  folders.push(folder);
  return folder;
}

async function kubectl(args: readonly string[], input?: object): Promise<void> {
  const options = { kubeconfig, ...(input && { input: JSON.stringify(input) }) };
  const { code, stderr } = await controlPlane.kubectl(args, options);
  expect(code, `kubectl ${args.join(' ')}: ${stderr}`).toBe(0);
}

const run = (commands: readonly PageCommand[], folder: string, functions = '') =>
  failuresOf(commands, { kubeconfig, kubectl: controlPlane.location.kubectl, folder, functions });

/** The programs that the tutorial starts: those of this package but its cluster, and its own operator in the background. */
const tutorialPrograms = `
npx() {
  case "$1 $2" in
    "tsc "*) node ${resolve('node_modules/typescript/bin/tsc')} ;;
    "reconstruct cluster") ;; # this test has one
    "reconstruct "*) shift; node ${resolve('build/cli/main.js')} "$@" ;;
  esac
}
node() {
  if [ "$1" = build/main.js ]; then command node "$@" >operator.log & else command node "$@"; fi
}
trap 'kill $(jobs -p)' EXIT
eval "$(declare -f kubectl | sed '1s/kubectl/kubectl_of_pages/')"
kubectl() {
  case "$*" in
    "apply -f hello.yaml") "$reconstruct_kubectl" wait --for=condition=Established crd/websites.example.com ;;
    "get website,"*) for kind in configmap deployment; do "$reconstruct_kubectl" wait --for=create $kind/hello; done ;;
  esac
  kubectl_of_pages "$@"
}
`;

test('the commands of the tutorial run in their order, with the files that the page shows', async () => {
  const folder = freshFolder('build'); // in the package, so that it resolves the package by its name
  const steps = stepsOf(tutorial).flatMap((step): readonly PageCommand[] => {
    if ('file' in step) return [{ page: tutorial, line: 0, text: writing(step.file, step.content) }];
    return isInTutorial(step) ? [step] : [];
  });
  const failures = await run(steps, folder, tutorialPrograms);
  copyFileSync(join(folder, 'website.crd.json'), join(pagesFolder, 'website.crd.json')); // which docs/schemas.md names
  expect(failures).toEqual([]);
});

describe('with objects that the constructs render, and statuses with every condition', () => {
  /** Objects that the pages name and the operator does not create. */
  const ofReaders = [
    ...['node-1', 'node-2'].map((name) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } })),
    {
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'kafka-client' } },
      spec: { containers: [{ name: 'client', image: 'kafka:4.4.0' }] },
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web-page' } },
    { apiVersion: 'example.com/v1', kind: 'Website', metadata: { name: 'web' }, spec: { html: '<title>web</title>' } },
  ];

  beforeAll(async () => {
    for (const path of ['dist/', 'dist/gateway/0001-class.k8s.yaml'])
      await kubectl(['apply', '--server-side', '--force-conflicts', '-f', path]);
    await kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=120s']);
    const specs = resources.map(({ status, ...resource }) => resource);
    const items = [...objectsOf(namespace), ...specs, ...ofReaders];
    await kubectl(['apply', '--server-side', '-f', '-'], { apiVersion: 'v1', kind: 'List', items });
    const pods = [
      ...selectors.map((selector) => [selector, namespace]),
      ['app.kubernetes.io/instance=reconstruct', 'reconstruct-system'],
    ];
    for (const [selector, place] of pods)
      await kubectl(['wait', '--for=create', 'pods', `--selector=${selector}`, `--namespace=${place}`]);
    for (const { kind, metadata, status } of resources)
      await kubectl([
        'patch',
        kind,
        metadata.name,
        '--subresource=status',
        '--type=merge',
        '-p',
        JSON.stringify({ status }),
      ]);
  });

  /** The tasks come last, because they change the resources that the other pages read. */
  const isTasks = ({ page }: PageCommand) => Number(page.endsWith('-tasks.md'));
  const ordered = pageCommands()
    .filter(isKubectl)
    .toSorted((a, b) => isTasks(a) - isTasks(b));
  const commands = withoutRepeatedReads(ordered);

  test.each([...new Set(commands.map(({ page }) => page))])(
    'kubectl accepts the commands of %s: deletions are a dry run on the server, and without kubelets nothing runs in Pods',
    async (page) => {
      expect(
        await run(
          commands.filter((command) => command.page === page),
          pagesFolder,
        ),
      ).toEqual([]);
    },
  );
});
