import { partsOf } from '../systems/parts.js';
import type { UpgradedKind } from './upgraded-kind.js';

/** What is upgraded of each system. */
export const upgradedKinds = await partsOf<UpgradedKind>('test/upgrade/kinds/<system>.ts', 'upgraded');

/** The names of the systems. */
export const kindNames: readonly string[] = [...upgradedKinds.keys()];
