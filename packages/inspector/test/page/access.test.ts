import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessViews } from './access-view.ts'
import { describeInBrowser } from './describe-in-browser.ts'

const places = ['timeline', 'context', 'transcript', 'summaries', 'decisions', 'compare'].flatMap((name) => [
  `/full/${name}`,
  `/empty/${name}`,
])

/** A desk in both schemes, and a phone. */
const windows = [
  { width: 1_400, height: 900, colorScheme: 'light' as const },
  { width: 1_400, height: 900, colorScheme: 'dark' as const },
  { width: 390, height: 844, colorScheme: 'dark' as const },
]

describeInBrowser(
  'the page for everyone',
  async () => accessViews(),
  (suite) => {
    it.each(windows)('has no violation that axe finds, $width pixels wide, $colorScheme', async (window) => {
      const found: string[] = []
      for (const place of places) {
        const { page } = await suite.show('/')
        await page.setViewportSize(window)
        await page.emulateMedia({ colorScheme: window.colorScheme })
        await suite.go(place)
        await openAll(page)
        await page.evaluate(axe.source)
        const { violations } = await page.evaluate<axe.AxeResults>(`axe.run({ resultTypes: ['violations'] })`)
        for (const { id, nodes } of violations)
          found.push(...nodes.map(({ html, failureSummary }) => `${place}: ${id}: ${html.slice(0, 200)} ${failureSummary}`))
      }
      expect(found).toEqual([])
    })

    it('cuts no text off on a phone', async () => {
      const found: string[] = []
      for (const place of places) {
        const { page } = await suite.show('/')
        await page.setViewportSize({ width: 390, height: 844 })
        await suite.go(place)
        await openAll(page)
        const cut = await page.evaluate<string[]>(cutTexts)
        found.push(...cut.map((text) => `${place}: ${text}`))
      }
      expect(found).toEqual([])
      const { page } = await suite.show('/')
      await page.setViewportSize({ width: 390, height: 844 })
      await suite.go('/full/compare')
      const figures = page.getByRole('region', { name: 'Figures' })
      await figures.getByRole('columnheader', { name: 'compressor' }).waitFor()
      expect(await figures.evaluate((table: Scroller) => table.scrollWidth <= table.clientWidth)).toBe(true)
    })
  },
)

/** The program's types know no document. */
interface Scroller extends HTMLElement {
  readonly scrollWidth: number
  readonly clientWidth: number
}

/** Opens what stands behind a button, so that it is looked at, too. */
async function openAll(page: Page): Promise<void> {
  await page.locator('main section, main [data-testid="notice"]').first().waitFor()
  for (const name of ['more', 'Filter', /turns? of the user$/, /^Reasoning/]) {
    const button = page.getByRole('button', { name, exact: true }).first()
    if ((await button.count()) > 0) await button.click()
  }
}

/** Texts that do not fit, outside of what scrolls; a preview of a longer text says that it is one: runs in the page. */
const cutTexts = `[...document.querySelectorAll('#root *')].filter((element) => {
  if (![...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '')) return false
  if (element.closest('[data-preview], canvas, svg') || element.getClientRects().length === 0) return false
  const box = element.getBoundingClientRect()
  if (box.width <= 1 || box.bottom < 0) return false
  for (let up = element; up !== null; up = up.parentElement) {
    const { overflowX } = getComputedStyle(up)
    if (overflowX === 'auto' || overflowX === 'scroll') return false
    if ((overflowX === 'hidden' || overflowX === 'clip') && up.scrollWidth > up.clientWidth + 1 && up !== document.body) return true
  }
  return box.right > innerWidth + 1 || box.left < -1
}).map((element) => element.textContent.slice(0, 80))`
