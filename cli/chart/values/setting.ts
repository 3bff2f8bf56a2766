import type { ChartValue, MarkedEffect, Props } from './value.js';

/** A change of the installation by one value. */
export interface Setting {
  /** The name of the value, and its text if it is one of some. */
  readonly name: string;
  /** The template expression that is true with it. */
  readonly when: string;
  readonly props: Props;
  readonly together: readonly string[];
}

/** What stands for a value in a rendered object. */
export interface Mark {
  readonly value: string;
  readonly text: string;
  /** For `pairs`: what stands for the text of an entry. */
  readonly entryText: string;
  readonly as: MarkedEffect['as'];
  readonly expression: string;
  readonly overrides: boolean;
}

/** The settings of values, without those that are always there. */
export function settingsOf(values: readonly ChartValue[]): readonly Setting[] {
  return values.flatMap((value, index): readonly Setting[] => {
    const { name, effect, together = [] } = value;
    const path = `$.Values.${name}`;
    if (effect.as === 'switch') {
      return [{ name, when: value.default === true ? `not ${path}` : path, props: effect.props, together }];
    }
    if (effect.as === 'choice') {
      return Object.entries(effect.props).map(([text, props]) => {
        return { name: `${name}=${text}`, when: `eq ${path} "${text}"`, props, together };
      });
    }
    return effect.required ? [] : [{ name, when: path, props: effect.props(markText(value, effect, index)), together }];
  });
}

/** The props of the values that are always there. */
export function requiredProps(values: readonly ChartValue[]): Props {
  const all = values.flatMap((value, index) => {
    const { effect } = value;
    return 'required' in effect && effect.required ? [effect.props(markText(value, effect, index))] : [];
  });
  return Object.assign({}, ...all);
}

/** The marks of values. */
export function marksOf(values: readonly ChartValue[]): readonly Mark[] {
  return values.flatMap((value, index): readonly Mark[] => {
    const { name, effect } = value;
    if (effect.as === 'switch' || effect.as === 'choice') return [];
    const { as, expression = `$.Values.${name}`, overrides = false } = effect;
    const text = markText(value, effect, index);
    return [{ value: name, text, entryText: entryTextOf(text), as, expression, overrides }];
  });
}

/** The mark for the text of an entry of `pairs`. */
export const entryTextOf = (mark: string) => mark.replace('mark', 'text');

/** Numbers are large, and texts are labels that no installation has. */
function markText({ name }: ChartValue, effect: MarkedEffect, index: number): string {
  if (effect.as === 'number') return String(900_000_000 + index);
  return effect.mark ?? `mark-${name.toLowerCase().replaceAll('.', '-')}-x`;
}

/** The names of values, by the props of `OperatorInstall` with other names. */
export function propNames(values: readonly ChartValue[]): ReadonlyMap<string, string> {
  return new Map(
    values.flatMap((value, index) => {
      const { name, effect } = value;
      if (effect.as === 'choice') return [];
      const props = effect.as === 'switch' ? effect.props : effect.props(markText(value, effect, index));
      const [prop = name, ...more] = Object.keys(props);
      return more.length > 0 || name.startsWith(`${prop}.`) || prop === name ? [] : [[prop, name] as const];
    }),
  );
}
