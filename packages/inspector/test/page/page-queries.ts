import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { SessionView, TokenKind, ViewMessage } from '../../src/view/session-view.ts'
import { argumentTexts } from '../../web/src/data/call-change.ts'

/** In the order of the table's columns. */
export const kinds: readonly TokenKind[] = ['tools', 'system', 'decisions', 'summaries', 'head', 'tail']

/** A number as the page writes it. */
export const count = (value: number) => value.toLocaleString('en-US')

/** Waits until a page of the session is chosen and shows more than a sign that it loads. */
export async function settled(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name, exact: false, selected: true }).waitFor()
  await page.locator('main [aria-label="Loading"]').waitFor({ state: 'detached' })
  await page.locator('main section, main [data-testid="notice"]').first().waitFor()
}

/** A number of the table of requests, by the request as people count it. */
export async function cell(page: Page, request: number, name: string): Promise<string | null> {
  return await page.getByTestId(`request-${request}-${name}`).getAttribute('data-value')
}

/** Unfolds a text of a message. */
export async function expandText(page: Page, card: string): Promise<void> {
  const more = page
    .locator(card)
    .getByRole('button', { name: /^Show all/ })
    .first()
  if ((await more.count()) > 0) await more.click()
}

/** Waits until an element stands in the window. */
export async function expectInSight(page: Page, selector: string): Promise<void> {
  await expect
    .poll(async () => {
      const top = (await page.locator(selector).boundingBox())?.y ?? -1
      return top >= 0 && top < (page.viewportSize()?.height ?? 0)
    })
    .toBe(true)
}

/** Indexes in `messages` of what a request showed. */
export function contextAt(view: SessionView, at: number): readonly number[] {
  let context: number[] = []
  for (const { kept, added } of view.requests.slice(0, at + 1))
    context = [...context.slice(0, kept), ...added]
  return context
}

/** All tokens of a request. */
export function promptOf(tokens: SessionView['requests'][number]['tokens'] | undefined): number {
  return kinds.reduce((sum, kind) => sum + (tokens?.[kind] ?? 0), 0)
}

/** Counts matches as the page should: in texts, names of tools and arguments. */
export function search(said: readonly ViewMessage[], pattern: RegExp) {
  const texts = (message: ViewMessage) => [
    message.text,
    ...(message.calls ?? []).flatMap(({ name, arguments: given }) => [name, ...argumentTexts(given)]),
  ]
  const matches = (message: ViewMessage) =>
    texts(message).reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0)
  const places = said
    .filter((message) => matches(message) > 0)
    .toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0))
  return { places, total: said.reduce((sum, message) => sum + matches(message), 0) }
}
