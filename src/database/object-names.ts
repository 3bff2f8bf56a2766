/** The names of the objects that there is one of for each Database. @param database its name */
export function objectNames(database: string) {
  return {
    /** Of its ServiceAccount, its Role and its RoleBinding, and of the budget of its replicas. */
    own: database,
    /** Services: who takes writes, who only reads, all that answer queries, and all Pods by name. */
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
    /** ConfigMaps: what its Pods read, and the two of Patroni's that the operator writes. */
    settings: `${database}-postgres`,
    dynamicConfig: `${database}-config`,
    failover: `${database}-failover`,
    /** ConfigMaps that Patroni makes and writes by itself. */
    leader: `${database}-leader`,
    sync: `${database}-sync`,
    /** The budget of its primary. */
    primary: `${database}-primary`,
    /** The Pod, the claim and the ConfigMap of its backups. */
    repository: `${database}-repo`,
    /** The Pod that serves it the archive that it is restored from, where nobody else does. */
    archive: `${database}-archive`,
  } as const;
}
