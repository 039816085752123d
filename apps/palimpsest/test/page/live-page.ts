import { createTokenCounter } from '@palimpsest/tokens'
import { Hono } from 'hono'
import { onTestFinished } from 'vitest'
import { loadConfiguration } from '../../src/engines/configuration.ts'
import { createPageRoutes } from '../../src/page/page-routes.ts'
import { startPageServer } from '../../src/page/start-page.ts'
import { createViewHub, type ViewHub } from '../../src/page/view-hub.ts'
import { listen } from '../../src/serve/http/listen.ts'
import { createServiceEngine } from '../../src/serve/service-engine.ts'
import type { SessionView } from '../../src/view/session-view.ts'
import { temporaryFolder } from '../serve/temporary-folder.ts'

const tokens = createTokenCounter()
const clock = { now: Date.now }

/** A page server in this process, with nothing on its page yet. It is closed when the test is over. */
export async function startLivePage() {
  const hub = createViewHub()
  const server = await startPageServer({ hub })
  onTestFinished(() => server.close())
  return { hub, ...server }
}

/** Another run of the program at the address of one that was closed. */
export async function startAgain(url: string): Promise<ViewHub> {
  const hub = createViewHub()
  const page = createPageRoutes(hub)
  const { server } = await listen(new Hono().route('/', page.routes), Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => {
    page.close()
    server.close()
    server.closeAllConnections()
  })
  return hub
}

export interface Talk {
  /** A turn: `text` is asked, and answered. */
  say(text: string): Promise<void>
  end(): Promise<void>
}

/** A session on a hub, with an engine that compacts soon, and nobody behind it but the test. */
export async function startTalk(hub: ViewHub, id: string, model: string | null = null): Promise<Talk> {
  const engine = await createServiceEngine({
    configuration: await loadConfiguration(undefined, await temporaryFolder()),
    flags: { engine: 'decisions' },
    window: 8_000,
    tokens,
    clock,
  })
  onTestFinished(() => engine.close())
  const { session } = hub.watch({
    ...{ session: await engine.open(id, {}), source: 'chat', profile: null, model, tokens, clock },
    ...{ summaries: 'extractive', inspector: engine.inspect(id) },
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
