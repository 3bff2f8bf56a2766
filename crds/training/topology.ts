import { QUALIFIED_NAME } from '../pod-template/selectors.js';
import { enumeration, matching, object, string } from '../schema/index.js';

/** `spec.topology`. */
export const topology = object(
  'Part of the cluster for the workers and spares, for a fast network between them. Defaults to none: they can be on all nodes.',
  {
    key: string('Node label. Nodes with the same value are close together, such as those of a rack or a zone.', {
      minLength: 1,
      maxLength: 317,
      rules: [matching(QUALIFIED_NAME, 'must be the name of a node label, such as topology.kubernetes.io/zone')],
    }),
    policy: enumeration(
      'Meaning of the label. With `Required`, all Pods are on nodes with one value of it, and wait until there is one with room for all. With `Preferred`, the scheduler tries to place them so. Defaults to Preferred.',
      ['Preferred', 'Required'],
      { default: 'Preferred' },
    ),
  },
  { optional: true },
);
