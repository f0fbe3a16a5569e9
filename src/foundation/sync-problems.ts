/** Problems of `lectern push --from`: rows of `problemKinds`. */
export const pushProblems = {
  SYNC_SKIPPED: {
    severity: 'warning',
    hint: 'Only public articles are pushed from a source. Publish it and push again, or move drafts with lectern pull and lectern push.',
  },
  SYNC_TRANSLATION_SKIPPED: {
    severity: 'warning',
    hint: 'Only public translations in the chosen languages are pushed. Publish it, or add its language to languages, and push again.',
  },
  SYNC_LANGUAGE_MISSING: {
    severity: 'warning',
    hint: 'The article has the title of another language and no text of its own in the default language. Translate it.',
  },
  SYNC_LINK_LOST: {
    severity: 'warning',
    hint: 'The URL was kept. Correct the link in the article.',
  },
  SYNC_DATES_LOST: {
    severity: 'info',
    hint: 'The API has one date per article, and the service may give its own. The text is complete.',
  },
  SYNC_FILE_KEPT: {
    severity: 'warning',
    hint: 'The articles use the old URLs of these files. Pass --embed-images to embed images, or move the files.',
  },
  SYNC_FILE_LOST: {
    severity: 'warning',
    hint: 'The image or link was removed from the article. Only images up to 1.4 MB (PNG, JPEG, GIF, WebP, AVIF) can be embedded. Put other files on a server.',
  },
  SYNC_REFUSED: {
    severity: 'error',
    hint: 'Correct the record in the source, and push again.',
  },
} as const;

/** Problems of the files of a folder source, `public/` or the templates: rows of `problemKinds`. */
export const folderProblems = {
  FILE_SKIPPED: {
    severity: 'error',
    hint: 'Its page is not published. Correct the file, or put an underscore before its name if it is not a page.',
  },
  FILE_IGNORED: {
    severity: 'warning',
    hint: 'It was not read as a page. If it is one, correct what the message says.',
  },
  VERSION_IGNORED: {
    severity: 'info',
    hint: 'One version is published: the one at the root of the old site. Set lastVersion in docusaurus.config to choose another.',
  },
  FIELD_REPEATED: {
    severity: 'warning',
    hint: 'The last value is used, as most site generators do. Delete the other one.',
  },
  TRANSLATION_WITHOUT_SOURCE: {
    severity: 'info',
    hint: 'Docusaurus does not publish these translations either. Restore the page, or delete them.',
  },
  PAGE_RENAMED: {
    severity: 'info',
    hint: 'The old URL leads to the page. Without the line, chatbots and links by id see a new article.',
  },
  NAVIGATION_UNKNOWN: {
    severity: 'warning',
    hint: 'The entry is not shown. Correct its name, or delete it from the navigation.',
  },
  NAVIGATION_UNREAD: {
    severity: 'warning',
    hint: 'Pages are listed by their folders. Write the navigation as data, without code.',
  },
  REDIRECT_UNREAD: {
    severity: 'warning',
    hint: 'Add it to redirects.rules in the configuration of Lectern if the old URL should lead somewhere.',
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
    severity: 'error',
    hint: 'The file was not read or published, because only files inside the folder are. Put it into the folder.',
  },
  FILE_SECRET: {
    severity: 'error',
    hint: 'Remove the value from the file. If the file was published before, replace the key.',
  },
  FILE_HIDDEN: {
    severity: 'info',
    hint: 'Files and folders whose name starts with a dot are not published, except .well-known.',
  },
  PUBLIC_FILE_REPLACED: {
    severity: 'info',
    hint: 'Lectern writes this file itself. To publish your own robots.txt, 404.html or index.html, set site.publicFirst.',
  },
  MATH_INVALID: {
    severity: 'warning',
    hint: 'The formula has an unknown command, or more than 5,000 characters. Correct its TeX source.',
  },
  MARKDOWN_LITERAL: {
    severity: 'warning',
    hint: 'It has too many marks in a paragraph, or too deep lists. Split its paragraphs, tables or lists.',
  },
  MARKUP_UNKNOWN: {
    severity: 'warning',
    hint: 'It can only be read by running code of the site generator. Write it in Markdown or HTML.',
  },
} as const;
