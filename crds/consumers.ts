import { enumeration, integer, list, object, type Rule, string } from './schema/index.js';

/** The fields that name a workload. */
const workloads = ['deployment', 'statefulSet', 'daemonSet'] as const;

const name = (kind: string) =>
  string(`Name of a ${kind} in the same namespace.`, { minLength: 1, maxLength: 253, optional: true });

const reload = enumeration(
  'Way in which the Pods get the new content. `Restart` rolls the workload, once for all Secrets that change at the same time. With `Signal`, a container in the Pod sends a signal to the process. With `None`, the process reads the Secret itself. Defaults to Restart.',
  ['Restart', 'Signal', 'None'],
  { optional: true },
);

const workloadFields = {
  deployment: name('Deployment'),
  statefulSet: name('StatefulSet'),
  daemonSet: name('DaemonSet'),
  reload,
};

type Consumer = Readonly<Partial<Record<(typeof workloads)[number] | 'service' | 'reload', unknown>>>;

function exactlyOne(fields: readonly (keyof Consumer)[]): Rule {
  const named = `${fields.slice(0, -1).join(', ')} or ${fields.at(-1)}`;
  return {
    rule: `[${fields.map((field) => `has(self.${field})`).join(', ')}].exists_one(is, is)`,
    message: `must name exactly one consumer; set ${named}`,
    holds: (consumer: Consumer) => fields.filter((field) => consumer[field] !== undefined).length === 1,
  };
}

const portOfService: Rule = {
  rule: 'has(self.service) == has(self.port)',
  message: 'must be set together with service; set both service and port, or remove port',
  fieldPath: '.port',
  holds: ({ service, port }: Consumer & { readonly port?: unknown }) =>
    (service === undefined) === (port === undefined),
};

const reloadOfWorkload: Rule = {
  rule: '!(has(self.service) && has(self.reload))',
  message: 'must not be set for a Service, which is only checked; name the workload behind it in another consumer',
  fieldPath: '.reload',
  holds: ({ service, reload: way }: Consumer) => service === undefined || way === undefined,
};

/** At most so many consumers, which bounds the cost of the rules and of a check. */
const limits = { maxItems: 64, optional: true } as const;

/** The workloads that use a Secret. */
export function workloadConsumers(description: string) {
  const consumer = object('Consumer. Exactly one of its workload fields must be set.', workloadFields, {
    rules: [exactlyOne(workloads)],
  });
  return list(description, consumer, limits);
}

/** The workloads that use the Secret of a certificate, and the ports that serve the certificate. */
export function certificateConsumers(description: string) {
  const fields = {
    ...workloadFields,
    service: name('Service'),
    port: integer('Port of the Service that serves TLS. Each ready endpoint must serve the new certificate.', {
      minimum: 1,
      maximum: 65_535,
      optional: true,
    }),
  };
  const consumer = object('Consumer. Exactly one workload or Service must be set.', fields, {
    rules: [exactlyOne([...workloads, 'service']), portOfService, reloadOfWorkload],
  });
  return list(description, consumer, limits);
}
