import type { Condition } from '../logic/condition.js';

/** The template expression that is true with a setting. */
export type SettingText = (setting: string) => string;

/** The template expression of a condition, such as `or $.Values.a (not $.Values.b)`. */
export function conditionText(condition: Condition, settingText: SettingText): string {
  if ('setting' in condition) return settingText(condition.setting);
  if ('system' in condition) return systemText(condition.system);
  if ('not' in condition) return negated(conditionText(condition.not, settingText));
  const [operator, parts] = 'all' in condition ? (['and', condition.all] as const) : (['or', condition.any] as const);
  const [only, ...more] = parts;
  if (only !== undefined && more.length === 0) return conditionText(only, settingText);
  return [operator, ...parts.map((part) => operand(conditionText(part, settingText)))].join(' ');
}

function negated(text: string): string {
  return text.startsWith('not ') ? text.slice('not '.length).replace(/^\((.*)\)$/, '$1') : `not ${operand(text)}`;
}

/** An expression as an argument of a function. */
export function operand(text: string): string {
  return text.includes(' ') ? `(${text})` : text;
}

/** The template expression that is true if a system is chosen. */
export function systemText(name: string): string {
  return name.includes('-') ? `index $.Values.systems "${name}"` : `$.Values.systems.${name}`;
}
