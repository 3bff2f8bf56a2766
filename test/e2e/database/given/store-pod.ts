import type { CertifiedKey } from '../../../../operator/certificates/authority.js';
import { objectStoreLine, objectStoreProgram } from '../../../images/postgres/object-store-program.js';
import { projectImage } from '../../../images/project-images.js';
import { applied, kubectl } from '../../cluster/kubectl.js';

const labels = { app: 'store' };
const port = 9000;

/** Where it is asked, by a certificate for that host. */
export const storeHost = (namespace: string) => `store.${namespace}.svc`;

/** Starts a server that speaks S3 in a pod, at `store.NAMESPACE.svc:9000`. It has a bucket. */
export async function startStore(namespace: string, { certificate, key }: CertifiedKey, bucket: string): Promise<void> {
  const metadata = { name: 'store', namespace };
  const program = '/store/program';
  const line = objectStoreLine(program, '/store', `:${port}`).join(' ');
  const begin = `cp /tls/* /store; mkdir -p /store/facts /store/data/${bucket}`;
  const container = {
    name: 'store',
    image: projectImage('postgres', '15.20'),
    command: ['sh', '-ec', `${begin}; until [ -x ${program} ]; do sleep 0.2; done; exec ${line}`],
    readinessProbe: { tcpSocket: { port }, periodSeconds: 1 },
    securityContext: { runAsUser: 999, runAsGroup: 999 },
    volumeMounts: [
      { name: 'store', mountPath: '/store' },
      { name: 'tls', mountPath: '/tls' },
    ],
  };
  const volumes = [
    { name: 'store', emptyDir: {} },
    { name: 'tls', secret: { secretName: 'store' } },
  ];
  await applied(
    { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { 'tls.crt': certificate, 'tls.key': key } },
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: labels, ports: [{ port }] } },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, labels },
      spec: { automountServiceAccountToken: false, containers: [container], volumes },
    },
  );
  const of = ['--namespace', namespace];
  await kubectl([...of, 'wait', 'pod/store', '--for=jsonpath={.status.phase}=Running', '--timeout=60s']);
  await kubectl([...of, 'cp', await objectStoreProgram(), `${namespace}/store:/store/copied`]);
  await kubectl([...of, 'exec', 'store', '--', 'sh', '-ec', `chmod +x /store/copied; mv /store/copied ${program}`]);
  await kubectl([...of, 'wait', 'pod/store', '--for=condition=Ready', '--timeout=30s']);
}
