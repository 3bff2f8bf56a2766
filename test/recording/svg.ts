/** A line of a terminal, and when it appeared. */
export interface RecordedLine {
  /** Milliseconds since the start. */
  readonly at: number;
  readonly text: string;
}

/** A recording of a command. */
export interface Recording {
  /** The command, as it is typed. */
  readonly command: string;
  readonly lines: readonly RecordedLine[];
}

const columns = 118;
const size = { font: 13, character: 7.85, line: 19, margin: 18 };
/** Milliseconds. A longer pause, such as the start of the control plane, is shown as one of this length. */
const longestPause = 1_000;

/** Both themes have a contrast of at least 4.5 to 1. */
const style = `
text{font:${size.font}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#24292f}
.frame{fill:#f6f8fa;stroke:#d0d7de}
.created{fill:#116329}.changed{fill:#7d4e00}.deleted{fill:#a40e26}.condition{fill:#0550ae}.note{fill:#57606a}.command{font-weight:bold}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.frame{fill:#0d1117;stroke:#30363d}
.created{fill:#7ee787}.changed{fill:#e3b341}.deleted{fill:#ffa198}.condition{fill:#79c0ff}.note{fill:#8b949e}}
@keyframes show{from{opacity:0}to{opacity:1}}
text{animation:show 1ms both}
@media (prefers-reduced-motion:reduce){text{animation:none}}`.trim();

/** A picture that shows the lines one after the other, at their times. */
export function svgOf({ command, lines }: Recording): string {
  const shown = [{ at: 0, text: `$ ${command}` }, ...lines];
  const width = Math.ceil(2 * size.margin + columns * size.character);
  const height = 2 * size.margin + shown.length * size.line;
  const times = withShortPauses(shown.map(({ at }) => at));
  const texts = shown.map(({ text }, index) => {
    if (text.trim() === '') return '';
    const y = size.margin + size.font + index * size.line;
    const delay = ((times[index] ?? 0) / 1000).toFixed(2);
    return `<text x="${size.margin}" y="${y}" class="${classOf(text)}" style="animation-delay:${delay}s">${escaped(cut(text))}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>Output of ${escaped(command)}</title>`,
    `<style>${style}</style>`,
    `<rect class="frame" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    ...texts.filter((text) => text !== ''),
    '</svg>\n',
  ].join('\n');
}

function withShortPauses(times: readonly number[]): readonly number[] {
  let shown = 0;
  return times.map((at, index) => {
    shown += Math.min(longestPause, Math.max(0, at - (times[index - 1] ?? at)));
    return shown;
  });
}

const classes: readonly (readonly [RegExp, string])[] = [
  [/^\$ /, 'command'],
  [/^ *[\d.]+ s {2}\+ /, 'created'],
  [/^ *[\d.]+ s {2}~ /, 'changed'],
  [/^ *[\d.]+ s {2}- /, 'deleted'],
  [/^ *[\d.]+ s {4}\w+=/, 'condition'],
];

function classOf(text: string): string {
  return classes.find(([pattern]) => pattern.test(text))?.[1] ?? 'note';
}

function cut(text: string): string {
  return text.length > columns ? `${text.slice(0, columns - 1)}…` : text;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
