import type { Sql } from '@palimpsest/sqlite-kit'
import { checkFrontier } from '../history/check-frontier.ts'
import { checkCut, checkNextSeq, checkVersion } from '../history/check-writer.ts'
import { replaceFrom } from '../history/replaced-ranges.ts'
import type { AppendInput } from '../store/lcm-session.ts'
import { unpackName } from '../store-kit/stored-values.ts'
import { frontierContext } from './frontier-context.ts'
import { writeVersion } from './frontier-rows.ts'
import type { Lineage } from './lineage.ts'
import { insertMessage } from './message-rows.ts'
import { baseOf, checkNextNumber } from './row-ids.ts'
import { replacedOf, type SessionRow } from './session-row.ts'

/** Writes messages behind the last one, and marks those that they take the place of. Within a transaction. */
export function appendMessages(
  sql: Sql,
  session: SessionRow,
  lineage: Lineage,
  { nextSeq: known, version, messages, at, replace }: AppendInput,
): void {
  const { no, next_seq: next } = session
  checkNextSeq(unpackName(session.key), next, known)
  if (version !== undefined || replace !== undefined) checkVersion(session.version, version)
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
  { from, summaries, at }: NonNullable<AppendInput['replace']> & { readonly at: number },
): void {
  const { no, next_seq: nextSeq } = session
  checkCut(unpackName(session.key), nextSeq, from, 'replace from')
  const replaced = replaceFrom(replacedOf(session), from, nextSeq - 1)
  const frontier = checkFrontier(summaries, frontierContext(sql, lineage, { nextSeq, replaced }))
  sql.run('UPDATE session SET replaced = ? WHERE no = ?', JSON.stringify(replaced), no)
  // The version is of the moment before the new messages: they are what the edit put in the place of the old ones.
  writeVersion(sql, session, { reason: 'edit', nextSeq, at }, frontier)
}
