/** Problems of `lectern copy`: rows of `problemKinds`. */
export const copyProblems = {
  COPY_SKIPPED: {
    severity: 'warning',
    hint: 'Only public articles are copied. Publish it and copy again, or move drafts with lectern pull and lectern push.',
  },
  COPY_TRANSLATION_SKIPPED: {
    severity: 'warning',
    hint: 'Only public translations in the chosen languages are copied. Publish it, or add its language to languages, and copy again.',
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
    hint: 'The API has one date per article, and the target may give its own. The text is copied completely.',
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

/** Problems of the files of a folder source: rows of `problemKinds`. */
export const folderProblems = {
  FILE_SKIPPED: {
    severity: 'warning',
    hint: 'The file was not read. Pages are .md files, .mdx files without code, and .html files with front matter. Convert it, or put an underscore before its name.',
  },
  SYMLINK_SKIPPED: {
    severity: 'warning',
    hint: 'The link was not followed. Replace it with the file.',
  },
  IMAGE_MISSING: {
    severity: 'warning',
    hint: 'The image was removed. Put the file into the folder of the source, or correct its path.',
  },
  FILE_OUTSIDE: {
    severity: 'warning',
    hint: 'The image or link was removed, and the file was not read. Put it into the folder of the source.',
  },
  MARKUP_UNKNOWN: {
    severity: 'warning',
    hint: 'Only the site generator of this folder understands it. Write it in Markdown or HTML.',
  },
} as const;
