const factors: Readonly<Record<string, number>> = {
  ...{ n: 1e-9, u: 1e-6, m: 1e-3, '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
};

/** The amount of a quantity that the API server stores. An unknown form counts as 0. */
export function amountOf(quantity: string): number {
  const [, digits = '', suffix = ''] = /^([0-9.]+(?:[eE][-+]?[0-9]+)?)([A-Za-z]{0,2})$/.exec(quantity) ?? [];
  return Number(digits) * (factors[suffix] ?? 0);
}
