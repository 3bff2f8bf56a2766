import { adoptionReasons } from '../../consumers/adoption.js';

/** Condition types and reasons of a SecretRotation. Each reason has its status and its default message. */
export const conditions = {
  /** Whether the Secret has a credential that works and is not overdue. */
  Rotated: {
    UpToDate: ['True', 'The Secret has the current credential'],
    Preparing: ['Unknown', 'A new credential is being prepared', 'Wait. The operator draws a new credential.'],
    Verifying: [
      'Unknown',
      'The new login is being created and verified',
      'Wait. The operator creates the new login and logs in with it. If it takes long, check the rules of `pg_hba.conf` for both logins.',
    ],
    Repairing: [
      'Unknown',
      'The server does not accept the login in the Secret, and the operator sets its password again',
      'Wait. The server has lost the password, for example after a restore. The operator sets it again.',
    ],
    ServerUnknown: [
      'Unknown',
      'The server has not answered yet',
      'Check the Database or KafkaCluster, the network and the Secret of the administrator. The message has the error. The credential in the Secret stays.',
    ],
    LoginInUse: [
      'Unknown',
      'The credential is lost, and both logins are in use',
      'Both Secrets are lost, and sessions of both logins are open. Stop the consumers of one login.',
    ],
    CallFailed: [
      'False',
      'The server refuses to change the login',
      'Fix the cause in the message. It has the words of the server.',
    ],
    NotOurs: [
      'False',
      'The name of a login is in use, and no SecretRotation of this name has created it',
      'Drop the role or user in the message if no client needs it, or create a SecretRotation with another name.',
    ],
    DatabaseNotFound: [
      'False',
      'The namespace has no Database of this name',
      'Create the Database, or create a SecretRotation that names another one.',
    ],
    KafkaUserNotFound: [
      'False',
      'The namespace has no KafkaUser of this name',
      'Create the KafkaUser, or create a SecretRotation that names another one. Both users stay in Kafka.',
    ],
    KafkaUserUnsuitable: [
      'False',
      'The KafkaUser has no password, or its cluster has no listener to try one',
      'Follow the advice in the message.',
    ],
    KafkaClusterNotFound: [
      'False',
      'The namespace does not have the KafkaCluster of the KafkaUser',
      'Create the KafkaCluster.',
    ],
  },
  /** Whether each consumer uses the credential. Present if the spec has consumers. */
  Adopted: adoptionReasons('credential'),
  /** Whether the earlier login is refused. Present for logins. */
  Retired: {
    Refused: ['True', 'The server refuses the earlier login'],
    Overlapping: [
      'Unknown',
      'The earlier login works until overlap has passed',
      'None. The earlier login works until `overlap` has passed.',
    ],
    WaitingForConsumers: ['Unknown', 'The earlier login works until each consumer uses the new one', 'See `Adopted`.'],
    InUse: [
      'Unknown',
      'The earlier login works, because sessions of it are still open',
      'Find the client in `pg_stat_activity` by the login in the message. It uses an earlier Secret. Restart it.',
    ],
    Refusing: ['Unknown', 'The earlier login is being refused'],
    ServerUnknown: ['Unknown', 'The server has not answered yet', 'See `Rotated`.'],
    CallFailed: ['False', 'The server does not refuse the earlier login', 'Fix the cause in the message.'],
  },
} as const;

/** What to do about a rejected spec, by reason. */
export const rejections = {
  ReservedName: 'Create another SecretRotation with another `secretName`.',
} as const;
