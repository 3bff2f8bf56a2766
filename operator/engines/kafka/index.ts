import { openKafka } from './open-kafka.js';

/** The sources of all kinds of Kafka. */
export const kafka = { name: 'kafka', open: openKafka };
