import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createSpillFile } from '../../src/foundation/spill-file.ts';
import type { PartitionResult } from '../../src/partitions/partition-task.ts';
import type { PartitionWork } from '../../src/partitions/plan-work.ts';
import { type PartitionSinks, publishPartitions } from '../../src/partitions/publish-partitions.ts';
import type { Partitions } from '../../src/plan/partitions.ts';
import type { Plan } from '../../src/plan/plan.ts';

const nothing: PartitionResult = {
  pages: [],
  languages: [],
  texts: [],
  links: { asked: [], hash: '' },
  media: [],
  documents: [],
  secrets: [],
  files: [],
  reusedFiles: 0,
};

it('does the other work of its thread after tasks were given and before any is finished', async () => {
  const events: string[] = [];
  const sinks = {
    feed: { addPartition: async () => ({}) },
    media: { notePages: () => {} },
    output: { adopt: () => {} },
    cache: { writePartition: () => null },
    spill: createSpillFile(null),
    onArticles: () => events.push('published'),
    whileRendering: async () => events.push('other work'),
  } as unknown as PartitionSinks;
  const pool = {
    capacity: () => 2,
    make: async () => {
      events.push('task');
      await nextTurn();
      return nothing;
    },
  };
  const planWork = async (partition: number) =>
    ({ kind: 'task', partition, key: '', quickKey: '', mediaTables: [] }) as unknown as PartitionWork;
  const partitions = { articleIds: [[], [], [], []] } as unknown as Partitions;
  const published = await publishPartitions({} as Plan, partitions, [0, 1, 2, 3], planWork, pool, sinks);
  expect(events.slice(0, 4)).toEqual(['task', 'task', 'other work', 'published']);
  expect(published.readEntries()).toEqual(new Array(4).fill({ key: '', quickKey: '', ranges: {} }));
});
