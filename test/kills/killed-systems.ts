import { partsOf } from '../systems/parts.js';
import type { SystemKills } from './system-kills.js';

/** The systems whose Pods can be killed. */
export const killedSystems = await partsOf<SystemKills>('test/kills/<system>/kills.ts', 'kills');
