import { algorithmKind } from '../../../../imports/index.js';
import { defineController } from '../../../runtime/index.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { owns, reads, watchesSiblings } from './declarations.js';
import { desire } from './desire.js';
import { metrics } from './metrics.js';
import { polls } from './polls.js';
import { statusTables } from './status-tables.js';

/** Runs trials of new versions of `Algorithm` resources with a lifecycle: starts, analyzes, promotes, rolls back. */
export const trial = defineController({
  kind: algorithmKind,
  name: 'trial',
  secondaryFor: ({ spec }) => spec.lifecycle !== undefined,
  owns,
  watchesSiblings,
  reads,
  polls,
  optionalPolls: 'all',
  conditions,
  informationalConditions: [],
  metrics,
  tables: statusTables,
  statusFields: ['stable', 'trial', 'verdict', 'history'],
  desire,
  assess,
});
