import { describe, expect, it } from 'vitest';
import { type AskedSearch, askQuestions } from '../../../src/consumers/ask/ask-questions.ts';
import { parseQuestions } from '../../../src/consumers/ask/read-questions.ts';

function mistakesOf(content: string): string {
  try {
    parseQuestions(content, 'q.csv');
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('a file of questions', () => {
  it('is CSV with a header, in any order of columns', () => {
    expect(
      parseQuestions(
        '\ufeffarticle,question,language\r\na1,"How do I ""reset"", quickly?\nPlease",\r\n\r\na1 | https://help.example.com/en/article/a2,Where?,de\r\n',
        'q.csv',
      ),
    ).toEqual([
      { line: 2, question: 'How do I "reset", quickly?\nPlease', articles: ['a1'], language: null },
      {
        line: 5,
        question: 'Where?',
        articles: ['a1', 'https://help.example.com/en/article/a2'],
        language: 'de',
      },
    ]);
  });

  it('is JSON lines', () => {
    expect(
      parseQuestions(
        '{"question":"Why?","article":"a1"}\n\n{"question":"How?","article":["a1","a2"],"language":"en"}',
        'q',
      ),
    ).toEqual([
      { line: 1, question: 'Why?', articles: ['a1'], language: null },
      { line: 3, question: 'How?', articles: ['a1', 'a2'], language: 'en' },
    ]);
  });

  it.each([
    [
      'question,article\nWhy?,a1\nHow?,\n,a1',
      'line 3: article is missing or no text; line 4: question is missing or no text',
    ],
    ['question,answer\nWhy?,a1', 'line 2: article is missing or no text'],
    ['question,article,lang\nWhy?,a1,en', 'line 2: unknown field lang'],
    ['question,article\n"Why?,a1', 'line 2: a quotation mark is missing or has text beside it'],
    ['{"question":"x","article":"a"}\n{"question"', 'line 2: not a JSON object'],
    ['{"question":"x","article":[]}', 'line 1: article is missing or no text'],
    ['question,article\n', 'line 1: there is no question'],
    ['', 'line 1: there is no question'],
  ])('is refused with the lines that are wrong: %j', (content, message) => {
    expect(mistakesOf(content)).toBe(`q.csv: ${message}`);
  });

  it('with many mistakes shows the first ten', () => {
    expect(mistakesOf(`question,article\n${'x,\n'.repeat(12)}`)).toMatch(/line 11: [^;]*; and 2 more$/);
  });
});

const article = (articleId: string) => ({ articleId, title: articleId.toUpperCase(), url: `/${articleId}` });

/** Finds the articles that the query names, in order. */
const search: AskedSearch = {
  search: async (query) => query.split(' ').map(article),
  find: (id, language) => (/^a\d+$/.test(id) && language !== 'fr' ? article(id) : null),
};

const ask = (content: string) => askQuestions(parseQuestions(content, 'q'), search, 'q');

describe('questions put to a search', () => {
  it('count with the position of their first article, passages of one article once', async () => {
    const report = await ask(
      'question,article\na1 a2,a1\na2 a2 a2 a3 a1,a1\na5 a2 a3 a4 a1,a1|a4\na2,a1\na2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a1,a1\n',
    );
    expect(report).toEqual({
      questions: 5,
      hit1: 20,
      hit3: 40,
      // (1 + 1/3 + 1/4) / 5
      mrr: 0.317,
      misses: [
        {
          line: 4,
          question: 'a5 a2 a3 a4 a1',
          language: null,
          expected: [article('a1'), article('a4')],
          rank: 4,
          found: [article('a5'), article('a2'), article('a3')],
        },
        {
          line: 5,
          question: 'a2',
          language: null,
          expected: [article('a1')],
          rank: null,
          found: [article('a2')],
        },
        expect.objectContaining({ line: 6, rank: null }),
      ],
    });
  });

  it('are not asked if an article is not in the feed, or not in the language', async () => {
    await expect(ask('question,article,language\nx,a1,en\nx,b2,\nx,a1|a2,fr')).rejects.toMatchObject({
      code: 'QUESTIONS_INVALID',
      exitCode: 2,
      message:
        'q: line 3: the article b2 is not in the feed; line 4: the article a1 is not in the feed in fr; line 4: the article a2 is not in the feed in fr',
    });
  });
});
