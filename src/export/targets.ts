import type { Target, TargetName } from './target.ts';
import { azureSearch, bedrock, vertex } from './targets/cloud-search.ts';
import { elasticsearch, opensearch } from './targets/elasticsearch.ts';
import { langchain, llamaindex } from './targets/frameworks.ts';
import { intercomFin, zendesk } from './targets/help-desks.ts';
import { openai } from './targets/openai.ts';
import { pgvector } from './targets/pgvector.ts';
import { pinecone, qdrant, weaviate } from './targets/vector-databases.ts';

/** Every target of an export. To add one: a file in `targets/`, a row here, a name in `target.ts`, a section in docs/platforms.md. */
export const targets: Readonly<Record<TargetName, Target>> = {
  openai,
  bedrock,
  vertex,
  'azure-search': azureSearch,
  elasticsearch,
  opensearch,
  pinecone,
  qdrant,
  weaviate,
  pgvector,
  'intercom-fin': intercomFin,
  zendesk,
  langchain,
  llamaindex,
};
