import { gzipSync } from 'node:zlib'
import type { PageFile } from '../view/session-view.ts'

/**
 * The page with sessions in it: one file that needs no other. They stand in an element that nothing runs, as base64 of
 * gzipped JSON, so that no text of a session can close it.
 *
 * @param template the page without any session.
 */
export function embedViews(template: string, file: PageFile): string {
  const data = gzipSync(JSON.stringify(file)).toString('base64')
  const element = `<script id="palimpsest-data" type="application/octet-stream">${data}</script>`
  // The last one: the page's own script may speak of others.
  const end = template.lastIndexOf('</body>')
  return end === -1 ? `${template}${element}` : `${template.slice(0, end)}${element}${template.slice(end)}`
}
