import type { ContentProblem } from '../content/document.ts';
import type { PartitionRanges } from '../feed/feed.ts';
import type { FeedPosition } from '../feed/history/write-history.ts';
import type { SliceSummary } from '../feed/sections.ts';
import type { LanguageTag } from '../foundation/model.ts';
import type { Problem } from '../foundation/problems.ts';
import type { BuildReport } from '../foundation/report.ts';
import type { AnchorFacts } from '../links/anchors.ts';
import type { ImageHosts } from '../media/image-hosts.ts';
import type { MediaRequest } from '../media/media-table.ts';
import type { TermRunSummary } from '../site/search/term-run.ts';

/**
 * Record of a build: everything the next build needs to reuse the output, which itself is the cache of the pages. Only this program writes
 * it, and a checksum protects it, so its fields are not validated again.
 */
export interface BuildRecord {
  /** Results of `describeProgram` and `stampProgram`. */
  readonly program: { readonly description: string; readonly stamp: string };
  /** Hash of all inputs. */
  readonly fingerprint: string;
  /** Hash of all inputs except the knowledge base: program, settings, templates. */
  readonly inputs: string;
  /** Checksum of the snapshot of the knowledge base; `null` if the snapshot does not contain all of it. */
  readonly snapshot: string | null;
  /** Hash of the index of copied images and files after the build; `null` if there is none. */
  readonly copies: string | null;
  /** Whether images or files were requested from other servers. */
  readonly hasDownloads: boolean;
  readonly report: BuildReport;
  /** Id and run of the feed. */
  readonly feed: FeedPosition;
  /** `root_hash` of the feed. */
  readonly feedRootHash: string;
  /** Number of leading hash bits that identify the partition of an article. */
  readonly bits: number;
  readonly partitions: readonly {
    readonly key: string;
    readonly quickKey: string;
    readonly ranges: PartitionRanges;
  }[];
  /** Files that do not belong to a single partition, by group name. */
  readonly groups: Readonly<Record<string, FileGroup>>;
}

/** Files that do not change as long as their key is the same. */
export interface FileGroup {
  readonly key: string;
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
}

/** Record of a partition: enough to publish it again from the previous output, without its texts. */
export interface PartitionRecord {
  /** Hash of all its inputs except links and media: see `createBuildKeys`. */
  readonly key: string;
  readonly pages: readonly PageSummary[];
  readonly languages: readonly LanguageSummary[];
  readonly links: LinkDependencies;
  readonly media: MediaDependencies;
}

/** Summary of a published page for the main thread. */
export interface PageSummary {
  readonly articleId: string;
  readonly language: LanguageTag;
  /** Paths of its pages and its Markdown twin. */
  readonly files: readonly string[];
  readonly anchors: AnchorFacts;
  /** First words; `null` if the page has a description. */
  readonly opening: string | null;
  readonly imageHosts: ImageHosts;
  readonly problems: readonly ContentProblem[];
}

/** Summary of one language of a partition, without texts. */
export interface LanguageSummary {
  readonly language: LanguageTag;
  readonly slices: readonly SliceSummary[];
  readonly search: TermRunSummary;
}

/** Links found in its bodies. */
export interface LinkDependencies {
  /** The URLs as passed to the resolver. */
  readonly asked: readonly (readonly [language: LanguageTag, href: string])[];
  /** SHA-256 of their targets. */
  readonly hash: string;
}

/** Images and files found in its bodies. */
interface MediaDependencies {
  /** Media on other servers, per article; only requests show whether they changed. */
  readonly asked: readonly MediaRequest[];
  /** SHA-256 of the results. */
  readonly hash: string;
  /** Paths of the copies its pages use. */
  readonly files: readonly string[];
  /** Images and files that could not be copied, each with a page that uses it. */
  readonly failed: readonly (readonly [address: string, articleId: string, language: LanguageTag])[];
}

/** Name of the blob with the terms of a language's search run. */
export function termsBlob(language: LanguageTag): string {
  return `terms ${language}`;
}
