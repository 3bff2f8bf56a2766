import { adoptionReasons } from '../../consumers/adoption.js';

/** Condition types and reasons of a SecretRotation. Each reason has its status and its default message. */
export const conditions = {
  /** Whether the Secret has a credential that works and is not overdue. */
  Rotated: {
    UpToDate: ['True', 'The Secret has the current credential'],
    Preparing: ['Unknown', 'A new credential is being prepared'],
    Verifying: ['Unknown', 'The new login is being created and verified'],
    Repairing: [
      'Unknown',
      'The server does not accept the login in the Secret, and the operator sets its password again',
    ],
    ServerUnknown: ['Unknown', 'The server has not answered yet'],
    LoginInUse: ['Unknown', 'The credential is lost, and both logins are in use'],
    CallFailed: ['False', 'The server refuses to change the login'],
    NotOurs: ['False', 'The name of a login is in use, and no SecretRotation of this name has created it'],
    DatabaseNotFound: ['False', 'The namespace has no Database of this name'],
    KafkaUserNotFound: ['False', 'The namespace has no KafkaUser of this name'],
    KafkaUserUnsuitable: ['False', 'The KafkaUser has no password, or its cluster has no listener to try one'],
    KafkaClusterNotFound: ['False', 'The namespace does not have the KafkaCluster of the KafkaUser'],
  },
  /** Whether each consumer uses the credential. Present if the spec has consumers. */
  Adopted: adoptionReasons('credential'),
  /** Whether the earlier login is refused. Present for logins. */
  Retired: {
    Refused: ['True', 'The server refuses the earlier login'],
    Overlapping: ['Unknown', 'The earlier login works until overlap has passed'],
    WaitingForConsumers: ['Unknown', 'The earlier login works until each consumer uses the new one'],
    InUse: ['Unknown', 'The earlier login works, because sessions of it are still open'],
    Refusing: ['Unknown', 'The earlier login is being refused'],
    ServerUnknown: ['Unknown', 'The server has not answered yet'],
    CallFailed: ['False', 'The server does not refuse the earlier login'],
  },
} as const;
