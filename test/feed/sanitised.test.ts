import { expect, it } from 'vitest';
import { buildCorpus } from './support/build-corpus.ts';

const article = (id: string, body: string, more: object = {}) => ({
  article_id: id,
  title: `Title of ${id}`,
  slug: 'slug',
  body,
  is_published: true,
  is_private: false,
  multilingual: [],
  ...more,
});

it('contains nothing in any file that readers cannot see', async () => {
  const { output } = await buildCorpus({
    categories: [],
    articles: [
      article(
        'visible001',
        `<p>Seen. <!-- leak-comment --><span style="display:none">leak-hidden</span>Go on\u200b\u202e\u{e0041}.</p>
         <p hidden>leak-attribute</p><script>leak-script</script><template>leak-template</template>
         <p><a href="/article/private001-plan">the plan</a>
         <a href="https://files.example.com/a?X-Amz-Signature=leak-signature">file</a>
         <img src="https://files.example.com/b.png?sig=leak-image-signature" alt="b"></p>`,
        { author: { name: 'leak-author', email: 'leak-author@example.com' }, internal_note: 'leak-note' },
      ),
      article('private001', 'leak-private', { is_private: true, title: 'leak-private-title' }),
      article('drafted001', 'leak-draft', { is_published: false, title: 'leak-draft-title' }),
      article('visible002', '<p>English.</p>', {
        multilingual: [{ language_code: 'de', title: 'Leise', body: '<p>leak-not-live</p>', is_live: false }],
      }),
    ],
  });
  expect(output.text('feed/en/source.txt')).toContain('Seen.');
  for (const path of output.paths()) {
    const text = output.text(path);
    expect(text, path).not.toContain('leak-');
    expect(text, path).not.toMatch(/[\u200b\u202e\u{e0041}]/u);
    expect(text, path).not.toMatch(/private001|drafted001/);
  }
});
