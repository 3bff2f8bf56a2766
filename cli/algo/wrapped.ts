/**
 * A text in lines, broken between words; a word that is longer than a line is broken too.
 * @param width characters a line has at the most, 1 or more
 */
export function wrapped(text: string, width: number): readonly string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const joined = `${lines.at(-1)} ${word}`;
    if (lines.at(-1) !== '' && joined.length <= width) {
      lines[lines.length - 1] = joined;
      continue;
    }
    const pieces = [''];
    for (const character of word) {
      if (`${pieces.at(-1)}${character}`.length > width) pieces.push(character);
      else pieces[pieces.length - 1] += character;
    }
    lines.push(...pieces);
  }
  return lines.slice(1);
}
