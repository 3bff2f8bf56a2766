const text = { type: 'string' } as const;

/** The options of `npm run simulate`. */
export const options = {
  seeds: text,
  from: text,
  seed: text,
  controller: text,
  bug: text,
  help: { type: 'boolean' },
} as const;
