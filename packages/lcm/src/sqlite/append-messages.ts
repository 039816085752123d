import { StoreConflictError } from '../errors/store-conflict-error.ts'
import { StoreError } from '../errors/store-error.ts'
import { replaceFrom } from '../history/replaced-ranges.ts'
import type { AppendInput } from '../store/lcm-session.ts'
import { checkFrontier } from './check-frontier.ts'
import { checkFrontierVersion } from './commit-summaries.ts'
import { writeVersion } from './frontier-rows.ts'
import type { Lineage } from './lineage.ts'
import { insertMessage } from './message-rows.ts'
import { baseOf, checkNextNumber } from './row-ids.ts'
import { replacedOf, type SessionRow } from './session-row.ts'
import type { Sql } from './sql.ts'
import { unpackName } from './stored-values.ts'

/** Writes messages behind the last one, and marks those that they take the place of. Within a transaction. */
export function appendMessages(
  sql: Sql,
  session: SessionRow,
  lineage: Lineage,
  { nextSeq: known, messages, at, replace }: AppendInput,
): void {
  const { no, next_seq: next } = session
  if (known !== next)
    throw new StoreConflictError(
      `${unpackName(session.key)} goes on at m${next}, not at m${known}: another writer was faster; read its head again`,
    )
  checkNextNumber(next + messages.length)
  if (replace !== undefined) replaceMessages(sql, session, lineage, { ...replace, at })
  if (messages.length === 0) return
  let characters = 0
  const first = baseOf(no) + next
  for (const [index, message] of messages.entries())
    characters += insertMessage(sql, first + index, { at, ...message })
  sql.run(
    'UPDATE session SET next_seq = ?, last_at = ?, characters = characters + ? WHERE no = ?',
    ...[next + messages.length, messages.at(-1)?.at ?? at, characters, no],
  )
}

function replaceMessages(
  sql: Sql,
  session: SessionRow,
  lineage: Lineage,
  { from, version, summaries, at }: NonNullable<AppendInput['replace']> & { readonly at: number },
): void {
  const { no, next_seq: nextSeq } = session
  checkFrontierVersion(session, version)
  if (!(Number.isInteger(from) && from >= 0 && from <= nextSeq))
    throw new StoreError('NOT_FOUND', `${unpackName(session.key)} has no message m${from} to replace from`)
  const replaced = replaceFrom(replacedOf(session), from, nextSeq - 1)
  const frontier = checkFrontier(sql, summaries, { lineage, nextSeq, replaced })
  sql.run('UPDATE session SET replaced = ? WHERE no = ?', JSON.stringify(replaced), no)
  // The version is of the moment before the new messages: they are what the edit put in the place of the old ones.
  writeVersion(sql, session, { reason: 'edit', nextSeq, at }, frontier)
}
