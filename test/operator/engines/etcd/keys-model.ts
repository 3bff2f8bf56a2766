import { type EtcdKeyCondition, etcdKeys } from '../../../../operator/controllers/publication/ports/etcd.js';
import { CallError } from '../../../../operator/runtime/ports/external-call.js';
import { type PortModel, portModel } from '../../../../operator/testing/index.js';

/** Values by their keys. */
type ModelState = Readonly<Record<string, string>>;

/** An etcd as pure functions. It passes the same contract as a real one. */
export function etcdKeysModel(state: ModelState = {}): PortModel {
  return portModel(etcdKeys, {
    state,
    answer: (values, { key, ownerKey }) => {
      const own = Object.entries(values).filter(([name]) => name === key || name.startsWith(`${key}/`));
      const owner = values[ownerKey];
      return { values: sorted(own), ...(owner !== undefined && { owner }) };
    },
    perform: (values, { requires, put = {}, delete: deleted = [] }) => {
      if (Object.keys(put).length + deleted.length === 0)
        throw new CallError('terminal', 'put: Invalid value: must be 1 to 128 changes, got 0');
      if (!requires.every((one) => holds(values, one)))
        throw new CallError('retryable', 'etcd changed nothing', { mayHaveEffect: false });
      const kept = Object.entries(values).filter(([key]) => !deleted.includes(key));
      return sorted([...kept, ...Object.entries(put)]);
    },
    showsWithin: 0,
  });
}

function holds(values: ModelState, one: EtcdKeyCondition): boolean {
  return one.is === 'absent' ? values[one.key] === undefined : values[one.key] === one.value;
}

function sorted(entries: readonly (readonly [string, string])[]): ModelState {
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
