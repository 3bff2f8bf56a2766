/** The command that keeps volumes when their PVCs are deleted. */
export function retainCommand(volumes: readonly string[]): string {
  return `kubectl patch pv ${volumes.toSorted().join(' ')} -p '{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}'`;
}
