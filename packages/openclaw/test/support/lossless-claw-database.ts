import { DatabaseSync } from 'node:sqlite'

/** The tables of lossless-claw 0.15 that the importer reads, with the columns that matter. */
const TABLES = `
  CREATE TABLE conversations (conversation_id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
    session_key TEXT, active INTEGER NOT NULL DEFAULT 1, title TEXT, created_at TEXT NOT NULL);
  CREATE TABLE messages (message_id INTEGER PRIMARY KEY AUTOINCREMENT, conversation_id INTEGER NOT NULL,
    seq INTEGER NOT NULL, role TEXT NOT NULL CHECK (role IN ('system', 'user', 'assistant', 'tool')),
    content TEXT NOT NULL, token_count INTEGER NOT NULL, created_at TEXT NOT NULL, UNIQUE (conversation_id, seq));
  CREATE TABLE message_parts (part_id TEXT PRIMARY KEY, message_id INTEGER NOT NULL, session_id TEXT NOT NULL,
    part_type TEXT NOT NULL, ordinal INTEGER NOT NULL, text_content TEXT, tool_call_id TEXT, tool_name TEXT,
    tool_input TEXT, tool_output TEXT, metadata TEXT, UNIQUE (message_id, ordinal));
  CREATE TABLE summaries (summary_id TEXT PRIMARY KEY, conversation_id INTEGER NOT NULL, kind TEXT NOT NULL,
    depth INTEGER NOT NULL DEFAULT 0, content TEXT NOT NULL, token_count INTEGER NOT NULL, created_at TEXT NOT NULL);
  CREATE TABLE summary_messages (summary_id TEXT NOT NULL, message_id INTEGER NOT NULL, ordinal INTEGER NOT NULL,
    PRIMARY KEY (summary_id, message_id));
  CREATE TABLE summary_parents (summary_id TEXT NOT NULL, parent_summary_id TEXT NOT NULL, ordinal INTEGER NOT NULL,
    PRIMARY KEY (summary_id, parent_summary_id));
  CREATE TABLE context_items (conversation_id INTEGER NOT NULL, ordinal INTEGER NOT NULL, item_type TEXT NOT NULL,
    message_id INTEGER, summary_id TEXT, created_at TEXT NOT NULL, PRIMARY KEY (conversation_id, ordinal));
`

const TIME = '2026-08-21 10:00:00'
const DB_ROLES: Record<string, string> = { toolResult: 'tool' }

type Block = Readonly<Record<string, unknown>>

/** A message of OpenClaw's, as far as lossless-claw keeps it. */
export interface ClawMessage {
  readonly role: string
  readonly content: string | readonly Block[]
  readonly toolCallId?: string
  readonly toolName?: string
  readonly isError?: boolean
}

/** A database as lossless-claw writes it, filled by hand: the program itself is not to be had from the registry. */
export function losslessClawDatabase(path: string) {
  const database = new DatabaseSync(path)
  database.exec(TABLES)
  const insert = (table: string, row: Record<string, string | number | null>): number => {
    const names = Object.keys(row)
    const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
    return Number(database.prepare(sql).run(...Object.values(row)).lastInsertRowid)
  }
  return {
    close: () => database.close(),

    conversation(session_id: string, session_key: string | null, messages: readonly ClawMessage[]) {
      const conversation_id = insert('conversations', { session_id, session_key, created_at: TIME })
      const messageIds = messages.map((message, seq) => {
        const { role, content } = message
        const text = typeof content === 'string' ? content : ''
        const message_id = insert('messages', {
          ...{
            conversation_id,
            seq,
            role: DB_ROLES[role] ?? role,
            content: text,
            token_count: 10,
            created_at: TIME,
          },
        })
        for (const [ordinal, part] of partsOf(message).entries())
          insert('message_parts', {
            part_id: `${message_id}.${ordinal}`,
            message_id,
            session_id,
            ordinal,
            ...part,
          })
        return message_id
      })
      return { conversation_id, messageIds }
    },

    summary(
      summary_id: string,
      conversation_id: number,
      of: { readonly messages?: readonly number[]; readonly summaries?: readonly string[] },
    ) {
      const kind = of.messages === undefined ? 'condensed' : 'leaf'
      const row = { summary_id, conversation_id, kind, content: `What ${summary_id} says.`, token_count: 4 }
      insert('summaries', { ...row, created_at: TIME })
      for (const [ordinal, message_id] of (of.messages ?? []).entries())
        insert('summary_messages', { summary_id, message_id, ordinal })
      for (const [ordinal, parent_summary_id] of (of.summaries ?? []).entries())
        insert('summary_parents', { summary_id, parent_summary_id, ordinal })
    },

    /** The active context: summaries, then messages. */
    context(conversation_id: number, items: readonly (string | number)[]) {
      for (const [ordinal, item] of items.entries()) {
        const isSummary = typeof item === 'string'
        const item_type = isSummary ? 'summary' : 'message'
        const ids = { message_id: isSummary ? null : item, summary_id: isSummary ? item : null }
        insert('context_items', { conversation_id, ordinal, item_type, ...ids, created_at: TIME })
      }
    },
  }
}

/** A text is one part without its block; a list is a part for each block, with the block in its metadata. */
function partsOf({ role, content, toolCallId, toolName, isError }: ClawMessage) {
  const known = { originalRole: role, toolCallId, toolName, isError }
  if (typeof content === 'string')
    return [{ part_type: 'text', text_content: content, metadata: JSON.stringify(known) }]
  return content.map((raw) => ({
    part_type: { text: 'text', thinking: 'reasoning', toolCall: 'tool' }[String(raw.type)] ?? 'agent',
    text_content: typeof raw.text === 'string' ? raw.text : null,
    tool_call_id: toolCallId ?? (raw.type === 'toolCall' ? String(raw.id) : null),
    metadata: JSON.stringify({ ...known, rawType: raw.type, raw }),
  }))
}
