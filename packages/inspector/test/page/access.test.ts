import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessViews } from './access-view.ts'
import { describeInBrowser } from './describe-in-browser.ts'
import { expectInSight } from './page-queries.ts'

const places = ['overview', 'timeline', 'context', 'transcript', 'summaries', 'decisions', 'compare'].flatMap(
  (name) => [`/full/${name}`, `/empty/${name}`],
)

const PHONE = { width: 390, height: 844 }

describeInBrowser(
  'the page for everyone',
  async () => accessViews(),
  (suite) => {
    it.each(places)('has no violation that axe finds, and cuts no text off on a phone: %s', async (place) => {
      const { page } = await suite.show(place)
      await openAll(page)
      await expect.poll(() => violationsOn(page)).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      await expect.poll(() => violationsOn(page, COLOURS)).toEqual([])
      await suite.show('/')
      await page.setViewportSize(PHONE)
      await page.emulateMedia({ colorScheme: 'dark' })
      await suite.go(place)
      await openAll(page)
      await expect.poll(() => violationsOn(page)).toEqual([])
      await expect.poll(() => page.evaluate<string[]>(cutTexts)).toEqual([])
    })

    it('begins with what a model still knows, where answers were recorded', async () => {
      const { page } = await suite.show('/')
      await page.getByText('1.5 of 5').waitFor()
      expect(await page.getByTestId('question').count()).toBe(4)
      await page.getByRole('button', { name: 'Show all 5 questions' }).click()
      const last = page.getByTestId('question').nth(4)
      expect(await last.locator('[data-mark]').allTextContents()).toEqual([
        '✗ not known newest messages onlynot in the text',
        '✓ right with the engineThe port is 8471.',
      ])
      const kept = page.getByTestId('kept-decisions').getByRole('listitem')
      expect(await kept.allTextContents()).toEqual([
        'The ledger is kept in MySQL.#28',
        'Failed calls are tried 3 times.#13',
        'Failed calls are tried 5 times.#19',
      ])
      await page.getByTestId('originals').getByText('searches them with lcm_grep').waitFor()
      await page.getByTestId('originals').getByRole('searchbox').fill('Plan')
      await page.keyboard.press('Enter')
      await page.locator('[data-seq="1"][data-highlight] mark').first().waitFor()
      await page.getByRole('tab', { name: 'Overview' }).click()
      await page.getByRole('button', { name: 'Show all 5 questions' }).click()
      await last.getByRole('button', { name: 'message 6' }).click()
      await page.locator('[data-seq="5"][data-highlight]').waitFor()
    })

    it('shows what is chosen, and which colour stands for what, in the colours of a high contrast', async () => {
      const { page } = await suite.show('/full/context')
      await page.emulateMedia({ forcedColors: 'active' })
      await page.locator('main section').first().waitFor()
      const colours = (selector: string, name: string) =>
        page.evaluate<string[]>(
          `[...document.querySelectorAll('${selector}')].map((one) => getComputedStyle(one).${name})`,
        )
      expect(new Set(await colours('header [role="tab"]', 'borderBottomColor')).size).toBe(2)
      const swatches = await colours('main li i', 'backgroundColor')
      expect([swatches.length, new Set(swatches).size]).toEqual([6, 6])
    })

    it('has in the transcript each result under its call, edits as diffs, Markdown, reasoning, and all of it as written', async () => {
      const { page, problems } = await suite.show('/full/transcript')
      await page.getByTestId('calls').first().click()
      const call = page.locator('[data-seq="3"] [data-call="read_file"]')
      await call.locator('[data-seq="4"]').getByText('failed', { exact: true }).waitFor()
      expect(await call.locator('del').allTextContents()).toEqual(['two\n'])
      expect(await call.locator('ins').allTextContents()).toEqual(['three\n'])
      await page
        .locator('[data-seq="3"]')
        .getByRole('button', { name: /^Reasoning/ })
        .click()
      await page.getByText('It has to be three.').waitFor()
      expect(await page.locator('[data-seq="1"] [data-markdown] td').allTextContents()).toEqual(['1', '2'])
      await page.getByRole('switch', { name: 'As written' }).click()
      await page.locator('[data-seq="1"] pre').getByText('# Plan').waitFor()
      await expect.poll(() => page.url()).toMatch(/as\/written$/)
      expect(problems).toEqual([])
    })

    it('opens what an address names: a message, a search with its filters', async () => {
      const { page } = await suite.show('/full/transcript/message/80')
      await page.locator('[data-seq="79"][data-highlight]').waitFor()
      await suite.go('/full/transcript/query/Message%209./tool/read_file')
      await page.getByText('1 of 1 message · 1 match').waitFor()
      expect(await page.getByLabel('Tool', { exact: true }).inputValue()).toBe('read_file')
      // A view that is left comes back with its search.
      await page.getByRole('tab', { name: 'Context' }).click()
      await page.getByRole('tab', { name: 'Transcript' }).click()
      await page.getByText('1 of 1 message · 1 match').waitFor()
      // A filter gives way to a message that it hides.
      await suite.go('/full/transcript/tool/read_file/message/2')
      await page.locator('[data-seq="1"][data-highlight]').waitFor()
      await suite.go('/full/transcript/message/9999')
      await page.getByText('This session has no message #9,999.').waitFor()
    })

    it('folds the calls between two texts into a line with their names, failures and time', async () => {
      const { page, problems } = await suite.show('/full/transcript')
      const line = page.getByTestId('calls').first()
      const { tokens: asked = 0 } = suite.views()[0]?.messages[3] ?? {}
      const { tokens: answered = 0 } = suite.views()[0]?.messages[4] ?? {}
      expect(await line.textContent()).toBe(`▸ 1 callread_file 1 1 failed${asked + answered} tokens · 30 s`)
      expect(await page.locator('[data-seq="3"]').count()).toBe(0)
      await line.click()
      await page.locator('[data-seq="3"] [data-seq="4"]').waitFor()
      await line.click()
      await page.locator('[data-seq="3"]').waitFor({ state: 'detached' })
      await page.getByRole('switch', { name: 'Fold calls' }).click()
      await page.locator('[data-seq="3"]').waitFor()
      expect(await page.getByTestId('calls').count()).toBe(0)
      expect(problems).toEqual([])
    })

    it('goes to the first match at once, and leaves an edit a diff', async () => {
      const { page } = await suite.show('/full/transcript')
      await page.getByLabel('Search the transcript').fill('three')
      const call = page.locator('[data-seq="3"] [data-call]')
      await expect.poll(() => call.locator('ins mark').allTextContents()).toEqual(['three'])
      await expectInSight(page, '[data-seq="3"] ins mark')
      await page.getByText('1 of 24 messages · 48 matches').waitFor()
      const turns = page.getByRole('region', { name: 'Turns' }).getByRole('button')
      await turns.first().getByText('2 matches').waitFor()
      expect(await turns.first().getAttribute('aria-current')).toBe('true')
      await page.getByRole('button', { name: 'Next match' }).click()
      await page.locator('[data-seq="8"][data-highlight]').waitFor()
      await page.getByLabel('Search the transcript').fill('"thre"')
      await page.getByText('No match').waitFor()
      await page.getByLabel('Search the transcript').fill('"plan"')
      await page.getByText('1 of 1 message · 1 match').waitFor()
    })

    it('shows an address as it is to who left it while typing', async () => {
      const { page } = await suite.show('/full/transcript')
      const search = page.getByLabel('Search the transcript')
      await search.focus()
      await page.evaluate(`(async () => {
        const pause = () => new Promise((resolve) => setTimeout(resolve, 40))
        document.execCommand('insertText', false, 'plan')
        for (const hash of ['#/', '#/full/transcript']) {
          await pause()
          location.hash = hash
        }
        await pause()
      })()`)
      expect(await search.inputValue()).toBe('')
    })

    it('has the time of day, the pauses and the days of turns, or says once that there are none', async () => {
      const { page } = await suite.show('/full/transcript')
      const first = page.getByRole('region', { name: 'Turns' }).getByRole('button').first()
      await expect
        .poll(() => first.textContent())
        .toMatch(/^Oct 9, 2025.*\d+:\d\d.* · 1 call · .* · 1 failed$/)
      await suite.go('/other/timeline')
      await page.getByText('The recording has no times').waitFor()
      expect(await page.getByRole('columnheader', { name: 'Answered in' }).count()).toBe(0)
      await suite.go('/other/transcript')
      await page.getByRole('heading', { name: 'turns, without times' }).waitFor()
    })

    it('leads back from a session that the file does not hold', async () => {
      const { page } = await suite.show('/nowhere/context')
      await page.getByText('This file does not hold that session.').waitFor()
      await page.getByRole('link', { name: 'Back to the beginning' }).click()
      await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor()
    })

    it('filters the transcript by tool and failure, and leads through the turns of the user', async () => {
      const { page } = await suite.show('/full/transcript')
      await page.getByText('failed 1', { exact: true }).click()
      await page.getByText('2 messages', { exact: true }).waitFor()
      await page.getByText('failed 1', { exact: true }).click()
      await page.getByLabel('Tool', { exact: true }).selectOption('read_file')
      await page.getByText('48 messages', { exact: true }).waitFor()
      await page.getByRole('navigation').getByRole('button').nth(2).click()
      await page.locator('[data-seq="11"][data-highlight]').waitFor()
      await expect.poll(() => page.url()).toMatch(/message\/12$/)
    })

    it('may show secrets, until the note is closed', async () => {
      const { page } = await suite.show('/full/timeline')
      await page.getByTestId('secrets-note').waitFor()
      await page.getByRole('button', { name: 'Close this note' }).click()
      await page.getByRole('tab', { name: 'Context' }).click()
      await page.locator('main section').first().waitFor()
      expect(await page.getByTestId('secrets-note').count()).toBe(0)
    })

    it('offers the engine of the file that has what is missing', async () => {
      const { page } = await suite.show('/empty/decisions')
      await page.getByRole('link', { name: 'decisions over lcm' }).click()
      await page.locator('[data-decision]').first().waitFor()
      expect(page.url()).toMatch(/#\/full\/decisions$/)
    })
  },
)

const withoutDecisions = (id: string, title: string) =>
  accessViews()
    .slice(0, 1)
    .map((view) => ({ ...view, id, title, decisions: null }))

describeInBrowser(
  'a session alone',
  async () => [
    ...withoutDecisions('alone', 'alone.jsonl').map((view) => ({ ...view, command: "replay '/tmp/it is'" })),
    ...withoutDecisions('hostile', '$(rm -rf ~).jsonl'),
  ],
  (suite) => {
    it('has the command for what it does not show, if the program gave one', async () => {
      const { page } = await suite.show('/alone/decisions')
      await page
        .getByText("npx @palimpsest/cli replay '/tmp/it is' --html page.html --engine decisions", {
          exact: true,
        })
        .waitFor()
      await suite.go('/hostile/decisions')
      await page.getByText('keeps no decisions').waitFor()
      expect(await page.getByText('npx').count()).toBe(0)
    })
  },
)

describeInBrowser(
  'the list of the sessions of a file',
  async () => accessViews().map((view) => ({ ...view, title: `${view.title} with ${view.engine}` })),
  (suite) => {
    it('has no violation, and cuts no text off on a phone', async () => {
      const { page } = await suite.show('/')
      await page.getByTestId('session').nth(2).waitFor()
      await expect.poll(() => violationsOn(page)).toEqual([])
      await page.setViewportSize(PHONE)
      await page.emulateMedia({ colorScheme: 'dark' })
      await expect.poll(() => violationsOn(page)).toEqual([])
      await expect.poll(() => page.evaluate<string[]>(cutTexts)).toEqual([])
    })
  },
)

/** Rules of axe that another scheme of colours can break. */
const COLOURS = ['color-contrast', 'link-in-text-block']

/** Violations of rules of axe. Default: of all that it runs by itself. */
async function violationsOn(page: Page, runOnly?: readonly string[]): Promise<readonly string[]> {
  await page.evaluate(settled)
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source)
  const options = JSON.stringify({ resultTypes: ['violations'], preload: false, runOnly })
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${options})`)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  )
}

/** Ends with the colours that change: runs in the page. */
const settled = `Promise.allSettled(document.getAnimations()
  .filter((one) => one instanceof CSSTransition).map(({ finished }) => finished)).then(() => {})`

/** Opens everything that a button opens, so that the audit sees it, too. */
async function openAll(page: Page): Promise<void> {
  await page.locator('main section, main [data-testid="notice"]').first().waitFor()
  for (const name of [/turns? of the user$/, /^Reasoning/]) {
    const button = page.getByRole('button', { name, exact: true }).first()
    // A list that still scrolls may take the button away between the count and the click.
    const isDone = async () => {
      if ((await button.count()) === 0) return true
      return button.click({ timeout: 1_000 }).then(
        () => true,
        () => false,
      )
    }
    await expect.poll(isDone).toBe(true)
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
