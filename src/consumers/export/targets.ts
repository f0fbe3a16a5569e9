import type { Target, TargetName } from './target.ts';
import { elasticsearch } from './targets/elasticsearch.ts';
import { openai } from './targets/openai.ts';
import { pgvector } from './targets/pgvector.ts';
import { pinecone } from './targets/pinecone.ts';
import { qdrant } from './targets/qdrant.ts';
import { jsonl, parquet } from './targets/tables.ts';

/** Every target of an export. To add one: a file in `targets/`, a row here, a name in `target.ts`, a section in docs/platforms.md. */
export const targets: Readonly<Record<TargetName, Target>> = {
  openai,
  elasticsearch,
  pinecone,
  qdrant,
  pgvector,
  parquet,
  jsonl,
};
