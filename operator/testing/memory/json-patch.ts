import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../../runtime/kubernetes/errors.js';
import type { PatchOperation } from '../../runtime/ports/cluster.js';

type Container = Record<string, unknown>;

/**
 * A copy of a document with the operations applied in order.
 * @throws {ApiError} Invalid if a path does not exist or a test fails
 * @see https://datatracker.ietf.org/doc/html/rfc6902
 */
export function patched<T>(document: T, operations: readonly PatchOperation[]): T {
  const copy = structuredClone(document);
  for (const operation of operations) carryOut(copy, operation);
  return copy;
}

function carryOut(document: unknown, operation: PatchOperation): void {
  const segments = operation.path.split('/').slice(1).map(unescaped);
  const last = segments.pop() ?? '';
  const container = segments.reduce((at, segment) => (at as Container | undefined)?.[segment], document);
  if (typeof container !== 'object' || container === null) throw invalid(operation, 'does not exist');
  const at = container as Container;
  if (operation.op !== 'add' && !Object.hasOwn(at, last)) throw invalid(operation, 'does not exist');
  if (operation.op === 'test') {
    if (!isDeepStrictEqual(at[last], operation.value)) throw invalid(operation, 'has another value');
  } else if (Array.isArray(container)) patchList(container, last, operation);
  else if (operation.op === 'remove') delete at[last];
  else at[last] = operation.value;
}

function patchList(list: unknown[], last: string, operation: Exclude<PatchOperation, { op: 'test' }>): void {
  const index = last === '-' ? list.length : Number(last);
  if (operation.op === 'add') list.splice(index, 0, operation.value);
  else if (operation.op === 'remove') list.splice(index, 1);
  else list[index] = operation.value;
}

function unescaped(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

function invalid({ op, path }: PatchOperation, why: string): ApiError {
  return new ApiError(`patch: ${op} ${path}: the path ${why}`, { code: 422, reason: 'Invalid' });
}
