import { describe, expect, test } from 'vitest';
import { readLive, readVisibility } from '../../../src/source/normalise/visibility.ts';
import { fc, runs } from '../../support/properties.ts';

describe('visibility', () => {
  test.each([
    [{ is_published: true, is_private: false }, 'public'],
    [{ is_published: true, is_private: false, permission_groups: null }, 'public'],
    [{ is_published: true, is_private: false, permission_groups: [] }, 'public'],
    [{ is_published: false, is_private: false }, 'draft'],
    [{ is_published: false }, 'draft'],
    [{ is_published: true, is_private: true }, 'private'],
    [{ is_private: true }, 'private'],
    [{ is_published: true, is_private: false, permission_groups: ['staff'] }, 'restricted'],
    [{ permission_groups: [null] }, 'restricted'],
    [{}, 'visibility-unknown'],
    [{ is_published: true }, 'visibility-unknown'],
    [{ is_private: false }, 'visibility-unknown'],
    [{ is_published: true, is_private: null }, 'visibility-unknown'],
    [{ is_published: null, is_private: false }, 'visibility-unknown'],
    [{ is_published: 'true', is_private: false }, 'visibility-unknown'],
    [{ is_published: 1, is_private: 0 }, 'visibility-unknown'],
    [{ is_published: true, is_private: false, permission_groups: 'staff' }, 'visibility-unknown'],
    [{ is_published: true, is_private: false, permission_groups: { 0: 'staff' } }, 'visibility-unknown'],
    [{ is_published: true, is_private: false, permission_groups: 0 }, 'visibility-unknown'],
    [{ is_published: true, is_private: false, status: 'Draft' }, 'draft'],
    [{ is_published: true, is_private: false, status: 'private' }, 'private'],
    [{ is_published: true, is_private: false, status: 'published' }, 'public'],
    [{ is_published: true, is_private: false, is_deleted: true }, 'visibility-unknown'],
    [{ is_published: true, is_private: false, archived_at: '2026-01-02' }, 'visibility-unknown'],
    [{ is_published: true, is_private: false, hidden: 'yes' }, 'visibility-unknown'],
    [{ is_published: true, is_private: false, is_deleted: false, archived_at: null, draft: 0 }, 'public'],
    [{ is_published: true, is_private: false, status: 'Archived ' }, 'visibility-unknown'],
    [{ is_published: true, is_private: false, status: 'in_review' }, 'visibility-unknown'],
    [{ is_published: true, is_private: false, visibility: 'internal' }, 'visibility-unknown'],
    [{ is_published: true, is_private: false, isDeleted: true }, 'visibility-unknown'],
    [{ is_published: true, is_private: false, is_public: false }, 'visibility-unknown'],
    [{ is_published: true, is_private: false, status: 'new', visible: true, is_active: null }, 'public'],
  ])('of %j is %s', (record, expected) => {
    expect(readVisibility(record)).toBe(expected);
  });

  test('is public only if all three fields allow it, whatever their types', { tags: 'property' }, () => {
    const value = fc.oneof(fc.constant(undefined), fc.boolean(), fc.jsonValue({ maxDepth: 1 }));
    const record = fc.record({ is_published: value, is_private: value, permission_groups: value });
    fc.assert(
      fc.property(record, (fields) => {
        const { is_published: published, is_private: hidden, permission_groups: groups } = fields;
        const isOpen =
          groups === undefined || groups === null || (Array.isArray(groups) && groups.length === 0);
        expect(readVisibility(fields) === 'public').toBe(published === true && hidden === false && isOpen);
      }),
      { numRuns: runs(1000) },
    );
  });

  test.each([
    [{}, 'live'],
    [{ is_live: null }, 'unknown'],
    [{ is_live: true }, 'live'],
    [{ is_live: false }, 'hidden'],
    [{ is_live: 'false' }, 'unknown'],
    [{ is_live: 0 }, 'unknown'],
    [{ is_live: true, is_deleted: true }, 'unknown'],
    [{ is_live: true, is_published: false }, 'hidden'],
    [{ is_private: true }, 'hidden'],
    [{ status: 'draft' }, 'hidden'],
    [{ permission_groups: ['staff'] }, 'hidden'],
    [{ is_published: 'no' }, 'unknown'],
    [{ status: 'archived' }, 'unknown'],
    [{ is_live: true, is_published: true, is_private: false, permission_groups: null }, 'live'],
  ])('of the translation %j is %s', (translation, expected) => {
    expect(readLive(translation)).toBe(expected);
  });
});
