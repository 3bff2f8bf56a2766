/** The options of `npm run test:changed`. */
export const options = {
  unit: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;
