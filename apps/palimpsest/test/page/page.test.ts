import type { SessionView } from '@palimpsest/inspector'
import { expect, it } from 'vitest'
import {
  type BrowserSuite,
  describeInBrowser,
} from '../../../../packages/inspector/test/page/describe-in-browser.ts'
import { largeView } from '../../../../packages/inspector/test/page/large-view.ts'
import {
  contextAt,
  count,
  expandText,
  expectInSight,
  kinds,
  search,
  settled,
} from '../../../../packages/inspector/test/page/page-queries.ts'
import { textOf } from '../../../../packages/inspector/test/page/text-of.ts'
import { replayedView } from './replayed-view.ts'

const pages = ['timeline', 'context', 'transcript', 'summaries', 'decisions', 'compare'] as const
/** To compare with, and without decisions. */
const plain: SessionView = { ...largeView(400), id: 'plain', decisions: null, summaries: 'offline' }

describeInBrowser(
  'the page of the bundled session',
  async () => [await replayedView('decisions'), plain],
  (suite) => {
    const session = () => replayed(suite)

    it.each([
      { width: 1_400, height: 900, colorScheme: 'light' as const, ground: 'rgb(246, 247, 249)' },
      { width: 360, height: 740, colorScheme: 'dark' as const, ground: 'rgb(15, 17, 20)' },
    ])(
      'fits $width pixels, and has every page in $colorScheme',
      async ({ width, height, colorScheme, ground }) => {
        const { page, problems } = await suite.show('/decisions/timeline')
        await page.setViewportSize({ width, height })
        await page.emulateMedia({ colorScheme })
        for (const name of pages) {
          const tab = page.getByRole('tab', { name, exact: false })
          await tab.click()
          await settled(page, name)
          expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
            width,
          )
          const { x = -1, width: own = 0 } = (await tab.boundingBox()) ?? {}
          expect(x >= 0 && x + own <= width).toBe(true)
        }
        expect(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')).toBe(ground)
        expect(problems).toEqual([])
        await page.setViewportSize({ width: 1_400, height: 900 })
        await page.emulateMedia({ colorScheme: 'light' })
      },
    )

    it('names in a comparison who wrote the summaries of each side', async () => {
      const { page } = await suite.show('/decisions/compare/other/plain')
      const row = page
        .getByRole('region', { name: 'Figures' })
        .getByRole('row', { name: 'Who writes summaries' })
      await row.waitFor()
      expect(await row.getByRole('cell').allTextContents()).toEqual([session().summaries, 'offline'])
      expect(await page.getByTestId('writer').allTextContents()).toEqual([
        `Summaries: ${session().summaries}`,
        'Summaries: offline',
      ])
    })

    it('shows the context of a request: its totals, its first and its last message', async () => {
      const view = session()
      const at = view.requests.length - 1
      const { page } = await suite.show(`/decisions/context/request/${at + 1}/as/written`)
      for (const kind of kinds) {
        const shown = await page.getByTestId(`context-${kind}`).getAttribute('data-value')
        expect(Number(shown)).toBe(view.requests[at]?.tokens[kind])
      }
      const context = contextAt(view, at)
      const first = page.locator(`main [data-message="${context[0]}"]`)
      await first.waitFor()
      await expandText(page, `main [data-message="${context[0]}"]`)
      expect(await textOf(first.locator('[data-text]').first())).toBe(view.messages[context[0] ?? -1]?.text)
      await page.getByRole('region', { name: /messages of this context/i }).press('End')
      await page.locator(`main [data-message="${context.at(-1)}"]`).waitFor()
    })

    it('leads from a condensed summary down to an original message, byte for byte', async () => {
      const view = session()
      const condensed = view.summaryNodes.findLast(({ depth }) => depth > 0)
      const leaf = view.summaryNodes.find(({ id }) => id === condensed?.children[0])
      if (condensed === undefined || leaf === undefined)
        throw new Error('the session has no condensed summary')
      const { page, problems } = await suite.show(`/decisions/summaries/node/${condensed.id}/as/written`)
      const details = page.locator(`[data-summary="${condensed.id}"]`)
      expect(await textOf(details.locator('[data-text]'))).toBe(condensed.text)
      await page.locator(`[data-node="${leaf.id}"]`).click()
      expect(await textOf(page.locator(`[data-summary="${leaf.id}"] [data-text]`))).toBe(leaf.text)
      for (const seq of [leaf.first, leaf.first + 1]) {
        const original = view.messages.find((message) => message.seq === seq && message.kind === 'message')
        // An edit is shown as a difference.
        if (original?.text === '') continue
        await expandText(page, `[data-seq="${seq}"]`)
        expect(await textOf(page.locator(`[data-seq="${seq}"] [data-text]`).first())).toBe(original?.text)
      }
      await page
        .locator(`[data-seq="${leaf.first}"]`)
        .getByRole('button', { name: `#${leaf.first + 1}`, exact: true })
        .click()
      const there = page.locator(`section[aria-label="Transcript"] [data-seq="${leaf.first}"]`)
      await there.waitFor()
      expect(await there.getAttribute('data-highlight')).toBe('true')
      await expectInSight(page, `[data-seq="${leaf.first}"]`)
      expect(problems).toEqual([])
    })

    it('finds in the transcript what is there, and steps through it', async () => {
      const { page } = await suite.show('/decisions/transcript')
      const said = session().messages.filter(({ seq, kind }) => seq !== null && kind !== 'shortened')
      await page.getByText(`${count(said.length)} messages`).waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('postgres')
      const { places, total } = search(said, /postgres/gi)
      const found = page.getByRole('status').filter({ hasText: 'match' })
      for (const step of [0, 1]) {
        if (step > 0) await page.keyboard.press('Enter')
        await found.getByText(`${step + 1} of ${places.length} messages · ${count(total)} matches`).waitFor()
        await expectInSight(page, `[data-seq="${places[step]?.seq}"][data-highlight]`)
        await page.locator(`[data-seq="${places[step]?.seq}"] mark`).first().waitFor()
      }
      const turns = await page.getByRole('region', { name: 'Turns' }).getByText(/match/).allTextContents()
      expect(turns.length).toBeGreaterThan(0)
      await page.keyboard.press('Shift+Enter')
      await found.getByText(`1 of ${places.length} messages`).waitFor()
      await page.getByLabel('Search the transcript').fill('no such words anywhere')
      await page.getByText('No match').waitFor()
    })

    it('is walked by keyboard alone, with the focus in sight', async () => {
      const { page, problems } = await suite.show('/decisions/timeline')
      await settled(page, 'timeline')
      // The first thing on the page.
      await page.getByRole('button', { name: /^Palimpsest/ }).focus()
      for (let steps = 0; steps < 8; steps += 1) {
        await page.keyboard.press('Tab')
        if ((await page.locator('[role=tab]:focus').count()) > 0) break
      }
      for (const name of pages.slice(1)) {
        await page.keyboard.press('ArrowRight')
        await page.keyboard.press('Enter')
        await settled(page, name)
        const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')
        expect(outline).toBe('solid')
      }
      await page.keyboard.press('4')
      await settled(page, 'summaries')
      expect(problems).toEqual([])
    })
  },
)

function replayed(suite: BrowserSuite): SessionView {
  const [view] = suite.views()
  if (view === undefined) throw new Error('there is no view')
  return view
}
