import type { AppendInput } from '@palimpsest/lcm'
import {
  checkCut,
  checkFrontier,
  checkNextSeq,
  checkVersion,
  replaceFrom,
  unpackName,
} from '@palimpsest/lcm/store-kit'
import type { Sql } from '../database/sql.ts'
import { frontierContext } from './frontier-context.ts'
import type { Lineage } from './lineage.ts'
import { insertMessages } from './message-rows.ts'
import { checkNextNumber } from './row-numbers.ts'
import { insertVersion, replacedOf, type SessionRow } from './session-row.ts'

/**
 * Writes messages behind the last one, and marks those that they take the place of. `session` is locked. Returns its
 * row as it will be.
 */
export async function appendMessages(
  sql: Sql,
  session: SessionRow,
  lineage: Lineage,
  { nextSeq: known, version, messages, at, replace }: AppendInput,
): Promise<SessionRow> {
  const { no, next_seq: next } = session
  checkNextSeq(unpackName(session.key), next, known)
  if (version !== undefined || replace !== undefined) checkVersion(session.version, version)
  checkNextNumber(next + messages.length)
  const edited =
    replace === undefined ? session : await replaceMessages(sql, session, lineage, { ...replace, at })
  if (messages.length === 0) return edited
  const rows = messages.map((message) => ({ ...message, at: message.at ?? at }))
  const characters = await insertMessages(sql.later, session, next, rows)
  const changed = { next_seq: next + messages.length, last_at: rows.at(-1)?.at ?? at }
  sql.later(
    'UPDATE lcm_session SET next_seq = $2, last_at = $3, characters = characters + $4 WHERE no = $1',
    ...[no, changed.next_seq, changed.last_at, characters],
  )
  return { ...edited, ...changed }
}

async function replaceMessages(
  sql: Sql,
  session: SessionRow,
  lineage: Lineage,
  { from, summaries, at }: NonNullable<AppendInput['replace']> & { readonly at: number },
): Promise<SessionRow> {
  const { no, next_seq: nextSeq, version } = session
  checkCut(unpackName(session.key), nextSeq, from, 'replace from')
  const replaced = replaceFrom(replacedOf(session), from, nextSeq - 1)
  checkFrontier(summaries, await frontierContext(sql, lineage, { nextSeq, replaced }, summaries))
  const changed = { version: version + 1, replaced: JSON.stringify(replaced) }
  await sql.run('UPDATE lcm_session SET replaced = $2 WHERE no = $1', no, changed.replaced)
  // The version is of the moment before the new messages: they are what the edit put in the place of the old ones.
  await insertVersion(sql, session, { version: changed.version, reason: 'edit', nextSeq, at, summaries })
  return { ...session, ...changed }
}
