import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { embedViews, readPageTemplate } from '../../src/page/page-template.ts'
import type { SessionView } from '../../src/view/session-view.ts'

/** A page with sessions in it, in a file of its own. */
export interface PageOnDisk {
  /** The address of a page of a session, such as `/ledger/transcript/message/3`. */
  readonly at: (route: string) => string
  remove(): Promise<void>
}

/** Writes what `replay --html` would. The page must have been built. */
export async function writePage(views: readonly SessionView[]): Promise<PageOnDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-page-'))
  const file = join(folder, 'page.html')
  await writeFile(file, embedViews(await readPageTemplate(), { format: 1, version: '0.0.0', views }))
  return {
    at: (route) => `${pathToFileURL(file).href}#${route}`,
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
