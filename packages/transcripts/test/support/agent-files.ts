import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** One session of an agent: for each word, a question with it, a call, its result and an answer. */
export interface Written {
  readonly home: string
  /** Its number among the sessions of the agent. */
  readonly number: number
  readonly words: readonly string[]
  readonly cwd: string
}

interface AgentFiles {
  /** Writes a session as the agent does, and returns its path for `readTranscript`. */
  write(session: Written): string
  /** Counts the messages in what was written, without a reader. */
  count(path: string): number
}

const ask = (word: string) => `Remember the ${word}.`
const saw = (word: string) => `It says ${word}, twice.`
const noted = (word: string) => `Noted: ${word}!`
const at = (turn: number) => new Date(Date.UTC(2026, 4, 1, 12) + turn * 60_000).toISOString()

function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

const lines = (records: readonly unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')
const matches = (path: string, pattern: RegExp) => (readFileSync(path, 'utf8').match(pattern) ?? []).length

function openDatabase(path: string, schema: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true })
  const isNew = !existsSync(path)
  const sql = new DatabaseSync(path)
  if (isNew) sql.exec(schema)
  return sql
}

function countRows(path: string, query: string): number {
  const [database = '', id = ''] = path.split('#')
  const sql = new DatabaseSync(database, { readOnly: true })
  const { n } = sql.prepare(query).get(id) as { n: number }
  sql.close()
  return n
}

function anthropicMessages(words: readonly string[], cwd: string): object[] {
  return words.flatMap((word, turn) => [
    {
      role: 'user',
      content: [
        { type: 'text', text: `<task>\n${ask(word)}\n</task>` },
        { type: 'text', text: `# Current Working Directory (${cwd}) Files` },
      ],
    },
    { role: 'assistant', content: [{ type: 'tool_use', id: `t${turn}`, name: 'read', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${turn}`, content: saw(word) }] },
    { role: 'assistant', content: [{ type: 'text', text: noted(word) }] },
  ])
}

const extension = (id: string): AgentFiles => ({
  write({ home, number, words, cwd }) {
    const folder = join(home, '.config/Code/User/globalStorage', id, 'tasks', String(number))
    return put(join(folder, 'api_conversation_history.json'), JSON.stringify(anthropicMessages(words, cwd)))
  },
  count: (path) => matches(path, /"role":/g),
})

/** The formats that agents write, after their public sources. */
export const AGENT_FILES: Readonly<Record<string, AgentFiles>> = {
  'claude-code': {
    write({ home, number, words, cwd }) {
      let last: string | null = null
      const row = (type: string, content: unknown, turn: number, part: number) => {
        const uuid: string = `c${number}-${turn}-${part}`
        const message = { role: type, content, ...(type === 'assistant' && { id: `m-${uuid}` }) }
        const base = {
          uuid,
          parentUuid: last,
          sessionId: `s${number}`,
          isSidechain: false,
          cwd,
          timestamp: at(turn),
        }
        last = uuid
        return { type, ...base, message }
      }
      const rows = words.flatMap((word, turn) => [
        row('user', ask(word), turn, 0),
        row('assistant', [{ type: 'tool_use', id: `t${turn}`, name: 'Read', input: {} }], turn, 1),
        row('user', [{ type: 'tool_result', tool_use_id: `t${turn}`, content: saw(word) }], turn, 2),
        row('assistant', [{ type: 'text', text: noted(word) }], turn, 3),
      ])
      return put(join(home, `.claude/projects/-work/${number}.jsonl`), lines(rows))
    },
    count: (path) => matches(path, /"type":"(?:user|assistant)","uuid"/g),
  },
  codex: {
    write({ home, number, words, cwd }) {
      const item = (payload: object, turn: number) => ({
        timestamp: at(turn),
        type: 'response_item',
        payload,
      })
      const said = (role: string, text: string, turn: number) =>
        item(
          { type: 'message', role, content: [{ type: `${role === 'user' ? 'in' : 'out'}put_text`, text }] },
          turn,
        )
      const rows = words.flatMap((word, turn) => [
        said('user', ask(word), turn),
        item({ type: 'function_call', name: 'shell', arguments: '{}', call_id: `t${turn}` }, turn),
        item({ type: 'function_call_output', call_id: `t${turn}`, output: saw(word) }, turn),
        said('assistant', noted(word), turn),
      ])
      const header = {
        timestamp: at(0),
        type: 'session_meta',
        payload: { id: `x${number}`, cwd, source: 'cli' },
      }
      return put(join(home, `.codex/sessions/2026/05/01/rollout-${number}.jsonl`), lines([header, ...rows]))
    },
    count: (path) => matches(path, /"type":"response_item"/g),
  },
  pi: {
    write({ home, number, words, cwd }) {
      let serial = 0
      const entry = (message: object) => {
        serial++
        const parentId = serial === 1 ? null : `e${serial - 1}`
        return { type: 'message', id: `e${serial}`, parentId, timestamp: at(serial), message }
      }
      const rows = words.flatMap((word, turn) => [
        entry({ role: 'user', content: ask(word) }),
        entry({
          role: 'assistant',
          content: [{ type: 'toolCall', id: `t${turn}`, name: 'read', arguments: {} }],
        }),
        entry({ role: 'toolResult', toolCallId: `t${turn}`, content: [{ type: 'text', text: saw(word) }] }),
        entry({ role: 'assistant', content: [{ type: 'text', text: noted(word) }] }),
      ])
      const header = { type: 'session', version: 3, id: `p${number}`, cwd }
      return put(join(home, `.pi/agent/sessions/--work--/${number}.jsonl`), lines([header, ...rows]))
    },
    count: (path) => matches(path, /"type":"message"/g),
  },
  opencode: {
    write({ home, number, words, cwd }) {
      const path = join(home, '.local/share/opencode/opencode.db')
      const sql = openDatabase(
        path,
        `CREATE TABLE session_v2 (id text PRIMARY KEY, parent_id text, directory text, revert text, time_updated integer);
         CREATE TABLE session_message (id text PRIMARY KEY, session_id text, type text, seq integer, time_created integer,
           time_updated integer, data text);`,
      )
      const id = `ses_${number}`
      sql.prepare('INSERT INTO session_v2 VALUES (?, NULL, ?, NULL, ?)').run(id, cwd, Date.parse(at(number)))
      const add = sql.prepare('INSERT INTO session_message VALUES (?, ?, ?, ?, 1, 1, ?)')
      let seq = 0
      const say = (type: string, data: object) =>
        add.run(`${id}_${seq}`, id, type, seq++, JSON.stringify(data))
      for (const [turn, word] of words.entries()) {
        say('user', { text: ask(word) })
        const state = { status: 'completed', input: {}, content: [{ type: 'text', text: saw(word) }] }
        const model = { id: 'm', providerID: 'p' }
        say('assistant', { model, content: [{ type: 'tool', id: `t${turn}`, name: 'read', state }] })
        say('assistant', { model, content: [{ type: 'text', text: noted(word) }] })
      }
      sql.close()
      return `${path}#${id}`
    },
    count: (path) =>
      countRows(
        path,
        'SELECT sum(1 + (data LIKE \'%"status":"completed"%\')) AS n FROM session_message WHERE session_id = ?',
      ),
  },
  'gemini-cli': {
    write({ home, number, words, cwd }) {
      const said = words.flatMap((word, turn) => {
        const functionResponse = { id: `t${turn}`, name: 'read_file', response: { output: saw(word) } }
        const call = {
          id: `t${turn}`,
          name: 'read_file',
          args: {},
          status: 'success',
          result: [{ functionResponse }],
        }
        return [
          { id: `u${turn}`, timestamp: at(turn), type: 'user', content: [{ text: ask(word) }] },
          {
            id: `g${turn}`,
            timestamp: at(turn),
            type: 'gemini',
            content: '',
            toolCalls: [call],
            model: 'gemini',
          },
          { id: `i${turn}`, timestamp: at(turn), type: 'info', content: 'of the host' },
          { id: `h${turn}`, timestamp: at(turn), type: 'gemini', content: noted(word), model: 'gemini' },
        ]
      })
      const facts = {
        sessionId: `g${number}`,
        projectHash: 'h',
        startTime: at(0),
        lastUpdated: at(9),
        kind: 'main',
      }
      const folder = join(home, '.gemini/tmp/work')
      put(join(folder, '.project_root'), cwd)
      const path = join(folder, `chats/session-${number}`)
      // Every other one as older versions write it.
      if (number % 2 === 1) return put(`${path}.json`, JSON.stringify({ ...facts, messages: said }, null, 2))
      return put(`${path}.jsonl`, lines([facts, ...said, { $set: { lastUpdated: at(10) } }]))
    },
    count: (path) => matches(path, /"type": ?"(?:user|gemini)"|"functionResponse"/g),
  },
  'qwen-code': {
    write({ home, number, words, cwd }) {
      let last: string | null = null
      const row = (type: string, role: string, parts: object[], turn: number, part: number) => {
        const uuid: string = `q${turn}-${part}`
        const base = {
          uuid,
          parentUuid: last,
          sessionId: `q${number}`,
          timestamp: at(turn),
          cwd,
          version: '1',
        }
        last = uuid
        return { ...base, type, message: { role, parts } }
      }
      const rows = words.flatMap((word, turn) => {
        const id = `t${turn}`
        return [
          row('user', 'user', [{ text: ask(word) }], turn, 0),
          row('assistant', 'model', [{ functionCall: { id, name: 'read', args: {} } }], turn, 1),
          row(
            'tool_result',
            'user',
            [{ functionResponse: { id, name: 'read', response: { output: saw(word) } } }],
            turn,
            2,
          ),
          row('assistant', 'model', [{ text: 'thinking', thought: true }, { text: noted(word) }], turn, 3),
        ]
      })
      return put(join(home, `.qwen/projects/-work/chats/q${number}.jsonl`), lines(rows))
    },
    count: (path) => matches(path, /"type":"(?:user|assistant|tool_result)"/g),
  },
  copilot: {
    write({ home, number, words, cwd }) {
      let serial = 0
      const event = (type: string, data: object) => ({
        type,
        data,
        id: `v${++serial}`,
        timestamp: at(serial),
        parentId: null,
      })
      const rows = words.flatMap((word, turn) => {
        const toolCallId = `t${turn}`
        const toolRequests = [{ toolCallId, name: 'view', arguments: { path: 'a' } }]
        return [
          event('user.message', { content: ask(word) }),
          event('assistant.message', { messageId: `m${turn}`, content: '', toolRequests }),
          event('tool.execution_start', { toolCallId, toolName: 'view' }),
          event('tool.execution_complete', { toolCallId, success: true, result: { content: saw(word) } }),
          event('assistant.message', { messageId: `n${turn}`, content: noted(word), toolRequests: [] }),
        ]
      })
      const header = event('session.start', { sessionId: `c${number}`, version: 1, context: { cwd } })
      return put(join(home, `.copilot/session-state/c${number}/events.jsonl`), lines([header, ...rows]))
    },
    count: (path) => matches(path, /"type":"(?:user\.message|assistant\.message|tool\.execution_complete)"/g),
  },
  goose: {
    write({ home, number, words, cwd }) {
      const path = join(home, '.local/share/goose/sessions/sessions.db')
      const sql = openDatabase(
        path,
        `CREATE TABLE schema_version (version INTEGER);
         CREATE TABLE sessions (id TEXT PRIMARY KEY, session_type TEXT, working_dir TEXT, updated_at TIMESTAMP);
         CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content_json TEXT,
           created_timestamp INTEGER, metadata_json TEXT);`,
      )
      const id = `20260501_${number}`
      sql.prepare("INSERT INTO sessions VALUES (?, 'user', ?, '2026-05-01 12:00:00')").run(id, cwd)
      const add = sql.prepare("INSERT INTO messages VALUES (NULL, ?, ?, ?, 1777636800, '{}')")
      const say = (role: string, ...content: object[]) => add.run(id, role, JSON.stringify(content))
      for (const [turn, word] of words.entries()) {
        const call = { status: 'success', value: { name: 'shell', arguments: {} } }
        const value = { content: [{ type: 'text', text: saw(word) }], isError: false }
        say('user', { type: 'text', text: ask(word) })
        say('assistant', { type: 'toolRequest', id: `t${turn}`, toolCall: call })
        say('user', { type: 'toolResponse', id: `t${turn}`, toolResult: { status: 'success', value } })
        say('assistant', { type: 'text', text: noted(word) })
      }
      sql.close()
      return `${path}#${id}`
    },
    count: (path) => countRows(path, 'SELECT count(*) AS n FROM messages WHERE session_id = ?'),
  },
  hermes: {
    write({ home, number, words, cwd }) {
      const path = join(home, '.hermes/state.db')
      const sql = openDatabase(
        path,
        `CREATE TABLE state_meta (key TEXT, value TEXT);
         CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT, started_at REAL, cwd TEXT);
         CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content TEXT,
           tool_call_id TEXT, tool_calls TEXT, timestamp REAL, active INTEGER DEFAULT 1, compacted INTEGER DEFAULT 0,
           _compressed_summary INTEGER DEFAULT 0);`,
      )
      const id = `20260501_120000_${number}`
      sql.prepare("INSERT INTO sessions VALUES (?, 'cli', 1777636800, ?)").run(id, cwd)
      const add = sql.prepare(
        'INSERT INTO messages (session_id, role, content, tool_call_id, tool_calls, timestamp) VALUES (?, ?, ?, ?, ?, ?)',
      )
      const say = (
        role: string,
        content: string,
        call: string | null = null,
        calls: object[] | null = null,
      ) => add.run(id, role, content, call, calls && JSON.stringify(calls), 1777636800)
      for (const [turn, word] of words.entries()) {
        say('user', ask(word))
        say('assistant', '', null, [
          { id: `t${turn}`, type: 'function', function: { name: 'read', arguments: '{}' } },
        ])
        say('tool', saw(word), `t${turn}`)
        say('assistant', noted(word))
      }
      sql.close()
      return `${path}#${id}`
    },
    count: (path) => countRows(path, 'SELECT count(*) AS n FROM messages WHERE session_id = ?'),
  },
  cline: extension('saoudrizwan.claude-dev'),
  'roo-code': extension('rooveterinaryinc.roo-cline'),
  aider: {
    write({ words, cwd }) {
      const turns = words.map((word) => `#### ${ask(word)}  \n\n${noted(word)}\n\n> Tokens: 1k sent.  \n`)
      const path = join(cwd, '.aider.chat.history.md')
      return put(
        path,
        `\n# aider chat started at 2026-05-01 12:00:00\n\n> Aider v0.86  \n\n${turns.join('\n')}`,
      )
    },
    count: (path) => matches(path, /^#### |^Noted/gm),
  },
}
