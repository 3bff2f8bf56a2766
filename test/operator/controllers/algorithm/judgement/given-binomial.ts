/** How likely each number of hits is, from 0 to `total`: added up from the definition, without special functions. */
export function binomial(total: number, share: number): number[] {
  let log = total * Math.log1p(-share);
  const likely = [Math.exp(log)];
  for (let hits = 1; hits <= total; hits += 1) {
    log += Math.log((total - hits + 1) / hits) + Math.log(share) - Math.log1p(-share);
    likely.push(Math.exp(log));
  }
  return likely;
}
