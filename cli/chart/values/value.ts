import type { OperatorInstallProps } from '../../../src/index.js';
import type { Json, JsonMap } from '../logic/tree.js';

/** Props of `OperatorInstall`, without the controllers. */
export type Props = Partial<Omit<OperatorInstallProps, 'controllers'>>;

/** A value as its users see it. */
export interface DocumentedValue {
  /** Its path, such as `crds.install`. */
  readonly name: string;
  /** Sentences for `values.yaml` and the page. */
  readonly about: string;
  readonly default: Json;
  /** Its JSON schema, draft 7. */
  readonly schema: JsonMap;
}

/** A value, and what it changes. */
export interface ChartValue extends DocumentedValue {
  readonly effect: MarkedEffect | SwitchEffect | ChoiceEffect;
  /**
   * Names of settings that change the effect of this one, so that `OperatorInstall` renders the pair too. A test finds
   * those that are missing.
   * @default - none
   */
  readonly together?: readonly string[];
}

/**
 * An effect that shows where the value is: `OperatorInstall` renders a mark, which the template replaces.
 *
 * - `text` and `number`: the mark is the value, or part of a longer text
 * - `map`: the mark is a key, and all entries of the value replace it
 * - `items`: an item of a list has the mark, and all items of the value replace it
 * - `each`: the mark is an item of a list of texts. An item or object that has the mark is repeated for each text, and a
 *   text that has it gets all of them, separated by commas
 * - `pairs`: the mark is the name of an item of a list, whose text is another mark. The item is repeated for each entry
 */
export interface MarkedEffect {
  readonly as: 'text' | 'number' | 'map' | 'items' | 'each' | 'pairs';
  readonly props: (mark: string) => Props;
  /** Set if the value is never empty, so that its objects always have it. @default false */
  readonly required?: true;
  /** The template expression for the value. @default - its path */
  readonly expression?: string;
  /** The mark, if it must have a form. @default - a lower-case label */
  readonly mark?: string;
  /** Whether entries of a map replace entries of the installation. @default false */
  readonly overrides?: true;
}

/** An effect of a boolean. */
export interface SwitchEffect {
  readonly as: 'switch';
  /** With the opposite of the default. */
  readonly props: Props;
}

/** An effect of one of some texts, or of none. */
export interface ChoiceEffect {
  readonly as: 'choice';
  readonly props: Readonly<Record<string, Props>>;
}
