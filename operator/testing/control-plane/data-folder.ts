import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CertificateAuthority, type CertifiedKey, signingKey } from '../../certificates/authority.js';
import { stringifyYaml } from '../../yaml/stringify-yaml.js';
import { files, kubernetesServiceIp } from './component-flags.js';
import { kubeconfig } from './kubeconfig.js';

const serverHosts = [
  'localhost',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  '127.0.0.1',
  kubernetesServiceIp,
];

const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata' }],
};

/** The certificates of the built-in users of a control plane. */
export interface BuiltInUsers {
  readonly admin: CertifiedKey;
  readonly controllerManager: CertifiedKey;
  readonly scheduler: CertifiedKey;
}

/** Writes the files that an API server reads at its start, and returns the cluster's CA. */
export async function writeServerFiles(folder: string): Promise<CertificateAuthority> {
  const [authority, serviceAccountKey] = await Promise.all([CertificateAuthority.create(), signingKey()]);
  const [server, frontProxy] = await Promise.all([
    authority.issue({ commonName: 'kube-apiserver', hosts: serverHosts }),
    authority.issue({ commonName: 'front-proxy' }),
  ]);
  await writeAll(folder, {
    [files.authority]: authority.own.certificate,
    [files.authorityKey]: authority.own.key,
    [files.server]: server.certificate,
    [files.serverKey]: server.key,
    [files.frontProxy]: frontProxy.certificate,
    [files.frontProxyKey]: frontProxy.key,
    [files.serviceAccountKey]: serviceAccountKey,
    [files.auditPolicy]: stringifyYaml(auditPolicy),
  });
  return authority;
}

/** Creates the built-in users of a control plane. */
export async function builtInUsers(authority: CertificateAuthority): Promise<BuiltInUsers> {
  const [admin, controllerManager, scheduler] = await Promise.all([
    authority.issue({ commonName: 'admin', organizations: ['system:masters'] }),
    authority.issue({ commonName: 'system:kube-controller-manager' }),
    authority.issue({ commonName: 'system:kube-scheduler' }),
  ]);
  return { admin, controllerManager, scheduler };
}

/** Writes the kubeconfigs of the built-in users. */
export async function writeKubeconfigs(
  folder: string,
  { url, authority }: { readonly url: string; readonly authority: string },
  { admin, controllerManager, scheduler }: BuiltInUsers,
): Promise<void> {
  await writeAll(folder, {
    [files.adminKubeconfig]: kubeconfig({ url, authority, user: 'admin', credentials: admin }),
    [files.controllerManagerKubeconfig]: kubeconfig({
      url,
      authority,
      user: 'kube-controller-manager',
      credentials: controllerManager,
    }),
    [files.schedulerKubeconfig]: kubeconfig({ url, authority, user: 'kube-scheduler', credentials: scheduler }),
  });
}

async function writeAll(folder: string, contents: Readonly<Record<string, string>>): Promise<void> {
  // Nearly all files contain private keys.
  const writes = Object.entries(contents).map(([name, text]) => writeFile(join(folder, name), text, { mode: 0o600 }));
  await Promise.all(writes);
}
