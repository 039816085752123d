import { request } from 'node:http'
import { expect, test } from 'vitest'
import { findSessionFiles } from '../../src/sessions/find-session-files.ts'
import { describeSession } from '../../src/sessions/listed-session.ts'
import { showSessions } from '../../src/sessions/show-sessions.ts'
import { claudeLines, codexLines, fakeHome } from './fake-home.ts'

const SECRET = `sk-ant-api03-${'a1B2'.repeat(12)}`

async function showHome() {
  const { files } = await findSessionFiles(process.env)
  return showSessions(await Promise.all(files.map(describeSession)))
}

/** The status and the JSON of an answer, asked for under a name of the host. */
function get(url: string, host: string): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers: { host } }, async (response) => {
      let text = ''
      for await (const piece of response.setEncoding('utf8')) text += piece
      resolve({ status: response.statusCode, text })
    })
    asked.on('error', reject).end()
  })
}

test('the page lists the sessions found, and opens one without its secrets', async () => {
  using home = fakeHome()
  const boundary = {
    type: 'system',
    subtype: 'compact_boundary',
    uuid: 'b',
    compactMetadata: { preTokens: 9 },
  }
  const quoted = { type: 'progress', text: JSON.stringify(boundary) }
  home.write('.claude/projects/x/1.jsonl', [...claudeLines(`The key is ${SECRET}`), boundary, quoted])
  home.write('.codex/sessions/rollout-1.jsonl', codexLines('Use MySQL'))
  home.write('.claude/projects/x/2.jsonl', 'no session')
  const page = await showHome()
  try {
    const host = new URL(page.url).host
    const { text } = await get(`${page.url}/api/sessions`, host)
    expect(text).not.toContain(SECRET)
    const { sessions } = JSON.parse(text)
    expect(sessions).toMatchObject([
      { id: '1', compactions: 1, recording: { agent: 'claude-code', folder: '/work/shop' } },
      { id: '2', title: 'Use MySQL', compactions: 0, recording: { agent: 'codex' } },
      { id: '3', title: expect.stringContaining('not JSON'), recording: { bytes: 10 } },
    ])
    expect(sessions[0].recording.bytes).toBeGreaterThan(500)

    const opened = await get(`${page.url}/api/sessions/1`, host)
    const { view } = JSON.parse(opened.text)
    expect(view).toMatchObject({ id: '1', source: 'replay', engine: 'compressor' })
    expect(view.title).toBe(sessions[0].title)
    expect(opened.text).toContain('The key is [REDACTED')
    expect(opened.text).not.toContain(SECRET)
    expect(view.requests).toHaveLength(1)

    expect((await get(`${page.url}/api/sessions/3`, host)).status).toBe(500)
    expect((await get(`${page.url}/api/sessions/4`, host)).status).toBe(404)
    expect((await get(`${page.url}/api/sessions/1`, 'evil.example')).status).toBe(403)
    const start = await get(page.url, host)
    expect([start.status, start.text.slice(0, 15).toLowerCase()]).toEqual([200, '<!doctype html>'])
  } finally {
    await page.close()
  }
})
