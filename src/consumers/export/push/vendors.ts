import type { TargetName } from '../target.ts';
import { elasticsearchPush } from './elasticsearch.ts';
import { openaiPush } from './openai.ts';
import { pgvectorPush } from './pgvector.ts';
import { pineconePush } from './pinecone.ts';
import { qdrantPush } from './qdrant.ts';
import type { PushVendor } from './vendor.ts';

/** Platforms that `lectern export --push` writes to. */
export const pushVendors: Readonly<Partial<Record<TargetName, PushVendor>>> = {
  openai: openaiPush,
  elasticsearch: elasticsearchPush,
  pinecone: pineconePush,
  qdrant: qdrantPush,
  pgvector: pgvectorPush,
};
