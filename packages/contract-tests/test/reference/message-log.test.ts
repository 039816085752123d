import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Message } from '@palimpsest/core'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openMessageLog } from './message-log.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'message-log-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const said = (...texts: string[]) => texts.map((content): Message => ({ role: 'user', content }))

/** The contents of the messages that a log holds when it is opened. */
function stored(sessionId: string): string[] {
  const log = openMessageLog(folder, sessionId)
  log.close()
  return log.texts.map((text) => JSON.parse(text).content)
}

it('goes on behind a line that a crash left half written', () => {
  const log = openMessageLog(folder, 'one')
  log.write(0, said('a', 'b'))
  log.close()
  const [file = ''] = readdirSync(folder)
  appendFileSync(join(folder, file), '2 {"role":"user","cont')
  expect(stored('one')).toEqual(['a', 'b'])
  const again = openMessageLog(folder, 'one')
  again.write(2, said('c'))
  again.close()
  expect(stored('one')).toEqual(['a', 'b', 'c'])
})

it('forgets what an edit of the history replaces or takes back', () => {
  const log = openMessageLog(folder, 'one')
  log.write(0, said('a', 'b', 'c'))
  log.write(1, said('B'))
  expect(stored('one')).toEqual(['a', 'B'])
  log.write(1, [])
  expect(stored('one')).toEqual(['a'])
  expect(() => log.write(3, said('d'))).toThrow('only 1 are known')
  log.close()
  expect(() => log.write(1, said('b'))).toThrow('used after dispose()')
})

it('keeps sessions apart whatever their ids are', () => {
  for (const id of ['one', '../one', '\ud83d', '\ud83e']) {
    const log = openMessageLog(folder, id)
    log.write(0, said(id))
    log.close()
  }
  expect(stored('../one')).toEqual(['../one'])
  expect(stored('\ud83d')).toEqual(['\ud83d'])
  expect(readdirSync(folder)).toHaveLength(4)
})
