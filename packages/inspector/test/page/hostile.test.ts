import { expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { hostileTexts, hostileViews, longLine, payloads } from './hostile-view.ts'
import { attributesOf, lengthOf, textOf } from './text-of.ts'

describeInBrowser(
  'a page with hostile content',
  async () => hostileViews(),
  (suite) => {
    it('shows it as text, byte for byte, and runs none of it', async () => {
      const { page, problems } = await suite.show('/hostile/transcript/as/written')
      for (const [place, text] of hostileTexts.entries()) {
        const card = page.locator(`[data-seq="${place + 1}"]`)
        expect(await textOf(card.locator('[data-text]').first())).toBe(text)
      }
      expect(await page.locator('main img, main svg[onload], main script, main a').count()).toBe(0)
      for (const name of ['Transcript', 'Timeline', 'Context', 'Summaries', 'Decisions', 'Compare']) {
        await page.getByRole('tab', { name }).click()
        await page.locator('main section').first().waitFor()
        expect([name, await page.evaluate<string[]>(unmarked)]).toEqual([name, []])
      }
      await page.getByRole('tab', { name: 'Timeline' }).click()
      await page.getByRole('tab', { name: 'Compactions' }).click()
      await page.getByTestId('event-9').waitFor()
      expect(await page.evaluate<string[]>(unmarked)).toEqual([])
      expect(await page.evaluate<unknown>('window.hacked')).toBeUndefined()
      expect(problems).toEqual([])
    })

    it('opens on the first engine of a conversation, with the others one click away', async () => {
      const { page, problems } = await suite.show('/')
      await page.getByRole('tab', { name: 'Timeline', selected: true }).waitFor()
      const large = suite.views()[1]?.requests.length
      const engines = page.getByRole('combobox', { name: 'Engine' })
      await engines.selectOption({ index: 1 })
      await page.getByRole('tab', { name: `Requests ${large}` }).waitFor()
      await page.keyboard.press('2')
      await page.getByRole('tab', { name: 'Context', selected: true }).waitFor()
      expect(problems).toEqual([])
    })

    it('names what cannot be seen, and lets no direction out of its place', async () => {
      const { page } = await suite.show('/hostile/transcript/as/written')
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
      const { page, problems } = await suite.show('/hostile/transcript/as/written')
      const card = page.locator(`[data-seq="${hostileTexts.length + 1}"]`)
      const shown = () => lengthOf(card.locator('[data-text]'))
      expect(await shown()).toBeLessThan(2_000)
      await card.getByRole('button', { name: /^Show 200,000 more/ }).click()
      expect(await shown()).toBeGreaterThan(200_000)
      expect(longLine.startsWith(await page.evaluate<string>(longText))).toBe(true)
      await card.getByRole('button', { name: 'Show less' }).click()
      expect(await shown()).toBeLessThan(2_000)
      expect(problems).toEqual([])
    })
  },
)

describeInBrowser(
  `a page with ${payloads.length} scripts and addresses in its texts`,
  async () => hostileViews(payloads),
  (suite) => {
    it.each(['timeline', 'context', 'transcript', 'summaries', 'decisions', 'compare'])(
      'runs and loads none of them on %s',
      async (name) => {
        const { page, problems } = await suite.show(`/hostile/${name}`)
        await page.locator('main section').first().waitFor()
        for (let turn = 0; turn < 6; turn += 1) {
          expect(await page.evaluate<string[]>(made)).toEqual([])
          await page.getByRole('region').last().hover()
          await page.mouse.wheel(0, 1_500)
        }
        expect(await page.evaluate<unknown>('window.hacked')).toBeUndefined()
        expect(page.url()).toContain('/hostile/')
        expect(problems).toEqual([])
      },
    )

    it('sets Markdown with its HTML and its addresses as text', async () => {
      const { page } = await suite.show('/hostile/transcript/message/21')
      const table = page.locator('[data-seq="19"] [data-markdown]')
      await expect
        .poll(() => table.locator('td').allTextContents())
        .toEqual(['<img src=x onerror=window.hacked=19>', 'javascript:window.hacked=19'])
      await page.goto(page.url().replace(/message.*/, 'message/8'))
      const link = page.locator('[data-seq="7"] [data-markdown]')
      expect(await textOf(link)).toBe('link (javascript:window.hacked=7)')
    })
  },
)

/** Elements that the page itself has none of: runs in the page. */
const made = `[...document.querySelectorAll('#root :is(img, script, iframe, object, embed, form, base, link, meta, ' +
  'style:not([data-mantine-styles]), math, details, a[href]:not([href^="#"]), [onload], [onerror], [ontoggle])')]
  .map((element) => element.outerHTML)`

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

/** Text that has what cannot be seen in it, and does not say so: runs in the page. */
const unmarked = `(() => {
  const found = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (/[\u202e\u2066\u200b]/.test(node.data) && !node.parentElement.closest('[data-points], script')) found.push(node.data)
  return found
})()`

/** The longest text on the page: runs in the page. */
const longText = `[...document.querySelectorAll('[data-text]')].map((text) => text.textContent)
  .reduce((longest, text) => (text.length > longest.length ? text : longest))`
