import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import type { SessionView } from '../../src/view/session-view.ts'
import { findBrowser } from './find-browser.ts'
import { type OpenedPage, type OpenPageOptions, openPage, startBrowser } from './open-page.ts'
import { type PageOnDisk, writePage } from './page-file.ts'

/** What the tests of a suite share. */
export interface BrowserSuite {
  /** The sessions in the page. */
  views(): readonly SessionView[]
  /** Opens a page of a session, such as `/ledger/summaries`. It is closed with the suite at the latest. */
  open(route: string, options?: OpenPageOptions): Promise<OpenedPage>
  /** Goes there in a page that the tests of the suite share: quicker, and as fresh as a click makes it. */
  show(route: string): Promise<OpenedPage>
}

/** How long a session may take to be replayed on a machine that does something else, in milliseconds. */
const patience = 60_000

/** Tests on a page with sessions in a real browser. Without one they are skipped, and the name says why. */
export function describeInBrowser(
  name: string,
  load: () => Promise<readonly SessionView[]>,
  tests: (suite: BrowserSuite) => void,
): void {
  const found = findBrowser()
  if (found.path === null) {
    process.stderr.write(`skipped: ${name}: ${found.why}\n`)
    describe.skip(`${name} (skipped: ${found.why})`, () =>
      tests({ views: () => [], open: unreachable, show: unreachable }))
    return
  }
  const { path } = found
  describe(name, () => {
    let views: readonly SessionView[] = []
    let file: PageOnDisk | undefined
    let browser: Browser | undefined
    beforeAll(async () => {
      views = await load()
      file = await writePage(views)
      browser = await startBrowser(path)
    }, patience)
    afterAll(async () => {
      await browser?.close()
      await file?.remove()
    })
    const open: BrowserSuite['open'] = async (route, options) => {
      if (browser === undefined || file === undefined) throw new Error('the suite has not begun')
      return await openPage(browser, file.at(route), options)
    }
    let shared: OpenedPage | undefined
    const show: BrowserSuite['show'] = async (route) => {
      shared ??= await open('/')
      // Through the list of sessions: no state of a page outlives that.
      await shared.page.goto(file?.at('/') ?? '')
      await shared.page.goto(file?.at(route) ?? '')
      return shared
    }
    tests({ views: () => views, open, show })
  })
}

const unreachable = () => Promise.reject(new Error('a test that is skipped opens no page'))
