import type { Target, TargetName } from './target.ts';
import { azureSearch } from './targets/azure-search.ts';
import { bedrock, openai, vertex } from './targets/chunk-files.ts';
import { elasticsearch } from './targets/elasticsearch.ts';
import { pgvector } from './targets/pgvector.ts';
import { pinecone } from './targets/pinecone.ts';
import { qdrant } from './targets/qdrant.ts';
import { jsonl, parquet } from './targets/tables.ts';

/** Every target of an export. To add one: a file in `targets/`, a row here, a name in `target.ts`, a section in docs/platforms.md. */
export const targets: Readonly<Record<TargetName, Target>> = {
  openai,
  bedrock,
  vertex,
  'azure-search': azureSearch,
  elasticsearch,
  pinecone,
  qdrant,
  pgvector,
  parquet,
  jsonl,
};
