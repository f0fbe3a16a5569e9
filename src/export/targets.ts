import type { Target, TargetName } from './target.ts';
import { azureSearch } from './targets/azure-search.ts';
import { bedrock } from './targets/bedrock.ts';
import { elasticsearch, opensearch } from './targets/elasticsearch.ts';
import { langchain, llamaindex } from './targets/frameworks.ts';
import { intercomFin } from './targets/intercom-fin.ts';
import { openai } from './targets/openai.ts';
import { pgvector } from './targets/pgvector.ts';
import { pinecone } from './targets/pinecone.ts';
import { qdrant } from './targets/qdrant.ts';
import { vertex } from './targets/vertex.ts';
import { weaviate } from './targets/weaviate.ts';
import { zendesk } from './targets/zendesk.ts';

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
