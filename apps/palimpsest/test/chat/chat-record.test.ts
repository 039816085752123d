import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { checkSequence } from '@palimpsest/core'
import { expect, onTestFinished, test } from 'vitest'
import { type ChatRecord, createChatRecord, listChats, openChatRecord } from '../../src/chat/chat-record.ts'
import { temporaryFolder } from '../serve/temporary-folder.ts'

const clock = { now: () => 1_000 }
const WRITER = fileURLToPath(new URL('write-until-killed.ts', import.meta.url))

function create(home: string, id = 'one'): ChatRecord {
  return createChatRecord(home, { id, workspace: '/w' }, clock)
}

test('what was said and taken back comes back as it was, from files that only the owner reads', async () => {
  const home = await temporaryFolder()
  const record = create(home)
  for (const content of ['a', 'b', 'c']) await record.append({ role: 'user', content })
  await record.keep(1)
  await record.append({ role: 'user', content: 'd', odd: { kept: [1] } } as never)
  await record.noteEngine('decisions')
  await record.close()
  expect((await stat(record.path)).mode & 0o777).toBe(0o600)
  expect((await stat(dirname(record.path))).mode & 0o777).toBe(0o700)
  const again = await openChatRecord(home, 'one', clock)
  expect(again.messages).toEqual([
    { role: 'user', content: 'a' },
    { role: 'user', content: 'd', odd: { kept: [1] } },
  ])
  expect(again.engine).toBe('decisions')
  await again.keep(0)
  await again.append({ role: 'user', content: 'e' })
  await again.close()
  expect(await listChats(home)).toEqual([
    { id: 'one', workspace: '/w', firstWords: 'e', at: expect.any(Number), messages: 1 },
  ])
})

test('a line that was torn at any byte is left out, and the next one is whole', async () => {
  const home = await temporaryFolder()
  const record = create(home)
  await record.append({ role: 'user', content: 'first' })
  await record.append({ role: 'user', content: 'sécond' })
  await record.close()
  const whole = await readFile(record.path)
  const start = whole.subarray(0, -1).lastIndexOf('\n') + 1
  for (const length of [start + 1, whole.length - 20, whole.indexOf(0xc3) + 1, whole.length - 1]) {
    await writeFile(record.path, whole)
    await truncate(record.path, length)
    const torn = await openChatRecord(home, 'one', clock)
    expect(torn.warnings).toHaveLength(1)
    expect(torn.messages).toEqual([{ role: 'user', content: 'first' }])
    await torn.append({ role: 'user', content: 'third' })
    await torn.close()
    const mended = await openChatRecord(home, 'one', clock)
    expect(mended.messages.map(({ content }) => content)).toEqual(['first', 'third'])
    expect(mended.warnings).toEqual([])
    await mended.close()
  }
})

test('a record that is damaged in its middle, and a file that is none, are named and left alone', async () => {
  const home = await temporaryFolder()
  const record = create(home)
  await record.append({ role: 'user', content: 'first' })
  await record.close()
  await appendFile(record.path, 'what is this?\n')
  const good = await readFile(record.path, 'utf8')
  await appendFile(record.path, '{"type":"undo","at":1,"keep":0}\n')
  await expect(openChatRecord(home, 'one', clock)).rejects.toThrow(/is damaged in line 3/)
  await writeFile(record.path, good.replace('"format":1', '"format":2'))
  await expect(openChatRecord(home, 'one', clock)).rejects.toThrow(/is not the record of a chat/)
  await writeFile(join(home, 'chats', 'empty.jsonl'), '')
  await expect(openChatRecord(home, 'empty', clock)).rejects.toThrow(/is not the record of a chat/)
  expect(await listChats(home)).toEqual([])
})

test('a chat belongs to the process that writes it; killed, it loses nothing that it acknowledged and holds no lock', async () => {
  const home = await temporaryFolder()
  const child = spawn(process.execPath, ['--conditions=@palimpsest/source', WRITER, home, 'killed'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const closed = once(child, 'close')
  await once(child.stdout, 'data')
  await expect(openChatRecord(home, 'killed', clock)).rejects.toThrow(/is open in another process/)
  let acknowledged = 0
  child.stdout.on('data', (chunk: Buffer) => {
    acknowledged += chunk.length
    if (acknowledged >= 10) child.kill('SIGKILL')
  })
  await closed
  const record = await openChatRecord(home, 'killed', clock)
  expect(record.messages.length).toBeGreaterThan(acknowledged)
  expect(checkSequence(record.messages)).toEqual([])
  await record.append({ role: 'user', content: 'on we go' })
  await record.close()
})

test.skipIf(process.platform === 'win32')(
  'a line of which only a part fits is refused, and what was acknowledged is whole',
  async () => {
    const home = await temporaryFolder()
    const limited = 'ulimit -f 700; exec "$0" "$@"'
    const args = ['-c', limited, process.execPath, '--conditions=@palimpsest/source', WRITER, home, 'limited']
    const child = spawn('sh', args, { stdio: ['ignore', 'pipe', 'pipe'] })
    const [said, why] = await Promise.all([text(child.stdout), text(child.stderr)])
    expect(why).toContain('cannot be written: it would be larger than files may be here')
    const record = await openChatRecord(home, 'limited', clock)
    expect(record.warnings).toEqual([])
    expect(record.messages.length).toBeGreaterThanOrEqual(said.length)
    await record.close()
  },
)
