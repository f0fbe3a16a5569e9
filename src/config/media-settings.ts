import { z } from '../foundation/schema.ts';

const host = z
  .string()
  .regex(/^[a-z0-9.-]+(?::\d+)?$/, { error: 'must be a host name in lower case such as cdn.example.com' });

/** Types that are shown rather than saved could run scripts in the name of the help site. */
const fileExtension = z
  .string()
  .regex(/^[a-z0-9]{1,8}$/, { error: 'must be an extension without a dot, such as pdf' })
  .refine((name) => !/^(?:[xs]?html?|xht|xml|xsl|svgz?|m?js|css|php|htaccess)$/.test(name), {
    error: 'files of this kind can run scripts and are not re-hosted',
  });

/** Which images and files are copied to the help site; `docs/media.md` explains how. */
export const mediaSettings = z.strictObject({
  /** `rehost` copies images and files of the help centre; `inline` copies only images inside texts (`data:`). */
  mode: z.enum(['rehost', 'inline']).default('rehost'),
  /** More hosts to copy from, e.g. `cdn.example.com` (any port) or `cdn.example.com:8443`. */
  hosts: z.array(host).default([]),
  /** Hosts that may be in a private network, e.g. `files.intranet.example`. */
  privateHosts: z.array(host).default([]),
  /** Extensions of linked files that are copied. */
  attachments: z
    .array(fileExtension)
    .default(
      'pdf zip gz 7z doc docx xls xlsx ppt pptx odt ods odp rtf csv txt epub ics mp4 mp3 dmg exe msi apk'.split(
        ' ',
      ),
    ),
  /** Largest file that is copied, in bytes. */
  maxFileBytes: z.int().positive().default(25_000_000),
  /** Largest number of images and files that are copied. */
  maxFiles: z.int().positive().default(20_000),
  /** Concurrent downloads. */
  concurrency: z.int().min(1).max(32).default(8),
  /** Timeout for each step of an answer, in milliseconds. */
  timeoutMs: z.int().positive().default(20_000),
});
