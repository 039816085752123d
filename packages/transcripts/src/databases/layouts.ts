import { type Loose, looseOf } from '@palimpsest/core'
import { arrayOf, nameOf, parseJson, stringOf } from '../json.ts'

export type Database = import('node:sqlite').DatabaseSync
type Row = Readonly<Record<string, unknown>>

export interface Layout {
  readonly tables: readonly string[]
  readonly sessions: (has: (column: string) => boolean) => string
  readonly messages: (branches: 'last' | 'all' | undefined, has: (column: string) => boolean) => string
  readonly record: (row: Row, sql: Database) => Loose
  readonly holds: string
}

const opencode1: Layout = {
  tables: ['session', 'message', 'part'],
  sessions: () => `
    SELECT s.id, s.directory, s.time_updated AS modifiedAt,
      (SELECT coalesce(sum(octet_length(data)), 0) FROM part WHERE session_id = s.id) AS bytes,
      (SELECT count(*) FROM message WHERE session_id = s.id AND json_extract(data, '$.summary') = 1) AS compactions,
      (SELECT json_extract(p.data, '$.text') FROM message m JOIN part p ON p.message_id = m.id
        WHERE m.session_id = s.id AND json_extract(m.data, '$.role') = 'user' AND json_extract(p.data, '$.type') = 'text'
        ORDER BY m.time_created, m.id, p.id LIMIT 1) AS began
    FROM session s WHERE s.parent_id IS NULL AND EXISTS (SELECT 1 FROM message WHERE session_id = s.id)`,
  messages: (branches) => `
    SELECT id, data FROM message WHERE session_id = ?1 ${
      branches === 'all'
        ? ''
        : "AND id < coalesce((SELECT json_extract(revert, '$.messageID') FROM session WHERE id = ?1), '~')"
    } ORDER BY id`,
  record({ id, data }, sql) {
    const parts = sql.prepare('SELECT data FROM part WHERE message_id = ? ORDER BY id').all(String(id))
    return {
      info: { ...looseOf(parseJson(String(data))), id },
      parts: parts.map((part) => parseJson(String(part.data))),
    }
  },
  holds: "SELECT 1 FROM part WHERE session_id = ? AND data LIKE ? ESCAPE '\\' LIMIT 1",
}

/** Since version 2, `session_message` has whole messages. Sessions are in `session_v2` or `session`. */
const opencode2 = (table: string): Layout => ({
  tables: [table, 'session_message'],
  sessions: () => `
    SELECT s.id, s.directory, s.time_updated AS modifiedAt,
      (SELECT coalesce(sum(octet_length(data)), 0) FROM session_message WHERE session_id = s.id) AS bytes,
      (SELECT count(*) FROM session_message WHERE session_id = s.id AND type = 'compaction') AS compactions,
      (SELECT json_extract(data, '$.text') FROM session_message
        WHERE session_id = s.id AND type = 'user' ORDER BY seq LIMIT 1) AS began
    FROM ${table} s WHERE s.parent_id IS NULL AND EXISTS (SELECT 1 FROM session_message WHERE session_id = s.id)`,
  messages: (branches) => `
    SELECT id, type, data, time_created FROM session_message WHERE session_id = ?1 ${
      branches === 'all'
        ? ''
        : `AND seq < coalesce((SELECT seq FROM session_message WHERE id =
          (SELECT json_extract(revert, '$.messageID') FROM ${table} WHERE id = ?1)), 9e18)`
    } ORDER BY seq`,
  record({ id, type, data, time_created: created }) {
    const said = looseOf(parseJson(String(data)))
    const info = { id, time: { created }, ...looseOf(said) }
    const text = (text: unknown) => ({ type: 'text', text })
    switch (type) {
      case 'user':
        return {
          info: { ...info, role: 'user' },
          parts: [text(said.text), ...arrayOf(said.files).map(fileOf)],
        }
      case 'synthetic':
        return { info: { ...info, role: 'user' }, parts: [text(said.text)] }
      case 'system':
        return { info: { ...info, role: 'system' }, parts: [text(said.text)] }
      case 'shell':
        return {
          info: { ...info, role: 'user' },
          parts: [text(`$ ${stringOf(said.command) ?? ''}\n${stringOf(said.output) ?? ''}`)],
        }
      case 'compaction':
        return { info: { ...info, role: 'assistant', summary: true }, parts: [text(said.summary)] }
      case 'assistant':
        return {
          info: { ...info, role: 'assistant', modelID: looseOf(said.model).id },
          parts: arrayOf(said.content).map(partOf),
        }
      case 'agent-switched':
      case 'model-switched':
        return { info: { ...info, role: 'user' }, parts: [] }
      default:
        return { info: { ...info, role: type }, parts: [] }
    }
  },
  holds: "SELECT 1 FROM session_message WHERE session_id = ? AND data LIKE ? ESCAPE '\\' LIMIT 1",
})

function fileOf(file: unknown): Loose {
  const { uri, url, name, filename, mime } = looseOf(file)
  return { type: 'file', mime, url: url ?? uri, filename: filename ?? name }
}

function partOf(part: unknown): Loose {
  const { type, id, name, state, ...rest } = looseOf(part)
  if (type !== 'tool') return { type, ...rest }
  const { status, input, content, error } = looseOf(state)
  const output = arrayOf(content).flatMap((each) => stringOf(looseOf(each).text) ?? [])
  const done = { output: output.join('\n'), error: stringOf(looseOf(error).message) ?? output.join('\n') }
  return { type, callID: id, tool: name, state: { status, input, ...done } }
}

/** A compaction in place writes the kept rows again. */
const REPEATED = `AND NOT EXISTS (SELECT 1 FROM messages p WHERE p.session_id = m.session_id AND p.timestamp = m.timestamp
  AND p.id < m.id AND p.compacted = 1 AND p.role = m.role AND p.content IS m.content
  AND p.tool_call_id IS m.tool_call_id AND p.tool_calls IS m.tool_calls)`

/** Hermes Agent's database. A row that is neither active nor compacted was taken back. */
const hermes: Layout = {
  tables: ['sessions', 'messages', 'state_meta'],
  sessions: (has) => `
    SELECT s.id, ${has('sessions.cwd') ? 's.cwd' : "''"} AS directory,
      1000 * coalesce((SELECT max(timestamp) FROM messages WHERE session_id = s.id), s.started_at) AS modifiedAt,
      (SELECT coalesce(sum(octet_length(coalesce(content, '') || coalesce(tool_calls, ''))), 0) FROM messages
        WHERE session_id = s.id) AS bytes,
      0 AS compactions,
      (SELECT content FROM messages WHERE session_id = s.id AND role = 'user' ORDER BY id LIMIT 1) AS began
    FROM sessions s WHERE s.source NOT IN ('subagent', 'tool') AND EXISTS (SELECT 1 FROM messages WHERE session_id = s.id)`,
  messages: (branches, has) => `
    SELECT * FROM messages m WHERE session_id = ?1 ${has('messages._compressed_summary') ? 'AND _compressed_summary = 0' : ''}
      ${branches !== 'all' && has('messages.compacted') ? 'AND (active = 1 OR compacted = 1)' : ''}
      ${has('messages.compacted') ? REPEATED : ''} ORDER BY id`,
  record({ role, content, tool_call_id, tool_calls, timestamp }) {
    const text = stringOf(content)
    return {
      role,
      content: text?.startsWith('\0json:') ? parseJson(text.slice(6)) : (text ?? ''),
      ...(nameOf(tool_call_id) !== undefined && { tool_call_id }),
      ...(nameOf(tool_calls) !== undefined && { tool_calls: parseJson(String(tool_calls)) }),
      timestamp: Math.round(Number(timestamp) * 1000),
    }
  },
  holds:
    "SELECT 1 FROM messages WHERE session_id = ? AND content || coalesce(tool_calls, '') LIKE ? ESCAPE '\\' LIMIT 1",
}

const goose: Layout = {
  tables: ['sessions', 'messages', 'schema_version'],
  sessions: (has) => `
    SELECT s.id, s.working_dir AS directory, 1000 * unixepoch(s.updated_at) AS modifiedAt,
      (SELECT coalesce(sum(octet_length(content_json)), 0) FROM messages WHERE session_id = s.id) AS bytes,
      (SELECT count(*) FROM messages WHERE session_id = s.id
        AND json_extract(metadata_json, '$.userVisible') = 0 AND role = 'assistant') AS compactions,
      (SELECT json_extract(content_json, '$[0].text') FROM messages
        WHERE session_id = s.id AND role = 'user' ORDER BY id LIMIT 1) AS began
    FROM sessions s WHERE ${has('sessions.session_type') ? "s.session_type NOT IN ('sub_agent', 'hidden')" : '1'}
      AND EXISTS (SELECT 1 FROM messages WHERE session_id = s.id)`,
  messages: () => 'SELECT * FROM messages WHERE session_id = ?1 ORDER BY id',
  record: ({ role, content_json, created_timestamp: created, metadata_json }) => ({
    role,
    created,
    content: parseJson(String(content_json)),
    metadata: parseJson(String(metadata_json ?? 'null')) ?? {},
  }),
  holds: "SELECT 1 FROM messages WHERE session_id = ? AND content_json LIKE ? ESCAPE '\\' LIMIT 1",
}

export const LAYOUTS: readonly Layout[] = [
  opencode1,
  opencode2('session_v2'),
  opencode2('session'),
  hermes,
  goose,
]
