import { because, ownedVerbs, rightsOf, type UnusedRights } from '../given/unused-rights.js';

/** Rights for Certificates, their issuers and bundles, and for challenges. */
export const unused = {
  ...because('what certificates are made of; nobody here has one', [
    ...rightsOf(ownedVerbs, ['certificates.reconstruct.dev']),
    ...rightsOf(['list', 'get'], ['issuers.reconstruct.dev', 'clusterissuers.reconstruct.dev']),
    ...rightsOf(['list', 'get'], ['trustbundles.reconstruct.dev']),
    'list ingresses.networking.k8s.io',
    ...rightsOf(['patch'], ['issuers.reconstruct.dev', 'clusterissuers.reconstruct.dev']),
    ...['certificates', 'issuers', 'clusterissuers', 'trustbundles'].flatMap((plural) => [
      `patch ${plural}.reconstruct.dev/status`,
      `update ${plural}.reconstruct.dev/finalizers`,
    ]),
    'update ingresses.networking.k8s.io/finalizers',
  ]),
  ...because(
    'how HTTP-01 challenges of ACME servers are answered; nobody here has one',
    rightsOf(
      ['get', 'create', 'update', 'patch', 'delete'],
      ['endpointslices.discovery.k8s.io', 'ingresses.networking.k8s.io'],
    ),
  ),
} satisfies UnusedRights;
