import { ApiObject } from 'cdk8s';
import { childName } from 'cdk8s-reconstruct';
import { allowRecreation, defineController, Job, type LiveJob } from 'cdk8s-reconstruct/operator';
import { mailboxKind } from './kind.js';

/** Creates an account at a mail provider, and deletes it with its Mailbox. */
export const mailbox = defineController({
  kind: mailboxKind,
  owns: [Job],
  // The status names the account before a Job creates it. From then on, the Mailbox is deleted only after the account.
  finalizes: { external: ({ status }) => status?.account !== undefined },
  conditions: {
    Provisioned: {
      Created: ['True', 'The account exists'],
      Creating: ['Unknown', 'A Job creates the account'],
      Deleting: ['Unknown', 'A Job deletes the account'],
    },
  },
  desire: (scope, { resource: { metadata, spec, status }, owned }) => {
    if (status?.account === undefined) return;
    // A Job that still runs could create the account after its deletion.
    const isCreating = owned.of(Job).some((job) => taskOf(job) === 'create' && !hasEnded(job));
    const task = metadata.deletionTimestamp === undefined || isCreating ? 'create' : 'delete';
    const containers = [{ name: task, image: spec.image, args: [task, status.account] }];
    const job = new ApiObject(scope, task, {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: childName(metadata.name, task), labels: { [taskLabel]: task } },
      spec: { template: { spec: { restartPolicy: 'OnFailure', containers } } },
    });
    allowRecreation(job); // both tasks can run twice
  },
  assess: ({ resource: { metadata, status }, owned }) => {
    const [job] = owned.of(Job);
    const hasSucceeded = Boolean(job?.status?.succeeded);
    if (metadata.deletionTimestamp === undefined) {
      const account = `${metadata.namespace}.${metadata.name}`;
      return { conditions: { Provisioned: { reason: hasSucceeded ? 'Created' : 'Creating' } }, status: { account } };
    }
    const isDeleted = job !== undefined && taskOf(job) === 'delete' && hasSucceeded;
    return {
      conditions: { Provisioned: { reason: 'Deleting' } },
      status: isDeleted || status?.account === undefined ? {} : { account: status.account },
    };
  },
});

const taskLabel = 'example.com/task';

function taskOf({ metadata }: LiveJob): string | undefined {
  return metadata.labels?.[taskLabel];
}

function hasEnded({ status }: LiveJob): boolean {
  return (status?.conditions ?? []).some((one) => ['Complete', 'Failed'].includes(one.type) && one.status === 'True');
}
