/**
 * Whether a list of hosts names the host of a URL. An entry is the host as URLs write it (`cdn.example.com`,
 * `cdn.example.com:8443`), or `cdn.example.com:*` for every port.
 */
export function listsHost(hosts: ReadonlySet<string>, { host, hostname }: URL): boolean {
  return hosts.has(host) || hosts.has(`${hostname}:*`);
}
