import { X509Certificate } from 'node:crypto';
import { App, Chart, Yaml } from 'cdk8s';
import { afterEach, expect, it } from 'vitest';
import { certificateSpec, issuerSpec, withDefaults } from '../../crds/index.js';
import { Site } from '../../examples/10-certificates/site.js';
import { Deployment } from '../../operator/runtime/kubernetes/kinds.js';
import type { Manifest } from '../../operator/runtime/kubernetes/object.js';
import {
  CertificateWorld,
  certificateKind,
  issuerKind,
} from '../operator/controllers/certificates/given-certificates.js';

const chart = () => {
  const given = new Chart(new App(), 'site', { namespace: 'shop' });
  new Site(given, 'shop', { host: 'shop.example.com', image: 'registry.example.com/shop:1.0.0' });
  return given.toJson() as readonly (Manifest & { readonly spec: never })[];
};
const one = (kind: string) => chart().find((object) => object.kind === kind) ?? expect.fail(`no ${kind}`);

let world: CertificateWorld;
afterEach(() => world?.close());

it('the site becomes the objects of its golden file', async () => {
  await expect(Yaml.stringify(...chart())).toMatchFileSnapshot('../../examples/10-certificates/becomes.yaml');
});

it('the operator issues the certificate that the Pods mount, and restarts them', async () => {
  const [issuer, certificate, deployment] = [one('Issuer'), one('Certificate'), one('Deployment')];
  world = await CertificateWorld.start(
    [issuerKind, { ...issuer, spec: withDefaults(issuerSpec, issuer.spec) } as Manifest],
    [certificateKind, { ...certificate, spec: withDefaults(certificateSpec, certificate.spec) } as Manifest],
    [Deployment, deployment],
  );
  const { volumes } = (deployment.spec as { template: { spec: { volumes: { secret: { secretName: string } }[] } } })
    .template.spec;
  const mounted = await world.secret(volumes[0]?.secret.secretName);
  expect(new X509Certificate(mounted?.['tls.crt'] ?? '').subjectAltName).toBe('DNS:shop, DNS:shop.example.com');
  await world.after(40_000);
  expect(Object.keys(await world.annotations('shop'))).toContain('secret-hash.reconstruct.dev/shop-tls');
});
