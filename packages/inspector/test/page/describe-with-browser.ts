import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import { findBrowser } from './find-browser.ts'
import { type OpenedPage, type OpenPageOptions, openPage, startBrowser } from './open-page.ts'

/** Opens an address in the suite's browser. The page is closed with the suite at the latest. */
export type Open = (url: string, options?: OpenPageOptions) => Promise<OpenedPage>

/** Tests in a real browser. Without one they are skipped, and the name says why. */
export function describeWithBrowser(name: string, tests: (open: Open) => void): void {
  const found = findBrowser()
  if (found.path === null) {
    process.stderr.write(`skipped: ${name}: ${found.why}\n`)
    describe.skip(`${name} (skipped: ${found.why})`, () =>
      tests(() => Promise.reject(new Error('a test that is skipped opens no page'))))
    return
  }
  const { path } = found
  describe(name, () => {
    let browser: Browser | undefined
    beforeAll(async () => {
      browser = await startBrowser(path)
    })
    afterAll(async () => {
      await browser?.close()
    })
    tests(async (url, options) => {
      if (browser === undefined) throw new Error('the suite has not begun')
      return await openPage(browser, url, options)
    })
  })
}
