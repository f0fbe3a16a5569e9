/** What a new project is made from. */
export interface InitAnswers {
  readonly baseUrl: string;
  /** `null`: not known yet. */
  readonly siteUrl: string | null;
  readonly title: string;
  readonly defaultLanguage: string;
  /** `null`: every language of the knowledge base. */
  readonly languages: readonly string[] | null;
  readonly ci: 'github' | 'gitlab' | 'cron' | 'none';
}
