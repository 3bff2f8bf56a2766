import { algorithmKind } from '../../../../imports/index.js';
import { defineController } from '../../../runtime/index.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { desire } from './desire.js';
import { figures } from './metrics.js';
import { gather } from './queries.js';
import { owns, reads, sees } from './situation.js';

/** Tries new versions of `Algorithm` resources that have a lifecycle: starts, judges, promotes, takes back. */
export const trial = defineController({
  kind: algorithmKind,
  name: 'trial',
  concerns: ({ spec }) => spec.lifecycle !== undefined,
  owns,
  sees,
  reads,
  gather,
  conditions,
  informs: [],
  figures,
  states: ['stable', 'trial', 'verdict', 'history'],
  desire,
  assess,
});
