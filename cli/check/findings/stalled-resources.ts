import { conditionOf } from '../../../operator/runtime/controller/conditions.js';
import type { ObjectKind } from '../../../operator/runtime/kubernetes/kinds.js';
import { keyOf, type LiveObject } from '../../../operator/runtime/kubernetes/object.js';
import type { ReportingResource } from '../../status/problems.js';
import { counted, type Finding, findingsOf, someOf } from './finding.js';
import type { Reading } from './reading.js';

/** The resources of a kind in the watched namespaces. */
export interface KindView {
  readonly kind: ObjectKind;
  readonly resources: Reading<readonly (LiveObject & ReportingResource)[]>;
}

const { ok, problem, unknown } = findingsOf('resources');

/** How many resources are stalled: a finding for each kind. @param program the name of the command line */
export function stalledFindings(views: readonly KindView[], program: string): readonly Finding[] {
  const found = views.flatMap(({ kind, resources }) => {
    if ('missing' in resources) return [unknown(`Whether a ${kind.kind} is stalled`, resources.missing)];
    const stalled = resources.value.filter((one) => conditionOf(one, 'Stalled')?.status === 'True');
    if (stalled.length === 0) return [];
    const names = someOf(stalled.map(({ metadata }) => keyOf(metadata)));
    const place = kind.namespaced ? ' --all-namespaces' : '';
    return [
      problem(
        `${counted(stalled.length, kind.kind)} stalled: ${names}`,
        `Run ${program} status ${kind.plural}${place}`,
      ),
    ];
  });
  if (found.length > 0) return found;
  const count = views.reduce((sum, { resources }) => sum + ('value' in resources ? resources.value.length : 0), 0);
  return [ok(`None of ${counted(count, 'resource')} is stalled`)];
}
