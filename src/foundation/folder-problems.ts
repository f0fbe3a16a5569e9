/** What a run can report of the files of a folder source: rows of `problemKinds`. */
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
