import type { Construct } from 'constructs';
import type { AlgorithmResource } from '../../../imports/index.js';
import { Algorithm } from '../../../src/index.js';
import type { Facts } from '../../runtime/index.js';

/** What an Algorithm should become: what its construct renders. */
export function desire(scope: Construct, { resource }: Pick<Facts<AlgorithmResource>, 'resource'>): void {
  new Algorithm(scope, 'algorithm', { ...resource.spec, name: resource.metadata.name });
}
