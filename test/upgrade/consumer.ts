import { serverImage } from '../images/project-images.js';

/** A Deployment `web` of two Pods that mount a Secret, so that a change of the Secret would replace them. */
export function consumerOf(secretName: string, namespace: string): object {
  const labels = { app: 'web' };
  const container = {
    ...{ name: 'server', image: serverImage('1.0.0') },
    resources: { requests: { cpu: '10m', memory: '64Mi' } },
    volumeMounts: [{ name: 'secret', mountPath: '/secret' }],
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  };
  const spec = {
    ...{ automountServiceAccountToken: false, containers: [container] },
    securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: 'RuntimeDefault' } },
    volumes: [{ name: 'secret', secret: { secretName } }],
  };
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace } },
    spec: { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}
