/** The names of the objects that exist once for each Database. @param database name of the Database */
export function objectNames(database: string) {
  return {
    /** ServiceAccount, Role, RoleBinding, and the PodDisruptionBudget of the replicas. */
    own: database,
    /** Services: the primary, the replicas, all instances that answer queries, and all Pods by name. */
    rw: `${database}-rw`,
    ro: `${database}-ro`,
    r: `${database}-r`,
    members: `${database}-members`,
    /** Secrets. */
    superuser: `${database}-superuser`,
    app: `${database}-app`,
    internal: `${database}-internal`,
    authority: `${database}-ca`,
    certificate: `${database}-tls`,
    /** ConfigMaps: the settings of the Pods, and the two of Patroni that the operator writes. */
    settings: `${database}-postgres`,
    dynamicConfig: `${database}-config`,
    failover: `${database}-failover`,
    /** ConfigMaps that Patroni creates and writes itself. */
    leader: `${database}-leader`,
    sync: `${database}-sync`,
    /** PodDisruptionBudget of the primary. */
    primary: `${database}-primary`,
    /** Pod, PersistentVolumeClaim and ConfigMap of the backups. */
    repository: `${database}-repo`,
    /** Pod that serves the archive to restore from, if no other Pod does. */
    archive: `${database}-archive`,
  } as const;
}
