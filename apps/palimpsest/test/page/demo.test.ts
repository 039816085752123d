import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithBrowser } from '../../../../packages/inspector/test/page/describe-with-browser.ts'
import { runCli } from '../run-cli.ts'

/** Whether the lower edge of an element is on the first screen. */
async function isInSight(page: Page, selector: string): Promise<boolean> {
  const box = await page.locator(selector).first().boundingBox()
  return box !== null && box.y + box.height <= (page.viewportSize()?.height ?? 0)
}

describeWithBrowser('the first screen of the demo', (open) => {
  let folder = ''
  let address = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-demo-'))
    const file = join(folder, 'demo.html')
    const { code, stderr } = await runCli(['demo', '--html', file, '--no-open'])
    expect([code, stderr]).toEqual([0, expect.stringContaining('the page: ')])
    address = pathToFileURL(file).href
  }, 120_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('shows what a model knows, the window, decisions, rules, files, a message and the cost', async () => {
    const { page, problems, close } = await open(address, { width: 1_440, height: 900 })
    await page.getByRole('heading', { name: 'What a model still knows at the end' }).waitFor()
    const kept = ['decisions', 'rules', 'files'].map((name) => `[data-testid="kept-${name}"] li:nth-child(2)`)
    const seen = [
      '[data-testid="question"]',
      '[aria-labelledby="overview-size"] svg',
      ...kept,
      '[data-testid="originals"] blockquote',
      '[data-testid="bill-with"]',
    ]
    for (const selector of seen)
      await expect.poll(async () => [selector, await isInSight(page, selector)]).toEqual([selector, true])
    await page.getByTestId('originals').getByText('lcm').waitFor()
    const scores = await page.locator('main h3 + p b').allTextContents()
    const [without = 0, withEngine = 0] = scores.map((score) => Number.parseFloat(score))
    expect(scores).toHaveLength(2)
    expect(withEngine).toBeGreaterThan(without)
    expect(problems).toEqual([])
    await close()
  })

  it('has a command of the program where it has no other engine', async () => {
    const { page, close } = await open(`${address}#/replay/compare`)
    await page
      .getByText('npx @palimpsest/cli demo --html page.html --compare compressor,lcm,decisions', {
        exact: true,
      })
      .waitFor()
    await close()
  })
})
