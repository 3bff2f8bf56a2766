import { databaseKind } from '../../../imports/index.js';
import { instanceImage } from '../../../src/index.js';

/** The kind whose image depends on its version. */
export const databaseImages = { kind: databaseKind, imageOf: instanceImage };
