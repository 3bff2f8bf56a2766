import type { ConditionSet } from '../controller/conditions.js';

/** The conditions that the runtime reports for every resource. `Ready` also takes the reason of a condition that is bad. */
export const runtimeReasons = {
  /** Whether the spec can work. */
  Accepted: {
    Valid: ['True', 'The spec is valid'],
    Invalid: ['False', 'The spec cannot work', 'Fix the fields in the message. The last accepted spec keeps running.'],
  },
  /** Whether all conditions are met. */
  Ready: {
    Ready: ['True', 'Every condition is met'],
    ApplyRejected: [
      'False',
      'The API server rejected an object',
      'Follow the message: it names the quota, policy, webhook or permission, and the remedy.',
    ],
    ReconcileFailed: [
      'Unknown',
      'The last reconciles failed',
      'Wait: the operator retries with backoff. If the failure in the message persists, fix its cause.',
    ],
    ObjectTerminating: ['Unknown', 'An object of the same name is being deleted', 'Wait until the object is gone.'],
    NamespaceTerminating: [
      'Unknown',
      'The namespace of an object is being deleted',
      'Wait until the namespace is gone.',
    ],
    Terminating: [
      'Unknown',
      'The resource is being deleted',
      'Wait. The message has what is left, and [how to release it](docs/owning.md#clean-up-after-a-deletion) if it stays.',
    ],
  },
  /** Whether an object that the resource needs belongs to another owner. */
  Conflicted: {
    NotOwned: [
      'True',
      'An object of that name has another owner',
      'Delete the object, rename the resource, or hand the object over with the annotation in the message.',
    ],
  },
  /** Whether an object cannot be changed as the spec wants it. */
  Blocked: {
    ImmutableField: [
      'True',
      'An immutable field must change',
      'Revert the edit, or delete the object in the message, which the operator then creates anew.',
    ],
  },
  /** Whether others revert what the operator writes. */
  FieldsConflicted: {
    FieldManagerConflict: [
      'True',
      'Another field manager reverts a field each time',
      'Let only one of the two managers in the message set the field.',
    ],
    WriteLoop: [
      'True',
      'An object is deleted as often as the operator creates it',
      'Find the client that deletes the object in the message, and stop it.',
    ],
  },
  /** Whether the deletion takes too long. */
  DeletionBlocked: {
    DeletionDeadlineExceeded: [
      'True',
      'The cleanup takes longer than its deadline',
      'Delete what the message names, or [release the resource](docs/owning.md#clean-up-after-a-deletion).',
    ],
    StaleFinalizer: [
      'True',
      'A finalizer of an earlier version of the controller is left',
      'Remove the finalizer with the command in the message.',
    ],
  },
  /** Whether the resource is paused. */
  Paused: {
    Paused: [
      'True',
      'The resource is paused: no object is written and no external call is sent',
      'Remove the annotation `reconstruct.dev/paused` to [resume](docs/events.md#pause-a-resource).',
    ],
  },
  /** Whether an annotation of the resource has a value that means nothing. */
  AnnotationInvalid: {
    InvalidValue: [
      'True',
      'An annotation has an invalid value and is ignored',
      'Set the annotation in the message to a value that the message allows, or remove it.',
    ],
  },
  /** Whether objects stay because something is not known. */
  PruningHeld: {
    NotKnown: [
      'True',
      'Objects that are no longer desired stay, because what they depend on is not known',
      'Restore what the message names as unknown.',
    ],
  },
} as const satisfies ConditionSet;
