import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createSqliteStore } from '@palimpsest/store'
import { describe, expect, it } from 'vitest'
import { useFolders } from '../store-folder.ts'
import { openSession } from './harness.ts'

const CHILD = fileURLToPath(new URL('./killed-child.ts', import.meta.url))
const KILLS = 16
/** Sessions that are killed at the same time. */
const SESSIONS = 4

const start = (...args: readonly string[]) =>
  spawn(process.execPath, ['--conditions=@palimpsest/source', '--no-warnings', CHILD, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** Runs the child until it has taken so many messages more, kills it, and returns what it acknowledged. */
async function killed(
  child: ReturnType<typeof start>,
  lines: number,
  delay: number,
): Promise<readonly string[]> {
  let output = ''
  let errors = ''
  let isDone = false
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  child.stdout.on('data', (chunk) => {
    output += chunk
    if (isDone || output.split('\n').length <= lines) return
    isDone = true
    setTimeout(() => child.kill('SIGKILL'), delay)
  })
  const [, signal] = await once(child, 'close')
  if (signal !== 'SIGKILL') throw new Error(`the child ended by itself: ${errors}`)
  return output.split('\n').slice(0, -1)
}

describe('a process that is killed while it stores and compacts', () => {
  const { path } = useFolders()

  it(`loses nothing that it acknowledged, ${KILLS} times, and the next one goes on`, async () => {
    const count = { kills: 0, messages: 0, summaries: 0, acknowledged: 0 }
    const run = async (session: number) => {
      const file = path()
      const acknowledged = new Map<number, string>()
      for (let kill = 0; kill < KILLS / SESSIONS; kill++) {
        const tells = (kill + session) % 2 === 0 ? 'all' : 'what is new'
        // Killed at other points each time: by what was written, and by milliseconds behind it.
        const lines = await killed(start(file, tells), 1 + (kill % 4), ((kill * 7 + session * 3) % 23) / 2)
        count.kills++
        for (const line of lines) {
          const space = line.indexOf(' ')
          acknowledged.set(Number(line.slice(0, space)), line.slice(space + 1))
        }
        const store = createSqliteStore({ path: file })
        const stored = await openSession(store)
        expect(await store.verify()).toEqual([])
        const all = await stored.messages({ includeReplaced: true })
        const texts = new Map(all.map(({ seq, message }) => [seq, JSON.stringify(message)]))
        for (const [seq, text] of acknowledged) expect(texts.get(seq)).toBe(text)
        if (kill === KILLS / SESSIONS - 1) {
          count.messages += all.length
          count.acknowledged += acknowledged.size
          count.summaries += (await stored.head()).nextSummary - 1
        }
        await store.close()
      }
    }
    await Promise.all(Array.from({ length: SESSIONS }, (_, session) => run(session)))
    console.log(`killed: ${JSON.stringify(count)}`)
    expect(count.kills).toBe(KILLS)
    expect(count.summaries).toBeGreaterThan(KILLS)
  })
})
