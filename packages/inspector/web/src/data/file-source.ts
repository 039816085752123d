import { gunzipSync } from 'fflate'
import type { PageFile, SessionView, ViewSummary } from '../../../src/view/session-view.ts'
import { constantStore, type Loaded, type PageSource, type Store } from './page-source.ts'
import { promptTokens } from './session-figures.ts'

export function fileSource({ views, isRedacted }: EmbeddedFile): PageSource {
  const unknown = constantStore<Loaded<SessionView>>({
    status: 'failed',
    message: 'This file does not hold that session.',
  })
  const byId = new Map(
    views.map((view): [string, Store<Loaded<SessionView>>] => [
      view.id,
      constantStore({ status: 'ready', value: view, connection: 'file' }),
    ]),
  )
  const summaries = views.map(summarizeView)
  return {
    isLive: false,
    mayShowSecrets: !isRedacted,
    engines: summaries.every(({ title }) => title === summaries[0]?.title) ? summaries : [],
    sessions: constantStore({ status: 'ready', value: summaries, connection: 'file' }),
    open: (id) => byId.get(id) ?? unknown,
  }
}

function summarizeView(view: SessionView): ViewSummary {
  const { requests, messages, compactions } = view
  const last = requests.at(-1)
  const counts = { requests: requests.length, messages: messages.length, compactions: compactions.length }
  return { ...view, ...counts, tokens: last ? promptTokens(last) : 0 }
}

export interface EmbeddedFile {
  readonly views: readonly SessionView[]
  readonly isRedacted: boolean
}

export class PageDataError extends Error {
  override readonly name = 'PageDataError'
}

/**
 * `encoded`: a `PageFile` as gzipped JSON in base64. `parts`: its long texts, read on demand. @throws PageDataError if
 * it is invalid.
 */
export async function readEmbedded(encoded: string, parts: readonly EncodedPart[]): Promise<EmbeddedFile> {
  const { views, isRedacted = false, parts: count } = unpack(encoded) as PageFile & { readonly parts: number }
  if (parts.length !== count) throw new PageDataError(DAMAGED)
  const textAt = createTextReader(parts)
  for (const { messages, summaryNodes } of views)
    for (const said of [...messages, ...summaryNodes]) {
      readLater(said, 'text', textAt)
      readLater(said, 'reasoning', textAt)
      for (const call of 'calls' in said ? (said.calls ?? []) : []) readLater(call, 'arguments', textAt)
    }
  return { views, isRedacted }
}

export interface EncodedPart {
  readonly textContent: string | null
}

const DAMAGED = 'The data in this page is damaged: the file was cut off or changed.'

const KEPT_PARTS = 24

type TextReader = (part: number, place: number) => string

/** Unpacks synchronously, because views read texts while they draw. */
function createTextReader(parts: readonly EncodedPart[]): TextReader {
  const unpacked = new Map<number, unknown>()
  return (part, place) => {
    const texts = unpacked.get(part) ?? unpack(parts[part]?.textContent ?? '')
    unpacked.delete(part)
    unpacked.set(part, texts)
    for (const oldest of [...unpacked.keys()].slice(0, -KEPT_PARTS)) unpacked.delete(oldest)
    const text: unknown = Array.isArray(texts) ? texts[place] : undefined
    if (typeof text !== 'string') throw new PageDataError(DAMAGED)
    return text
  }
}

function readLater(holder: object, name: string, textAt: TextReader): void {
  const address: unknown = Reflect.get(holder, name)
  if (!Array.isArray(address)) return
  const [part, place] = address
  Object.defineProperty(holder, name, { enumerable: true, get: () => textAt(part, place) })
}

function unpack(encoded: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(gunzipSync(bytesOf(encoded))))
  } catch {
    throw new PageDataError(DAMAGED)
  }
}

function bytesOf(encoded: string): Uint8Array<ArrayBuffer> {
  const characters = atob(encoded.trim())
  const bytes = new Uint8Array(characters.length)
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = characters.charCodeAt(at)
  return bytes
}
