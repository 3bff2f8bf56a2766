import { map, string } from '../schema/index.js';
import { freeAnnotations, freeLabels, type Reserved } from './reserved.js';
import { LABEL_VALUE, labelKeys } from './selectors.js';

/** `podTemplate.labels` of a kind. */
export function labelsWithout(reserved: Reserved) {
  return map(
    'Labels of the Pods, in addition to those that the operator sets. Defaults to none.',
    string('Value of the label.', { maxLength: 63, pattern: LABEL_VALUE }),
    { maxProperties: 64, optional: true, rules: [labelKeys, ...freeLabels(reserved)] },
  );
}

/** `podTemplate.annotations` of a kind. */
export function annotationsWithout(reserved: Reserved) {
  return map(
    'Annotations of the Pods, in addition to those that the operator sets. Defaults to none.',
    string('Value of the annotation.', { maxLength: 65_536 }),
    { maxProperties: 64, optional: true, rules: [labelKeys, ...freeAnnotations(reserved)] },
  );
}
