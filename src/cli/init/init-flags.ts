/** What the command line of `lectern init` says; what it leaves open is asked for or left at its default. */
export interface InitFlags {
  readonly baseUrl: string | undefined;
  readonly siteUrl: string | undefined;
  readonly title: string | undefined;
  readonly defaultLanguage: string | undefined;
  readonly languages: string | undefined;
  readonly ci: 'github' | 'gitlab' | 'cron' | 'none' | undefined;
  readonly check: boolean;
  readonly force: boolean | undefined;
}
