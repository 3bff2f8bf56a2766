import type { CustomResource } from '../../operator/runtime/controller/custom-resource.js';
import { alignedRows } from '../output/aligned-rows.js';
import { conditionsIn, type Scene } from './scene.js';
import { summaryOf } from './summary.js';

/** The state of the operator for the table. */
export interface OperatorState {
  /** Its process id; 0 while it starts. */
  readonly pid: number;
  /** Number of starts. */
  readonly starts: number;
}

/** A scene as lines of text: the resource, its conditions, its objects and the operator. */
export function tableOf({ resource, objects }: Scene, operator: OperatorState): readonly string[] {
  const conditions = conditionsIn(resource).map(({ type, status, reason, message }) => [type, status, reason, message]);
  const children = objects.map((object) => [object.kind, object.metadata.name, summaryOf(object)]);
  return [
    resource ? headingOf(resource) : 'the resource does not exist',
    '',
    ...alignedRows([['CONDITION', 'STATUS', 'REASON', 'MESSAGE'], ...conditions]),
    '',
    ...alignedRows([['OBJECT', 'NAME', ''], ...children]),
    '',
    stateOf(operator),
  ];
}

function headingOf(resource: CustomResource): string {
  const { phase } = (resource.status ?? {}) as { readonly phase?: string };
  const { image } = (resource.spec ?? {}) as { readonly image?: string };
  const words = [`${resource.kind} ${resource.metadata.name}`, phase, image && `image ${image}`];
  return words.filter((word) => word !== undefined).join('  ');
}

function stateOf({ pid, starts }: OperatorState): string {
  if (pid === 0) return 'the operator is starting';
  return `the operator is process ${pid}${starts > 1 ? `, started ${starts} times` : ''}`;
}
