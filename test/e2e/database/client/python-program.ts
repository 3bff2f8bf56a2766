import { readFile } from 'node:fs/promises';
import { objectNames } from '../../../../src/index.js';
import { projectImage } from '../../../images/project-images.js';

/** A program of this folder, what it is asked, and of which Database. */
export interface PythonProgram {
  readonly namespace: string;
  /** The Database's name. */
  readonly database: string;
  readonly program: 'writer' | 'prober';
  /** It gets this as JSON. */
  readonly asked: object;
}

/** The ConfigMap with a program. */
export async function programMap({ namespace, program }: PythonProgram): Promise<object> {
  const data = { [`${program}.py`]: await readFile(`test/e2e/database/client/${program}.py`, 'utf8') };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: program, namespace }, data };
}

/** The spec of a pod that runs it in the image of instances, which has Python and PostgreSQL's client library. */
export function programPod({ database, program, asked }: PythonProgram): object {
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    // Does not wait long without an answer.
    dnsConfig: {
      options: [
        { name: 'timeout', value: '1' },
        { name: 'attempts', value: '1' },
      ],
    },
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 999,
      runAsGroup: 999,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    terminationGracePeriodSeconds: 2,
    // Where a node is lost, what was counted there must not go with the pod.
    tolerations: [{ operator: 'Exists' }],
    containers: [
      {
        name: program,
        image: projectImage('postgres', '15.20'),
        command: ['python3', `/client/${program}.py`, JSON.stringify(asked)],
        env: [{ name: 'URI', valueFrom: { secretKeyRef: { name: objectNames(database).app, key: 'uri' } } }],
        resources: { requests: { cpu: '20m', memory: '32Mi' } },
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
        volumeMounts: [{ name: 'client', mountPath: '/client' }],
      },
    ],
    volumes: [{ name: 'client', configMap: { name: program } }],
  };
}
