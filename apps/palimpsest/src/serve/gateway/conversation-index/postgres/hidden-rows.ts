import type { Message } from '@palimpsest/core'
import type { ConversationChange, HiddenAnswers, KnownConversation } from '@palimpsest/gateway'
import { insertRows, type Sql } from '@palimpsest/postgres/database'

/** All hidden answers of a conversation. */
export async function readHidden(
  sql: Sql,
  principal: string,
  { owner, name }: KnownConversation,
): Promise<HiddenAnswers> {
  const rows = await sql.all<{ hash: string; messages: string }>(
    `SELECT hash, messages FROM gateway_hidden WHERE conversation = (
       SELECT no FROM gateway_conversation WHERE principal = $1 AND owner = $2 AND name = $3
     )`,
    ...[principal, owner, name],
  )
  return new Map(rows.map(({ hash, messages }) => [hash, JSON.parse(messages) as Message[]]))
}

/** Writes what changed of them. `conversation`: the number of its row, which is locked. */
export async function writeHidden(
  sql: Sql,
  { principal, conversation }: { readonly principal: string; readonly conversation: number },
  { hidden, dropped }: Pick<ConversationChange, 'hidden' | 'dropped'>,
): Promise<void> {
  if (dropped.length > 0)
    await sql.run(
      'DELETE FROM gateway_hidden WHERE conversation = $1 AND hash = ANY ($2)',
      conversation,
      dropped,
    )
  const rows = [...hidden].map(([hash, messages]) => [
    conversation,
    principal,
    hash,
    JSON.stringify(messages),
  ])
  const columns = ['conversation', 'principal', 'hash', 'messages']
  const behind = 'ON CONFLICT (conversation, hash) DO UPDATE SET messages = excluded.messages'
  await insertRows(sql, 'gateway_hidden', columns, rows, behind)
}
