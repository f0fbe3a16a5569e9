import { describe, expect, it, vi } from 'vitest';
import {
  formatFrontMatter,
  parseFrontMatter,
  parsePageFrontMatter,
} from '../../../src/source/folder/front-matter.ts';
import { fc } from '../../support/properties.ts';

describe('parseFrontMatter', () => {
  it('cuts a file into fields and body', () => {
    expect(parseFrontMatter('---\ntitle: Hello\ntags: [a, b]\n---\n# Body\n')).toEqual({
      data: { title: 'Hello', tags: ['a', 'b'] },
      body: '# Body',
    });
  });

  it('reads files with a byte order mark and Windows line ends', () => {
    expect(parseFrontMatter('\uFEFF---\r\ntitle: Hello\r\n---\r\nBody\r\n')).toEqual({
      data: { title: 'Hello' },
      body: 'Body',
    });
  });

  it.each(['js', 'javascript', 'json', 'coffee', 'yaml'])(
    'never runs an engine named after the dashes: %s',
    (name) => {
      const file = `---${name}\nglobalThis.frontMatterRan = true\n---\nBody\n`;
      expect(() => parseFrontMatter(file)).toThrow('must begin with a line "---"');
      expect(globalThis).not.toHaveProperty('frontMatterRan');
    },
  );

  it('does not share data between two readings of the same text', () => {
    const text = '---\ntags: [a]\n---\n';
    const first = parseFrontMatter(text).data.tags as string[];
    first.push('changed');
    expect(parseFrontMatter(text).data.tags).toEqual(['a']);
  });

  it.each([
    ['a date', 'v: 2026-01-31', '2026-01-31'],
    ['a number with a trailing zero', 'v: 1.10', '1.10'],
    ['a number with leading zeros', 'v: 007', '007'],
    ['a number too long to be exact', 'v: 12345678901234567890', '12345678901234567890'],
    ['no', 'v: no', 'no'],
    ['a capital True', 'v: True', 'True'],
    ['a sexagesimal number', 'v: 12:30:45', '12:30:45'],
  ])('keeps %s as the text it is', (_what, yaml, value) => {
    expect(parseFrontMatter(`---\n${yaml}\n---\n`).data).toEqual({ v: value });
  });

  it('reads plain numbers, booleans and nulls with their types', () => {
    expect(parseFrontMatter('---\na: 3\nb: 1.5\nc: true\nd: null\ne:\n---\n').data).toEqual({
      a: 3,
      b: 1.5,
      c: true,
      d: null,
      e: null,
    });
  });

  it.each([
    ['no front matter', 'Hello', 'the file must begin with a line "---" and its front matter'],
    ['no end', '---\ntitle: Hello\n', 'the front matter is not closed with a line "---"'],
    [
      'a longer line of dashes as end',
      '---\ntitle: Hello\n-----\n---\n',
      'the front matter is not closed with a line "---"',
    ],
    ['a list', '---\n- a\n---\n', 'the front matter must be a list of fields, e.g. "title: Hello"'],
  ])('refuses a file with %s', (_what, text, message) => {
    expect(() => parseFrontMatter(text)).toThrow(message);
  });

  it('says where the YAML is wrong', () => {
    expect(() => parseFrontMatter('---\ntitle: a\ntitle: b\n---\n')).toThrow(
      'line 3: the field "title" is given twice; delete one of the two',
    );
    expect(() => parseFrontMatter('---\ntitle: Help #1\n---\n')).toThrow(
      'line 2: a # begins a comment behind the value of title; put the value into quotation marks',
    );
    expect(() => parseFrontMatter('---\ntitle: a\n...\ntags: b\n---\n')).toThrow(
      'line 4: a second document of YAML begins here; delete the line "---" or "..." before it',
    );
    expect(() => parseFrontMatter('---\ntitle: "a\n---\n')).toThrow(
      'line 2: the value begins with " but does not end with it; add the closing quotation mark',
    );
  });

  it('reads the placeholders of templates without a warning of Node', () => {
    const warn = vi.spyOn(process, 'emitWarning');
    const { data } = parseFrontMatter('---\ncreated: {{ date }}\ntitle: Day\n---\n');
    expect(data).toMatchObject({ title: 'Day' });
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it('reads aliases and merge keys', () => {
    const { data } = parseFrontMatter('---\na: &x { k: 1 }\nb: *x\nc:\n  <<: *x\n  l: 2\n---\n');
    expect(data).toEqual({ a: { k: 1 }, b: { k: 1 }, c: { k: 1, l: 2 } });
  });

  it.each([
    [
      'a: &a [1, 1, 1, 1, 1]\nb: &b [*a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c, *c]',
      'line 5: its aliases repeat more than a file may contain',
    ],
    ['a: &x [*x]', 'line 2: *x stands for the value that it is in'],
    ['a:\n  - &x\n    b: { c: *x }', 'line 4: *x stands for the value that it is in'],
    ['a: *x\nb: &x 1', 'line 2: *x has no anchor above it'],
  ])('refuses %j', (yaml, message) => {
    expect(() => parseFrontMatter(`---\n${yaml}\n---\n`)).toThrow(message);
  });
});

describe('formatFrontMatter', () => {
  it('writes fields in their order, and long texts in one line', () => {
    const long = 'word '.repeat(60).trim();
    expect(
      formatFrontMatter({ data: { title: 'Hello', tags: ['a'], description: long }, body: '<p>Hi</p>' }),
    ).toBe(`---\ntitle: Hello\ntags:\n  - a\ndescription: ${long}\n---\n<p>Hi</p>\n`);
  });

  it('is read back unchanged, whatever fields and body contain', { tags: 'property' }, () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '1.10',
        '---',
        'null',
        'true',
        '~',
        '- a',
        'a: b',
        '#',
        '2026-01-31',
        ' x ',
        'a\n---\nb',
        '\r\n',
        'a\n\n',
        '\n',
      ),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.string()),
    );
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z_]{1,9}$/), value, { minKeys: 1 }),
        fc.string({ unit: 'binary' }),
        (data, body) => {
          const copy = { ...data };
          expect(parseFrontMatter(formatFrontMatter({ data: copy, body }))).toEqual({ data: copy, body });
        },
      ),
    );
  });
});

describe('parsePageFrontMatter', () => {
  it('reads the fields and the text after them, and finds none in other texts', () => {
    expect(parsePageFrontMatter('---\r\ntitle: Hello\r\ndate: 2026-01-31\r\n---\r\n# Body\r\n')).toEqual({
      data: { title: 'Hello', date: '2026-01-31' },
      body: '# Body',
    });
    for (const text of ['# Body', '{{< shortcode >}}', 'Text: a.', '+++ is a mark', '{ "x" }'])
      expect(parsePageFrontMatter(text)).toBeNull();
  });

  it('accepts blanks after the dashes, and three dots as the end', () => {
    expect(parsePageFrontMatter('--- \t\ntitle: A\n---  \nBody')).toEqual({
      data: { title: 'A' },
      body: 'Body',
    });
    expect(parsePageFrontMatter('---\ntitle: A\n...\nBody')).toEqual({ data: { title: 'A' }, body: 'Body' });
    expect(parsePageFrontMatter('---\n---\nBody')).toEqual({ data: {}, body: 'Body' });
  });

  it('reports a text that is cut at a comment, which its author may have meant as text', () => {
    const text =
      '---\ntitle: Update #2\nsummary: #1\na: b # c\nd: 5 #e\nf: "g" #h\ni: j#k\n#l\nm: C # ##\ntags:\n  - C #1\n  - #2\nn:\n  #o\np: True #q\nr: 1.10 #s\n---\n';
    const cut: unknown[] = [];
    const file = parsePageFrontMatter(
      text,
      () => {},
      (...found) => cut.push(found),
    );
    expect(file?.data).toMatchObject({ title: 'Update', summary: null, i: 'j#k' });
    expect(cut).toEqual([
      ['title', 2],
      ['summary', 3],
      ['tags', 11],
      ['tags', 12],
    ]);
  });

  it('uses the last value of a field given twice, and reports its line', () => {
    const text = '---\ntitle: a\nx: 1\ntitle: b\n---\n';
    const repeated: unknown[] = [];
    const file = parsePageFrontMatter(text, (...found) => repeated.push(found));
    expect(file?.data.title).toBe('b');
    expect(repeated).toEqual([['title', 4]]);
  });

  it.each([
    ['title: Foo: bar', 'line 2: quote the value, because it contains a colon'],
    ['title: @home', 'line 2: quote the value, because it begins with @'],
    ['a:\n\tb: 1', 'line 3: indent with spaces, because YAML allows no tabs'],
    [
      'title: [oops\norder: 3',
      'line 2: the value begins with [ but does not end with ]; add it, or quote the value if it is a text',
    ],
    [
      'tags: [a, b',
      'line 2: the value begins with [ but does not end with ]; add it, or quote the value if it is a text',
    ],
    [
      'a: 1\nmap: {b: 1',
      'line 3: the value begins with { but does not end with }; add it, or quote the value if it is a text',
    ],
    [
      'title: "oops\norder: 3',
      'line 2: the value begins with " but does not end with it; add the closing quotation mark',
    ],
    [
      "title: 'oops",
      "line 2: the value begins with ' but does not end with it; add the closing quotation mark",
    ],
    ["title: 'it's'", "line 2: write '' for each apostrophe inside the quotes"],
    ['title: "say "hi" now"', 'line 2: write \\" for each quotation mark inside the quotes'],
    ['title: a\n  order: 3', 'line 3: delete the spaces before "order"'],
    ['title: [New] Install', 'line 2: quote the value, because it begins with ['],
    ['title: {#if ...}', 'line 2: quote the value, because it contains #'],
    ['title: "C"#1', 'line 2: quote the value, because it contains #'],
    ['title: - a', 'line 2: quote the value, because it begins with -'],
    ['title:a\norder: 3', 'line 2: write a space after the colon'],
    ['title: x\nfoo', 'line 3: "foo" is no field; write "name: value"'],
  ])('says what to do about %j', (yaml, message) => {
    expect(() => parsePageFrontMatter(`---\n${yaml}\n---\n`)).toThrow(message);
  });

  it.each([
    '+++\ntitle = "x"\ndraft = true\n+++\nBody',
    '{\n  "draft": true\n}\nBody',
    ';;;\n{ "draft": true }\n;;;\n',
    '<!-- comment -->\n---\ndraft: true\n---\nBody',
    '--\ntitle: A\n--\nBody',
    'draft: true\ntitle: A\n\nBody',
    'public: false\n\nBody',
    '\u200b---\ndraft: true\n---\nBody',
    '\uFEFF\u200f---\ndraft: true\n---\nBody',
    '\\---\ntitle: A\n\\---\nBody',
    '* * *\n\ntitle: A\ndraft: true\n\n* * *\nBody',
    'public:: false\ntitle:: A\n\n- Body',
    '- title:: A\n- draft:: true\n- Body',
    '---\ntitle: A\n---\n\n---\ndraft: true\n---\nBody',
  ])('refuses other forms of front matter, which may hide the page: %j', (text) => {
    expect(() => parsePageFrontMatter(text)).toThrow('look like front matter, but are not read as such');
  });

  it.each([
    'public:: true\ndraft:: false\n\n- Body',
    '- Public: everyone sees the page\n- Private: only members\n\nBody',
    '* * *\n\nNote: a\n\nBody',
    '---\ntitle: A\n---\n---\n\nNote: a',
    '---\ntitle: A\n---\npublished: 2024\n\nBody',
    'See std::draft: true\n',
  ])('accepts %j', (text) => {
    expect(() => parsePageFrontMatter(text)).not.toThrow();
  });

  it('says in which line a second front matter begins', () => {
    const text = '---\ntitle: A\n---\n\n---\ndraft: true\n---\nBody\n';
    expect(() => parsePageFrontMatter(text)).toThrow(expect.objectContaining({ line: 5 }));
  });
});
