import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CompletionModel } from '@palimpsest/core'
import { createInspector, type SessionView } from '@palimpsest/inspector'
import { createTokenCounter } from '@palimpsest/tokens'
import { readTranscript } from '@palimpsest/transcripts'
import { loadConfiguration } from '../../src/engines/configuration.ts'
import { createServiceEngine } from '../../src/serve/service-engine.ts'
import { openStore } from '../../src/stores/open-store.ts'

const bundled = fileURLToPath(new URL('../../sessions/ledger.jsonl', import.meta.url))

/** Its records take room, so that summaries are condensed although the replay is short. */
const compaction: CompletionModel = {
  name: 'scripted',
  complete: async () => ({
    text: `## Progress\n${'- A step was done.\n'.repeat(100)}`,
    finishReason: 'stop',
  }),
}

/** What the page shows of the bundled session, replayed on an engine in memory. The view's id is the engine's name. */
export async function replayedView(engine: string): Promise<SessionView> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-replayed-'))
  const transcript = await readTranscript(bundled)
  const entries = transcript.entries.slice(0, 420)
  const tokens = createTokenCounter()
  let now = 0
  const clock = { now: () => now }
  const store = await openStore(undefined)
  const service = await createServiceEngine({
    store,
    configuration: await loadConfiguration(undefined, folder),
    flags: { engine },
    window: 32_000,
    tokens,
    clock,
  })
  try {
    const inspector = createInspector({ tokens, clock })
    const session = inspector.watch(await service.open(engine, { compaction }), {
      source: 'replay',
      title: `ledger.jsonl on ${engine}`,
      model: transcript.model ?? null,
      summaries: 'a model',
      reader: service.reader(engine),
    })
    const messages = entries.map(({ message }) => message)
    for (const [index, { message, timestamp }] of entries.entries()) {
      now = Math.max(now, timestamp ?? 0)
      if (message.role !== 'assistant' || index === 0) continue
      await session.prepare(messages.slice(0, index))
      await session.observe({ message })
    }
    const view = await inspector.view(engine)
    if (view === undefined) throw new Error('nothing was recorded')
    await session.end()
    return view
  } finally {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
}
