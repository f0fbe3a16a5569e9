/** Where the data of the embedded service are. */
export const dataFlag = {
  type: 'string',
  describe: 'SQLite file or postgres:// URL of the knowledge base (default LECTERN_DATA or lectern.sqlite)',
} as const;

/** The flag, else LECTERN_DATA (in which a password is not visible to other users of the machine), else a file here. */
export function readDataFlag(data: string | undefined): string {
  return data ?? (process.env.LECTERN_DATA || 'lectern.sqlite');
}
