/**
 * The generated sections of the documentation are what the code says today.
 */
import { describe, expect, test } from 'vitest';
import { claimedTests, GUARANTEES, PAGES, refreshed, titledTests } from '../../scripts/docs.ts';
import { textOf } from './source.ts';

describe('the generated sections', () => {
  test.each(PAGES)('of %s are as scripts/docs.ts would write them', async (page) => {
    expect(textOf(page), 'write them anew: npx tsx scripts/docs.ts').toBe(await refreshed(page, textOf(page)));
  });

  test.each<[claim: string, page: (typeof PAGES)[number], from: RegExp, to: string]>([
    ['a grade that is not the law', 'README.md', /(\| `fact\.\*` +\| )trusted /, '$1approved'],
    ['a gate that is none', 'docs/law.md', /`decision\.accepted\.\*` or `receipt\.\*`/, '`decision.rejected.*` or `receipt.*`'],
    ['a bound of another size', 'README.md', /(`openRowsMax` +\| )256/, '$1512'],
    ['a page of another title', 'README.md', /\[The law\]/, '[The laws]'],
  ])('are stale with %s', async (_claim, page, from, to) => {
    const stale = textOf(page).replace(from, to);
    expect(stale).not.toBe(textOf(page));
    expect(await refreshed(page, stale)).toBe(textOf(page));
  });

  test.each(['<!-- generated: weather -->\n<!-- end -->\n', '<!-- generated: law -->\n'])('have a name and an end: %j', async (text) => {
    await expect(refreshed('README.md', text)).rejects.toThrow('README.md: no section, or no end');
  });
});

describe('the guarantees', () => {
  const page = textOf(GUARANTEES);

  test('name tests whose titles open with their ids', () => {
    const titled = titledTests();
    const claims = [...claimedTests(page)].flatMap(([id, files]) => files.map((file) => `${id} ${file}`));
    expect(claims.length).toBeGreaterThan(0);
    expect(claims.filter((claim) => !titled.get(claim.slice(0, 3))?.includes(claim.slice(4)))).toEqual([]);
  });

  test('say each id once', () => {
    const ids = [...page.matchAll(/\b[ABCDJKTR]\d\d\b/g)].map(([id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect([...claimedTests(page).keys()]).toEqual(ids);
  });
});
