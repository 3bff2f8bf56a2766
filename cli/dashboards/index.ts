import { algorithms } from './algorithms.js';
import { certificates } from './certificates.js';
import type { Dashboard } from './dashboard.js';
import { databases } from './databases.js';
import { kafka } from './kafka.js';
import { training } from './training.js';

/** All dashboards; add yours here. */
export const dashboards: readonly Dashboard[] = [algorithms, databases, certificates, kafka, training];
