import type { Construct } from 'constructs';
import { HostCertificate } from '../../../../src/index.js';
import type { LiveObject } from '../../../runtime/index.js';
import { issuerIn, type SecretHosts } from './hosts.js';

/** Renders a Certificate for each Secret with hosts. Nothing without an issuer, and for an object that is being deleted. */
export function desire(scope: Construct, resource: LiveObject, hosts: readonly SecretHosts[]): void {
  const issuer = issuerIn(resource);
  const { namespace = '', deletionTimestamp } = resource.metadata;
  if (!issuer || deletionTimestamp !== undefined) return;
  for (const { secretName, dnsNames } of hosts)
    new HostCertificate(scope, `certificate-${secretName}`, { secretName, namespace, dnsNames, issuer });
}
