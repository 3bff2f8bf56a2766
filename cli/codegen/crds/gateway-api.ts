import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { CustomResourceDefinition } from '../../../crds/index.js';
import { isRecord } from '../../../operator/runtime/kubernetes/json.js';
import { readCrds } from './crd-file.js';

const run = promisify(execFile);

/** The release of the Gateway API whose CRDs this package contains. */
export const gatewayApiVersion = 'v1.4.0';

/** The kinds that proxies watch, even if they are not used. */
const plurals = ['gatewayclasses', 'gateways', 'httproutes', 'grpcroutes', 'referencegrants', 'backendtlspolicies'];

/**
 * The CRDs of the Gateway API's standard channel, from its Go module. They contain only the storage version, without
 * descriptions, which are three quarters of their size.
 * @throws {Error} if Go is missing or cannot download the module
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

/** A module for `imports/`, with the CRDs as a JSON text that is parsed only on demand. */
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
    // Runs in an empty folder, so that no other go.mod influences the download.
    const args = ['mod', 'download', '-json', `sigs.k8s.io/gateway-api@${gatewayApiVersion}`];
    const { stdout } = await run('go', args, { cwd: folder });
    return (JSON.parse(stdout) as { readonly Dir: string }).Dir;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes the descriptions of fields. A field with the name `description` is not a text and stays. */
function bare<T>(value: T): T {
  if (Array.isArray(value)) return value.map(bare) as T;
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([key, member]) => key !== 'description' || typeof member !== 'string');
  return Object.fromEntries(kept.map(([key, member]) => [key, bare(member)])) as T;
}
