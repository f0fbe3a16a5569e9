import type { ResolvedConfig } from '../config/schema.ts';
import type { LanguageTag } from '../foundation/model.ts';
import type { Problem } from '../foundation/problems.ts';
import type { HttpPorts } from './http.ts';
import type { Progress } from './source.ts';

/** What opening the last snapshot needs to know. */
export interface SnapshotSettings {
  /** Folder of snapshot and caches. */
  readonly cache: string;
  /** Address of the API, or `null` where it is not known: then a snapshot of any knowledge base is taken. */
  readonly baseUrl: string | null;
  readonly defaultLanguage: LanguageTag;
  /** Languages to publish, or `null` for all. */
  readonly languages: readonly LanguageTag[] | null;
}

/** What reading a knowledge base over the network needs to know. */
export interface FetchSettings extends SnapshotSettings {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** PEM file of an authority to trust besides the system's, or `null`. */
  readonly caFile: string | null;
  /** Allows plain http to this machine. */
  readonly insecureLoopback: boolean;
  /** Lets a listing through that is empty or has lost many articles. */
  readonly allowMassDelete: boolean;
  readonly network: ResolvedConfig['source'];
  /** Name and version of the program: what another version read is read again. */
  readonly generator: string;
  readonly onProgress?: (progress: Progress) => void;
  /** Told what is odd about the list before the guards look at it. */
  readonly onProblems?: (problems: readonly Problem[]) => void;
  /** The world outside, for tests; absent: the real one. */
  readonly ports?: HttpPorts;
}
