/** Names of the targets, as `--to` takes them. */
export const targetNames = [
  'openai',
  'bedrock',
  'vertex',
  'azure-search',
  'elasticsearch',
  'opensearch',
  'pinecone',
  'qdrant',
  'weaviate',
  'pgvector',
  'intercom-fin',
  'zendesk',
  'langchain',
  'llamaindex',
] as const;

export type TargetName = (typeof targetNames)[number];
