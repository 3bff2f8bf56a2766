import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { CustomResourceDefinition } from '../../crds/index.js';
import { isRecord } from '../../operator/runtime/kubernetes/json.js';
import { readCrds } from './crd-file.js';

const run = promisify(execFile);

/** The release of the Gateway API whose definitions this package has. */
export const gatewayApiVersion = 'v1.4.0';

/** Those that proxies watch, whether anybody uses them or not. */
const plurals = ['gatewayclasses', 'gateways', 'httproutes', 'grpcroutes', 'referencegrants', 'backendtlspolicies'];

/**
 * The definitions of the Gateway API's standard channel, out of its Go module: the version that is stored alone, and
 * without descriptions, which are three quarters of their size.
 * @throws {Error} when Go is missing, or cannot get the module
 */
export async function standardChannel(): Promise<readonly CustomResourceDefinition[]> {
  const folder = path.join(await moduleFolder(), 'config', 'crd', 'standard');
  const files = plurals.map((plural) => path.join(folder, `gateway.networking.k8s.io_${plural}.yaml`));
  const crds = await Promise.all(files.map(readCrds));
  return crds.flat().map(({ apiVersion, kind, metadata, spec }) => ({
    apiVersion,
    kind,
    metadata,
    spec: bare({ ...spec, versions: spec.versions.filter(({ storage }) => storage) }),
  }));
}

/** The module as a file of `imports/`: a text that is read when somebody asks, since hardly anybody does. */
export function definitionsModule(crds: readonly CustomResourceDefinition[], command: string): string {
  return `// Written by \`${command}\`. Do not edit.
// The standard channel of the Gateway API ${gatewayApiVersion}, https://gateway-api.sigs.k8s.io: Apache License 2.0, the Kubernetes Authors.

/** CustomResourceDefinitions, as JSON. */
export const gatewayApiDefinitions: string =
  ${JSON.stringify(JSON.stringify(crds))};
`;
}

async function moduleFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'reconstruct-gateway-api-'));
  try {
    // From an empty folder: no go.mod around it has a say in what is downloaded.
    const args = ['mod', 'download', '-json', `sigs.k8s.io/gateway-api@${gatewayApiVersion}`];
    const { stdout } = await run('go', args, { cwd: folder });
    return (JSON.parse(stdout) as { readonly Dir: string }).Dir;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Without the descriptions of fields; a field that is called `description` is no text and stays. */
function bare<T>(value: T): T {
  if (Array.isArray(value)) return value.map(bare) as T;
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([key, member]) => key !== 'description' || typeof member !== 'string');
  return Object.fromEntries(kept.map(([key, member]) => [key, bare(member)])) as T;
}
