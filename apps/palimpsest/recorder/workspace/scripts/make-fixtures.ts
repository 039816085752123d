import { mkdirSync, writeFileSync } from 'node:fs'
import { makeLog } from './make-log.ts'
import { makeStatement } from './make-statement.ts'

/** Writes everything that tests and trials read. Nothing in here is real. */
const root = new URL('..', import.meta.url)

function write(path: string, text: string): void {
  writeFileSync(new URL(path, root), text)
  console.log(`${path}: ${text.split('\n').length - 1} lines`)
}

mkdirSync(new URL('fixtures', root), { recursive: true })
mkdirSync(new URL('logs', root), { recursive: true })
for (const [office, month, seed] of [
  ['lisbon', '2026-03', 11],
  ['lisbon', '2026-04', 12],
  ['tokyo', '2026-03', 21],
  ['tokyo', '2026-04', 22],
] as const) {
  write(`fixtures/${office}-${month}.csv`, makeStatement(office, month, seed))
}
write('logs/service.log', makeLog(31))
