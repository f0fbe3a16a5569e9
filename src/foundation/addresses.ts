/** Origin of the files of a folder source while a run works on them; RFC 6761 reserves `.invalid`, so it is no server. */
export const folderOrigin = 'https://folder.invalid';

/** The address of a file of the folder, for bodies; media turn it into the address of a copy. */
export function folderAddress(path: string): string {
  return `${folderOrigin}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** A path or fragment without percent-encoding; as it is where the encoding is not valid. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The path inside the folder, `/`-separated; `null` for every other address. */
export function folderPath(address: string): string | null {
  if (!address.startsWith(`${folderOrigin}/`)) return null;
  try {
    return decodeURIComponent(new URL(address).pathname).slice(1);
  } catch {
    return null;
  }
}

/**
 * Whether a list of hosts names the host of a URL. An entry is the host as URLs write it (`cdn.example.com`,
 * `cdn.example.com:8443`), or `cdn.example.com:*` for every port.
 */
export function listsHost(hosts: ReadonlySet<string>, { host, hostname }: URL): boolean {
  return hosts.has(host) || hosts.has(`${hostname}:*`);
}
