import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { corporaFolder, describeWithCorpora } from '../support/tools.ts';
import { missedByStems } from './support/missed-by-stems.ts';

describeWithCorpora('flagInjections', () => {
  it.each(['arduino-help', 'login-gov-help', 'opensource-guide'])('misses nothing in %s', (name) => {
    const { articles } = JSON.parse(readFileSync(join(corporaFolder, `${name}.json`), 'utf8')) as {
      readonly articles: readonly unknown[];
    };
    expect(
      articles.filter((article) => missedByStems(JSON.stringify(article).replaceAll('\\n', '\n')).length > 0),
    ).toEqual([]);
  });
});
