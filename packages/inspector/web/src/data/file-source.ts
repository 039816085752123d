import type { SessionView, ViewSummary } from '../../../src/view/session-view.ts'
import { checkFormat, checkView, PageDataError } from './check-view.ts'
import type { Loaded, PageSource } from './page-source.ts'
import { promptTokens } from './session-figures.ts'
import { constantStore, type Store } from './store.ts'

export function fileSource(views: readonly SessionView[]): PageSource {
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
    engines: summaries.every(({ title }) => title === summaries[0]?.title) ? summaries : [],
    sessions: constantStore({ status: 'ready', value: summaries, connection: 'file' }),
    open: (id) => byId.get(id) ?? unknown,
  }
}

function summarizeView(view: SessionView): ViewSummary {
  const last = view.requests.at(-1)
  return {
    id: view.id,
    title: view.title,
    source: view.source,
    engine: view.engine,
    model: view.model,
    isLive: view.isLive,
    startedAt: view.startedAt,
    requests: view.requests.length,
    messages: view.messages.length,
    compactions: view.compactions.length,
    tokens: last ? promptTokens(last) : 0,
    window: view.window,
  }
}

/** `encoded`: base64 of the gzipped JSON of a `PageFile`. @throws PageDataError when it is none. */
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
