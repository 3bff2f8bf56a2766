import { Duration } from 'cdk8s';
import { Deployment, Secret, type Service, Volume } from 'cdk8s-plus-33';
import { KubeCertificate, KubeIssuer } from 'cdk8s-reconstruct';
import { Construct } from 'constructs';

export interface SiteProps {
  /** Name in DNS, such as `shop.example.com`. */
  readonly host: string;
  readonly image: string;
}

const port = 8443;

/** A website with TLS inside of the cluster. Its Pods restart when the certificate is renewed. */
export class Site extends Construct {
  readonly deployment: Deployment;
  readonly service: Service;

  constructor(scope: Construct, id: string, { host, image }: SiteProps) {
    super(scope, id);
    const tls = `${id}-tls`;

    new KubeIssuer(this, 'issuer', { metadata: { name: id }, spec: { ca: { commonName: `${id} CA` } } });
    new KubeCertificate(this, 'certificate', {
      metadata: { name: id },
      spec: {
        secretName: tls,
        issuer: { name: id },
        dnsNames: [host, id],
        renewAt: '66%',
        // Restarted in turn, then checked by a TLS handshake.
        consumers: [{ deployment: id }, { service: id, port }],
      },
    });

    this.deployment = new Deployment(this, 'deployment', {
      metadata: { name: id },
      replicas: 2,
      minReady: Duration.seconds(5),
    });
    const container = this.deployment.addContainer({ name: 'site', image, portNumber: port });
    const secret = Secret.fromSecretName(this, 'secret', tls);
    container.mount('/etc/tls', Volume.fromSecret(this, 'tls', secret), { readOnly: true });
    this.service = this.deployment.exposeViaService({ name: id, ports: [{ port }] });
  }
}
