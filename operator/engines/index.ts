import { acme } from './acme/index.js';
import { certificates } from './certificates/index.js';
import { consumers } from './consumers/index.js';
import { dns } from './dns/index.js';
import type { Engine } from './engine.js';
import { etcd } from './etcd/index.js';
import { hooks } from './hooks/index.js';
import { kafka } from './kafka/index.js';
import { leader } from './leader/index.js';
import { metrics } from './metrics/index.js';
import { nodes } from './nodes/index.js';
import { pods } from './pods/index.js';
import { postgres } from './postgres/index.js';
import { publication } from './publication/index.js';
import { spark } from './spark/index.js';
import { training } from './training/index.js';

/** Every engine of this operator. Add yours here: the operator opens it, serves its servers, and closes it. */
export const engines: readonly Engine[] = [
  acme,
  certificates,
  consumers,
  dns,
  etcd,
  hooks,
  kafka,
  leader,
  metrics,
  nodes,
  pods,
  postgres,
  publication,
  spark,
  training,
];
