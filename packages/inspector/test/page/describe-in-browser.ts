import { afterAll, beforeAll } from 'vitest'
import type { SessionView } from '../../src/view/session-view.ts'
import { describeWithBrowser } from './describe-with-browser.ts'
import type { OpenedPage } from './open-page.ts'
import { type PageOnDisk, writePage } from './page-on-disk.ts'

/** What the tests of a suite share. */
export interface BrowserSuite {
  /** The sessions in the page. */
  views(): readonly SessionView[]
  /**
   * Goes to a page of a session, such as `/ledger/summaries`, in a page that the tests of the suite share: quicker, and as
   * fresh as a click makes it, because it comes there from where the page begins.
   */
  show(route: string): Promise<OpenedPage>
  /** Goes on from there in the window as it is. */
  go(route: string): Promise<void>
}

/** The beginning of the page: the list of sessions, or the first view of the only one. */
const BEGINNING =
  '[data-testid="session"], [role="tab"][aria-selected="true"]:is(:has-text("Timeline"), :has-text("Overview"))'

/** How long a session may take to be replayed on a machine that does something else, in milliseconds. */
const patience = 60_000

/** Tests on a page with sessions in a real browser. */
export function describeInBrowser(
  name: string,
  load: () => Promise<readonly SessionView[]>,
  tests: (suite: BrowserSuite) => void,
): void {
  describeWithBrowser(name, (open) => {
    let views: readonly SessionView[] = []
    let file: PageOnDisk | undefined
    beforeAll(async () => {
      views = await load()
      file = await writePage(views)
    }, patience)
    afterAll(() => file?.remove())
    let shared: OpenedPage | undefined
    const show: BrowserSuite['show'] = async (route) => {
      if (file === undefined) throw new Error('the suite has not begun')
      shared ??= await open(file.at('/'))
      // As it was opened, whatever the test before did with it.
      await shared.page.setViewportSize({ width: 1_400, height: 900 })
      await shared.page.emulateMedia({ colorScheme: 'light' })
      await shared.page.goto(file.at('/'))
      await shared.page.locator(BEGINNING).first().waitFor()
      await shared.page.goto(file.at(route))
      return shared
    }
    const go = async (route: string) => void (await shared?.page.goto(file?.at(route) ?? ''))
    tests({ views: () => views, show, go })
  })
}
