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
 * Puts sessions into the page, as base64 of gzipped JSON in elements that nothing runs: no text of a session can close one.
 * Long texts stand in parts of their own, which the page reads when they are looked at.
 */
export function embedViews(template: string, file: PageFile): string {
  const texts = createTextParts()
  const views = file.views.map((view) => ({
    ...view,
    messages: view.messages.map((message) => ({
      ...message,
      text: texts.keep(message.text),
      ...(message.reasoning !== undefined && { reasoning: texts.keep(message.reasoning) }),
      ...(message.calls !== undefined && {
        calls: message.calls.map((call) => ({ ...call, arguments: texts.keep(call.arguments) })),
      }),
    })),
    summaryNodes: view.summaryNodes.map((node) => ({ ...node, text: texts.keep(node.text) })),
  }))
  const parts = texts.parts().map((part) => dataElement('class="palimpsest-part"', part))
  const data = encode({ ...file, parts: parts.length, views })
  const elements = [dataElement('id="palimpsest-data"', data), ...parts]
  // The last one: the page's own script may speak of others.
  const end = template.lastIndexOf('</body>')
  const [before, after] = end === -1 ? [template, ''] : [template.slice(0, end), template.slice(end)]
  return [before, ...elements, after].join('')
}

/** In UTF-16 units: what is shorter stands with its message, and what a part holds at least. */
const LONG_TEXT = 120
const PART_SIZE = 400_000

/** Gathers texts in parts; a text that comes again, as in another engine's view, is kept once. */
function createTextParts() {
  const parts: string[] = []
  const known = new Map<string, readonly [part: number, place: number]>()
  let open: string[] = []
  let size = 0
  const close = (): void => {
    if (open.length > 0) parts.push(encode(open))
    open = []
    size = 0
  }
  return {
    /** The text, or where it is: its part, and its place there. */
    keep(text: string): string | readonly [part: number, place: number] {
      if (text.length < LONG_TEXT) return text
      const place = known.get(text) ?? ([parts.length, open.length] as const)
      if (known.has(text)) return place
      known.set(text, place)
      open.push(text)
      size += text.length
      if (size >= PART_SIZE) close()
      return place
    },
    parts(): readonly string[] {
      close()
      return parts
    },
  }
}

const encode = (value: unknown): string => gzipSync(JSON.stringify(value)).toString('base64')

const dataElement = (name: string, data: string): string =>
  `<script ${name} type="application/octet-stream">${data}</script>`
