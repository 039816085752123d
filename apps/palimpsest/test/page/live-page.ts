import { createInspector, type Inspector, type SessionView } from '@palimpsest/inspector'
import { createTokenCounter } from '@palimpsest/tokens'
import { onTestFinished } from 'vitest'
import { loadConfiguration } from '../../src/engines/configuration.ts'
import { startPageServer } from '../../src/serve/http/start-page.ts'
import { createServiceEngine } from '../../src/serve/service-engine.ts'
import { openStore } from '../../src/stores/open-store.ts'
import { temporaryFolder } from '../serve/temporary-folder.ts'

const tokens = createTokenCounter()
const clock = { now: Date.now }

/** A page server in this process, with nothing on its page yet. It is closed when the test is over. */
export async function startLivePage() {
  const inspector = createInspector({ tokens, clock })
  const server = await startPageServer(inspector)
  onTestFinished(() => server.close())
  return { inspector, ...server }
}

export interface Talk {
  /** A turn: `text` is asked, and answered. */
  say(text: string): Promise<void>
  end(): Promise<void>
}

/** A session on a page, with an engine that compacts soon, and nobody behind it but the test. */
export async function startTalk(
  inspector: Inspector,
  id: string,
  model: string | null = null,
): Promise<Talk> {
  const store = await openStore(undefined)
  const engine = await createServiceEngine({
    store,
    configuration: await loadConfiguration(undefined, await temporaryFolder()),
    flags: { engine: 'decisions' },
    window: 8_000,
    tokens,
    clock,
  })
  onTestFinished(() => store.close())
  const session = inspector.watch(await engine.open(id, {}), {
    source: 'chat',
    model,
    summaries: 'extractive',
    reader: engine.reader(id),
  })
  const history: { role: 'user' | 'assistant'; content: string }[] = []
  return {
    async say(text) {
      history.push({ role: 'user', content: text })
      await session.prepare([...history])
      const message = { role: 'assistant' as const, content: `heard: ${text.slice(0, 200)}` }
      await session.observe({ message })
      history.push(message)
    },
    end: async () => {
      await session.end()
    },
  }
}

/** What the server has of a session now. */
export async function viewAt(url: string, id: string): Promise<SessionView> {
  const response = await fetch(`${url}/api/sessions/${encodeURIComponent(id)}`)
  const { view } = (await response.json()) as { view: SessionView }
  return view
}
