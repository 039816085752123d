import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createLog, type Level } from '../src/log.ts'
import { clock } from './helpers.ts'

function linesAt(level: Level): string[] {
  const lines: string[] = []
  const log = createLog({ clock, level, write: (line) => lines.push(line) })
  log('debug', 'headers', { count: 3 })
  log('info', 'http', { method: 'GET', status: 200 })
  log('error', 'crash')
  return lines
}

it('writes time, level, event and fields', () => {
  assert.deepEqual(linesAt('info'), [
    '2026-04-02T10:00:00.000Z info  http method=GET status=200',
    '2026-04-02T10:00:00.000Z error crash',
  ])
})

it('leaves out what is below its level', () => {
  assert.equal(linesAt('debug').length, 3)
  assert.equal(linesAt('error').length, 1)
})
