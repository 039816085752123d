import { expect, it } from 'vitest'
import { describeInBrowser } from './describe-in-browser.ts'
import { largeView } from './large-view.ts'

const size = 10_000
/** More elements than this in one page, and a phone would feel it. */
const bound = 2_500

describeInBrowser(
  'a session of 10,000 messages',
  async () => [largeView(size)],
  (suite) => {
    it('scrolls, jumps and searches with few messages in the document at a time', async ({ annotate }) => {
      const { page, problems } = await suite.show(`/large-${size}/transcript`)
      await page.evaluate(
        'window.long = 0; new PerformanceObserver((l) => { window.long += l.getEntries().length }).observe({ type: "longtask" })',
      )
      const list = page.getByRole('region', { name: 'Messages' })
      await list.locator('[data-seq="0"]').waitFor()
      const elements = () => page.evaluate<number>('document.querySelectorAll("*").length')
      await list.hover()
      for (let turn = 0; turn < 15; turn += 1) {
        await page.mouse.wheel(0, 4_000)
        expect(await elements()).toBeLessThan(bound)
      }
      expect(await list.locator('[data-seq="0"]').count()).toBe(0)
      await list.press('End')
      // The last call is folded, with its result.
      await list.locator('[data-testid="calls"]').last().click()
      await list.press('End')
      await list.locator(`[data-seq="${size - 1}"]`).waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('Message 5001.')
      await page.getByText('1 of 1 message · 1 match').waitFor()
      await list.locator('[data-seq="5001"][data-highlight]').waitFor()
      expect(await elements()).toBeLessThan(bound)
      await annotate(`${await page.evaluate<number>('window.long')} tasks of more than 50 ms`)
      expect(problems).toEqual([])
    })

    it('has hundreds of summaries, few of them in the document at a time', async () => {
      const { page, problems } = await suite.show(`/large-${size}/summaries`)
      const nodes = page.locator('[data-node]')
      await nodes.first().waitFor()
      expect(await nodes.count()).toBeLessThan(60)
      // What a search finds deep below is a click away.
      await page.getByLabel('Search summaries and their messages').fill('Message 5001.')
      await page.getByRole('region', { name: 'Found' }).getByRole('button').first().click()
      await page.locator('[data-summary="s0-5001"]').waitFor()
      expect(await page.locator('[data-seq="5001"] mark').first().textContent()).toBe('Message 5001.')
      await page.getByLabel('Search summaries and their messages').fill('')
      await page.locator('[data-node="s0-5001"]').waitFor()
      expect(problems).toEqual([])
    })
  },
)
