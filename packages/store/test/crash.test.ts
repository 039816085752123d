import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSqliteStore } from '@palimpsest/store'
import { afterEach, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-store-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A writer that is killed some time after its first message. Resolves to what was acknowledged. */
async function killedWriter(path: string, name: string, milliseconds: number): Promise<string[]> {
  const writer = join(import.meta.dirname, 'fixtures', 'writer.ts')
  const child = spawn(process.execPath, ['--conditions=@palimpsest/source', writer, path, name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (output === '') setTimeout(() => child.kill('SIGKILL'), milliseconds)
    output += text
  })
  await once(child, 'close')
  return output
    .slice(0, output.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1)
}

it('loses nothing that was acknowledged when its writers are killed, and is whole afterwards', async () => {
  const path = join(folder, 'store.db')
  const acknowledged: string[] = []
  for (let round = 0; round < 5; round++)
    for (const said of await Promise.all(
      [0, 1].map((worker) => killedWriter(path, `${round}.${worker}`, 20 + 13 * round + 7 * worker)),
    ))
      acknowledged.push(...said)
  const store = createSqliteStore({ path, create: false })
  const session = await store.session({ key: 'talk' }, 1)
  const texts = (await session.messages()).map(({ message }) => String(message?.content).split(' ', 1)[0])
  console.log(`10 writers killed, ${acknowledged.length} messages acknowledged, ${texts.length} in the store`)
  expect(acknowledged.length).toBeGreaterThan(10)
  expect(acknowledged.filter((text) => !texts.includes(text))).toEqual([])
  expect(new Set(texts).size).toBe(texts.length)
  expect((await session.jobs()).map(({ id }) => id)).toEqual(texts)
  expect(await store.verify()).toEqual([])
  await store.close()
})
