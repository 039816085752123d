import { readFile } from 'node:fs/promises'
import { PalimpsestError } from '@palimpsest/core'

/** Where the build puts the page: beside the built program, and from the sources' point of view. */
const PLACES = ['./page/index.html', '../../dist/page/index.html']

/**
 * The page without any session in it: one HTML file that needs no other.
 *
 * @throws PalimpsestError `inspector.page-not-built` in a clone of the project that was not built.
 */
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
