import { expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { hostileTexts, hostileView, longLine } from './hostile-view.ts'
import { attributesOf, lengthOf, textOf } from './text-of.ts'

describeInBrowser(
  'a page with hostile content',
  async () => [hostileView()],
  (suite) => {
    it('shows it as text, byte for byte, and runs none of it', async () => {
      const { page, problems } = await suite.show('/hostile/transcript')
      for (const [place, text] of hostileTexts.entries()) {
        const card = page.locator(`[data-seq="${place + 1}"]`)
        expect(await textOf(card.locator('[data-text]').first())).toBe(text)
      }
      expect(await page.locator('main img, main svg[onload], main script, main a').count()).toBe(0)
      for (const name of ['Timeline', 'Context', 'Summaries', 'Decisions']) {
        await page.getByRole('tab', { name }).click()
        await page.locator('main section').first().waitFor()
      }
      await page
        .getByText(hostileTexts[0] ?? '', { exact: true })
        .first()
        .waitFor()
      expect(await page.evaluate<unknown>('window.hacked')).toBeUndefined()
      expect(problems).toEqual([])
    })

    it('names what cannot be seen, and lets no direction out of its place', async () => {
      const { page } = await suite.show('/hostile/transcript')
      const names = await attributesOf(page.locator('[data-seq="4"] [data-points]'), 'data-points')
      const expected = [
        'U+00AD',
        'U+200B',
        'U+202C',
        'U+202E',
        'U+2066',
        'U+2069',
        'U+E0041 U+E0042',
        'U+FEFF',
      ]
      expect(names).toEqual(expected)
      // A reversed text would put "hidden" left of "evil".
      const words = await page.evaluate<number[]>(leftEdges)
      expect(words).toHaveLength(3)
      expect(words).toEqual(words.toSorted((a, b) => a - b))
    })

    it('puts a line of a megabyte into the document step by step', async () => {
      const { page, problems } = await suite.show('/hostile/transcript')
      const card = page.locator(`[data-seq="${hostileTexts.length + 1}"]`)
      const shown = () => lengthOf(card.locator('[data-text]'))
      expect(await shown()).toBeLessThan(2_000)
      await card.getByRole('button', { name: /^Show 200,000 of/ }).click()
      expect(await shown()).toBeGreaterThan(200_000)
      expect(await textOf(card.locator('[data-text]'))).toBe(longLine.slice(0, await shown()))
      await card.getByRole('button', { name: 'Show less' }).click()
      expect(await shown()).toBeLessThan(2_000)
      expect(problems).toEqual([])
    })
  },
)

/** Where three words of the text begin on the screen, in pixels from the left: runs in the page. */
const leftEdges = `[...document.querySelector('[data-seq="4"] [data-text]').childNodes].flatMap((node) =>
  ['evil', 'hidden', 'mark'].flatMap((word) => {
    const at = node.nodeType === Node.TEXT_NODE ? node.data.indexOf(word) : -1
    if (at === -1) return []
    const range = document.createRange()
    range.setStart(node, at)
    range.setEnd(node, at + word.length)
    return [range.getBoundingClientRect().left]
  }),
)`
