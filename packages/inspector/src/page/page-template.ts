import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { PalimpsestError } from '@palimpsest/core'
import type { PageFile } from '../view/session-view.ts'

const PLACES = ['./page/index.html', '../../dist/page/index.html']

/**
 * Reads the page without sessions. @throws PalimpsestError `inspector.page-not-built` in a clone that was not built.
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

/**
 * Writes sessions into the page, piece by piece, so that a long session is never one text in memory. Sessions are
 * gzipped JSON as base64 in inert elements, so no text can close one. Long texts are in separate parts, which the page
 * reads on demand.
 */
export function* embedViews(template: string, file: PageFile): Generator<string, void> {
  const found = template.lastIndexOf('</body>')
  const end = found === -1 ? template.length : found
  const texts = createTextParts()
  const views: unknown[] = []
  yield template.slice(0, end)
  for (const view of file.views) {
    const messages: unknown[] = []
    for (const { text, reasoning, calls, ...message } of view.messages) {
      messages.push({
        ...message,
        text: texts.keep(text),
        ...(reasoning !== undefined && { reasoning: texts.keep(reasoning) }),
        ...(calls !== undefined && {
          calls: calls.map((call) => ({ ...call, arguments: texts.keep(call.arguments) })),
        }),
      })
      yield* texts.take()
    }
    const summaryNodes: unknown[] = []
    for (const node of view.summaryNodes) {
      summaryNodes.push({ ...node, text: texts.keep(node.text) })
      yield* texts.take()
    }
    views.push({ ...view, messages, summaryNodes })
  }
  texts.close()
  yield* texts.take()
  yield dataElement('id="palimpsest-data"', encode(JSON.stringify({ ...file, parts: texts.count, views })))
  yield template.slice(end)
}

/** Texts of fewer UTF-16 units stay with their message; also the minimum size of a part. */
const LONG_TEXT = 120
const PART_SIZE = 400_000

/** Repeated texts, such as those of another engine's view, are stored once. */
function createTextParts() {
  const known = new Map<string, readonly [part: number, place: number]>()
  let [count, size] = [0, 0]
  /** JSON as bytes, because joining texts would copy them again. */
  let open: Buffer[] = []
  let finished: string[] = []
  const close = (): void => {
    if (open.length === 0) return
    finished.push(dataElement('class="palimpsest-part"', encode(Buffer.concat([...open, Buffer.from(']')]))))
    count++
    open = []
    size = 0
  }
  return {
    get count() {
      return count
    },
    keep(text: string): string | readonly [part: number, place: number] {
      if (text.length < LONG_TEXT) return text
      const place = known.get(text) ?? ([count, open.length] as const)
      if (known.has(text)) return place
      known.set(text, place)
      open.push(Buffer.from(`${open.length === 0 ? '[' : ','}${JSON.stringify(text)}`))
      size += text.length
      if (size >= PART_SIZE) close()
      return place
    },
    close,
    take(): readonly string[] {
      const taken = finished
      finished = []
      return taken
    },
  }
}

const encode = (json: string | Buffer): string => gzipSync(json).toString('base64')

const dataElement = (name: string, data: string): string =>
  `<script ${name} type="application/octet-stream">${data}</script>`
