/** A part of a sentence, such as the reason of a step, as the message of a condition. */
export function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
