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
      'PostgreSQL does not accept the login in the Secret, and the operator sets its password again',
    ],
    ServerUnknown: ['Unknown', 'PostgreSQL has not answered yet'],
    LoginInUse: ['Unknown', 'The credential is lost, and both logins are in use'],
    CallFailed: ['False', 'PostgreSQL refuses to change the login'],
    NotOurs: ['False', 'A role with the name of a login exists, and no SecretRotation of this name has created it'],
    DatabaseNotFound: ['False', 'The namespace has no Database of this name'],
  },
  /** Whether each consumer uses the credential. Present if the spec has consumers. */
  Adopted: adoptionReasons('credential'),
  /** Whether the earlier login is refused. Present for logins. */
  Retired: {
    Refused: ['True', 'PostgreSQL refuses the earlier login'],
    Overlapping: ['Unknown', 'The earlier login works until overlap has passed'],
    WaitingForConsumers: ['Unknown', 'The earlier login works until each consumer uses the new one'],
    InUse: ['Unknown', 'The earlier login works, because sessions of it are still open'],
    Refusing: ['Unknown', 'The earlier login is being refused'],
    ServerUnknown: ['Unknown', 'PostgreSQL has not answered yet'],
    CallFailed: ['False', 'PostgreSQL does not refuse the earlier login'],
  },
} as const;
