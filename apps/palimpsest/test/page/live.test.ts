import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeWithBrowser } from '../../../../packages/inspector/test/page/describe-with-browser.ts'
import { hostileTexts } from '../../../../packages/inspector/test/page/hostile-view.ts'
import {
  cell,
  expectInSight,
  kinds,
  promptOf,
} from '../../../../packages/inspector/test/page/page-queries.ts'
import { startTestService } from '../serve/test-service.ts'
import { startLivePage, startTalk, viewAt } from './live-page.ts'

/** Some thousand tokens that say nothing. */
const filler = (turn: number) =>
  `Turn ${turn}: ${'the ledger keeps every invoice in one table. '.repeat(160)}`

const badge = (page: Page) => page.getByTestId('connection')
const numberOf = async (page: Page, name: string) =>
  Number(await page.getByTestId(name).getAttribute('data-value'))

/** Waits until the newest request and the sums on a timeline are those of the JSON. */
async function expectNumbers(page: Page, url: string, id: string): Promise<void> {
  const { requests, compactions } = await viewAt(url, id)
  const last = requests.at(-1)
  await page.getByTestId(`request-${requests.length}`).waitFor()
  for (const kind of kinds)
    await expect.poll(() => cell(page, requests.length, kind)).toBe(String(last?.tokens[kind]))
  await expect.poll(() => cell(page, requests.length, 'without')).toBe(String(last?.without))
  const sent = requests.reduce((sum, request) => sum + promptOf(request.tokens), 0)
  await expect.poll(() => numberOf(page, 'sent')).toBe(sent)
  const compacted = compactions.filter(({ outcome }) => outcome === 'compacted').length
  await expect.poll(() => numberOf(page, 'compactions')).toBe(compacted)
}

describeWithBrowser('the page while sessions run', (open) => {
  it('shows a session that comes, grows, is compacted and ends, on two pages at once', async () => {
    const { inspector, url } = await startLivePage()
    const { page, problems } = await open(url)
    await page.getByText('No sessions yet').waitFor()
    const talk = await startTalk(inspector, 'first')
    await talk.say('We use Postgres for the ledger.')
    await page.locator('[data-id="first"]').click()
    await badge(page).getByText('Live').waitFor()
    await expectNumbers(page, url, 'first')

    const second = await open(`${url}/#/first/transcript`)
    for (let turn = 2; (await viewAt(url, 'first')).compactions.length === 0; turn += 1)
      await talk.say(filler(turn))
    await expectNumbers(page, url, 'first')
    expect(await numberOf(page, 'compactions')).toBeGreaterThan(0)

    // A reader at the end stays there; one who went back is left alone.
    const newest = async () => `[data-seq="${(await viewAt(url, 'first')).requests.at(-1)?.transcript ?? 0}"]`
    await expectInSight(second.page, await newest())
    await talk.say('and one more')
    await expectInSight(second.page, await newest())
    const list = second.page.getByRole('region', { name: 'Messages' })
    await list.press('Home')
    await expectInSight(second.page, '[data-seq="0"]')
    await talk.say('and another')
    const { messages } = await viewAt(url, 'first')
    const said = messages.filter(({ kind }) => kind === 'message').length
    await second.page.getByText(`${said} messages`).waitFor()
    await expectInSight(second.page, '[data-seq="0"]')

    await second.page.getByRole('tab', { name: 'Summaries' }).click()
    const nodes = (await viewAt(url, 'first')).summaryNodes.length
    await second.page.getByText(new RegExp(`^${nodes} summar`)).waitFor()
    await talk.end()
    for (const shown of [page, second.page]) await badge(shown).getByText('Ended').waitFor()
    expect([...problems, ...second.problems]).toEqual([])
    await page.context().close()
    await second.close()
  })

  it('shows what comes in as text, whatever it is', async () => {
    const { inspector, url } = await startLivePage()
    const [image = '', script = ''] = hostileTexts
    const id = `<b>/..?#%2F ${image}`
    const { page, problems, close } = await open(url)
    const talk = await startTalk(inspector, id, script)
    await talk.say(image)
    await page.getByTestId('session').click()
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toContain('<img src=x')
    for (const text of hostileTexts) await talk.say(`${text} We decided: the database is ${image}.`)
    const { requests } = await viewAt(url, id)
    await page.getByTestId(`request-${requests.length}`).waitFor()
    for (const name of ['Transcript', 'Context', 'Decisions', 'Compare']) {
      await page.getByRole('tab', { name }).click()
      await page.locator('main section, main [data-testid="notice"]').first().waitFor()
    }
    expect(await page.locator('header img, main img, main script, main a').count()).toBe(0)
    expect(await page.evaluate<unknown>('window.hacked')).toBeUndefined()
    expect(problems).toEqual([])
    await close()
  })

  it('asks for the token of a service that wants one, and says when it is wrong', async () => {
    const token = 'correct horse'
    const service = await startTestService({ token, headers: { authorization: `Bearer ${token}` } })
    await service.post('/query', { query: 'hello', session: 'guarded' })
    const { page, problems, close } = await open(service.url)
    const field = page.getByTestId('token')
    await field.fill('wrong')
    await field.press('Enter')
    await page.getByText('The service does not take the token').waitFor()
    await field.fill(token)
    await field.press('Enter')
    await page.locator('[data-id="guarded"]').click()
    await expectInSight(page, '[data-testid="request-1"]')
    // The tab remembers it.
    await page.reload()
    await page.getByTestId('request-1').waitFor()
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([])
    await close()
  })
})
