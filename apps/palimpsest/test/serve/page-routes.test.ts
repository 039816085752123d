import compressor from '@palimpsest/compressor'
import { createContextSession } from '@palimpsest/core'
import { createInspector, type Inspector } from '@palimpsest/inspector'
import { createTokenCounter } from '@palimpsest/tokens'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startPageServer } from '../../src/serve/http/start-page.ts'

const tokens = createTokenCounter()
const newInspector = () => createInspector({ tokens, clock: { now: () => 0 } })

async function startPage() {
  const inspector = newInspector()
  const server = await startPageServer(inspector)
  onTestFinished(server.close)
  return { inspector, ...server }
}

function watch(inspector: Inspector, sessionId: string) {
  const session = createContextSession({ engine: compressor, contextLength: 8_000, tokens, sessionId })
  inspector.watch(session, { source: 'chat', summaries: 'offline' })
}

describe('the page of a running program', () => {
  it('is one file that may talk to nobody but its own service', async () => {
    const { url } = await startPage()
    const response = await fetch(url)
    expect(response.status).toBe(200)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("connect-src 'self'")
    // No page has to be kept from other ports of this machine, and no other site may read this one.
    for (const name of ['strict-transport-security', 'access-control-allow-origin'])
      expect(response.headers.has(name)).toBe(false)
    const html = await response.text()
    expect(html).toContain('<title>')
    expect(html).not.toMatch(/<(script|link)[^>]+(src|href)="(?!data:)/)
  })

  it('finds sessions by whatever id they have', async () => {
    const { inspector, url } = await startPage()
    for (const id of ['gateway:a:b', 'team/shop#2', 'half%2Fway 100%', 'naïve'])
      for (const path of ['', '/events']) {
        if (path === '') watch(inspector, id)
        const response = await fetch(`${url}/api/sessions/${encodeURIComponent(id)}${path}`)
        expect([id, path, response.status]).toEqual([id, path, 200])
        if (path === '') expect(await response.json()).toMatchObject({ view: { id } })
        else await response.body?.cancel()
      }
  })
})
