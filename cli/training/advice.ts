type Advice = Readonly<Record<string, Readonly<Record<string, string>>>>;

const again = 'delete the TrainingJob and create it again: it continues at the checkpoint';

/** What to do about the conditions of a TrainingJob that need a person, by type and reason. */
export const advice: Advice = {
  Scheduled: {
    ClaimNotFound:
      'create the PersistentVolumeClaim, or correct spec.checkpoint.claimName or the volumes of spec.podTemplate',
    ConfigMapNotFound: 'create the ConfigMap or its key, or correct spec.podTemplate',
    SecretNotFound: 'create the Secret or its key, or correct spec.podTemplate',
  },
  Training: {
    ImageUnavailable: 'correct spec.image, or spec.podTemplate.imagePullSecrets if the registry requires credentials',
    ContainerNotCreated: 'create what the message names, such as a ConfigMap or a Secret, or correct spec.podTemplate',
    RestartsExhausted: `fix the cause of the faults, ${again}`,
    LossNotFinite: `fix the data or the program at the step in the message, ${again}`,
    DeadlineExceeded: `raise spec.activeDeadline, ${again}`,
  },
  Healthy: {
    RankStalled: 'wait; if it happens again, look at the process with py-spy, and at the node',
    LossNotFinite: 'wait: an earlier checkpoint is being loaded',
    WorkerLost: 'wait; if it happens again, check the node in the message',
    Straggling: 'check the devices of the node in the message',
    LogRuleBroken: 'wait; if it happens again, read the log of the Pod, or correct the rule in spec.health.logRules',
    ProcessFailed: 'wait; if it happens again, read the log of the Pod',
  },
};

/** What to do about a condition. Undefined if its message has it, or if waiting is all. */
export function adviceFor({ type, reason }: { readonly type: string; readonly reason: string }): string | undefined {
  return advice[type]?.[reason];
}
