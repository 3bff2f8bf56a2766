import { kafkaClusterKind } from '../../../imports/index.js';
import { kafkaImage } from '../../../src/index.js';

/** The kind whose image depends on its version. */
export const kafkaImages = { kind: kafkaClusterKind, imageOf: kafkaImage };
