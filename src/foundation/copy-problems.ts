/** What `lectern copy` can report: rows of `problemKinds`. */
export const copyProblems = {
  COPY_SKIPPED: {
    severity: 'warning',
    hint: 'Only public articles are copied. Publish it and copy again, or move drafts with lectern pull and lectern push.',
  },
  COPY_LANGUAGE_MISSING: {
    severity: 'warning',
    hint: 'The copy has the title of another language and no text of its own in the default language. Translate it.',
  },
  COPY_LINK_LOST: {
    severity: 'warning',
    hint: 'The URL was copied unchanged. Correct the link in the copy.',
  },
  COPY_DATES_LOST: {
    severity: 'info',
    hint: 'The API has one date per article. The copy has the date of the article.',
  },
  COPY_FILE_KEPT: {
    severity: 'warning',
    hint: 'The copy uses the old URLs of these files. Pass --embed-images to embed images, or move the files.',
  },
  COPY_FILE_LOST: {
    severity: 'warning',
    hint: 'The image or link was removed from the copy. Only images up to 1.4 MB (PNG, JPEG, GIF, WebP, AVIF) can be embedded. Put other files on a server.',
  },
  COPY_REFUSED: {
    severity: 'error',
    hint: 'Correct the record in the source, and copy again.',
  },
} as const;
