import type { SessionView } from '../../../src/view/session-view.ts'
import { checkFormat, checkView } from './check-view.ts'
import { PageDataError } from './page-data-error.ts'

/**
 * The sessions that were written into the page.
 * @param encoded the base64 of gzipped JSON of a `PageFile`
 * @throws PageDataError when it is none
 */
export async function readEmbedded(encoded: string): Promise<readonly SessionView[]> {
  const { views } = checkFormat(await unpack(encoded))
  if (!Array.isArray(views)) throw new PageDataError('The data in this page holds no list of sessions.')
  return views.map(checkView)
}

async function unpack(encoded: string): Promise<unknown> {
  try {
    const characters = atob(encoded.trim())
    const bytes = new Uint8Array(characters.length)
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = characters.charCodeAt(at)
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
    return JSON.parse(await new Response(stream).text())
  } catch {
    throw new PageDataError('The data in this page is damaged: the file was cut off or changed.')
  }
}
