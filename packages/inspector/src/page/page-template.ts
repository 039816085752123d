import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { PalimpsestError } from '@palimpsest/core'
import type { PageFile } from '../view/session-view.ts'

/** Where the build puts the page: beside the built program, and from the sources' point of view. */
const PLACES = ['./page/index.html', '../../dist/page/index.html']

/** The page without any session. @throws PalimpsestError `inspector.page-not-built` in a clone that was not built. */
export async function readPageTemplate(): Promise<string> {
  for (const place of PLACES) {
    const text = await readFile(new URL(place, import.meta.url), 'utf8').catch(() => undefined)
    if (text !== undefined) return text
  }
  throw new PalimpsestError(
    'inspector.page-not-built',
    'the page is not built; in a clone of the project run: npx -y pnpm@12.21.0 build',
  )
}

/**
 * Puts sessions into the page, as base64 of gzipped JSON in an element that nothing runs: no text of a session can close it.
 */
export function embedViews(template: string, file: PageFile): string {
  const data = gzipSync(JSON.stringify(file)).toString('base64')
  const element = `<script id="palimpsest-data" type="application/octet-stream">${data}</script>`
  // The last one: the page's own script may speak of others.
  const end = template.lastIndexOf('</body>')
  return end === -1 ? `${template}${element}` : `${template.slice(0, end)}${element}${template.slice(end)}`
}
