/** Seconds of a pass. The bounds are controller-runtime's, of which dashboards make heat maps. */
export const passBuckets: readonly number[] = [
  ...[0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
  ...[1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60],
];

/** Seconds in a queue: 10 ns to 1000 s, ten times as much each. The bounds are client-go's. */
export const queueBuckets: readonly number[] = Array.from({ length: 12 }, (_, power) => Number(`1e${power - 8}`));

/** Seconds until the API server answers. The bounds are those of the components of Kubernetes. */
export const requestBuckets: readonly number[] = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
