import { algorithm } from './algorithm.js';
import { certificate } from './certificate.js';
import { database } from './database.js';
import { kafka } from './kafka.js';
import { rotation } from './rotation.js';
import { training } from './training.js';
import type { UpgradedKind } from './upgraded-kind.js';

/** All kinds. Add a line for a new one. */
export const upgradedKinds: readonly UpgradedKind[] = [algorithm, database, certificate, rotation, kafka, training];

/** Their names. */
export const kindNames: readonly string[] = upgradedKinds.map(({ name }) => name);
