import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import compressor from '@palimpsest/compressor'
import {
  createContextSession,
  isInstruction,
  type Loose,
  looseOf,
  type Message,
  type Prepared,
} from '@palimpsest/core'
import { readSessionLines, readTranscript } from '@palimpsest/transcripts'
import { printable } from '../lcm/printable.ts'
import { UsageError } from '../usage-error.ts'
import { codexFolder } from './agents.ts'
import { parseObject } from './parse-object.ts'
import { findSession } from './session-file.ts'
import { claudeRows, codexRows, timedId } from './session-rows.ts'

export interface CompactFlags {
  readonly window: number
}

/**
 * `palimpsest sessions compact`: compacts a session without a model into a new one that its agent can resume. The
 * original stays unchanged.
 */
export async function compactSession(session: string, { window }: CompactFlags): Promise<number> {
  const { path, note } = await findSession(session)
  if (note !== undefined) process.stderr.write(`${note}\n`)
  const { format, entries } = await readTranscript(path)
  if (format !== 'claude-code' && format !== 'codex')
    throw new UsageError(
      `a session of ${format} cannot be written back: compact sessions of claude-code and codex; "palimpsest sessions export" writes any`,
    )
  const { messages, before, after } = await compacted(
    entries.map(({ message }) => message),
    window,
  )
  const written = await (format === 'codex' ? writeCodex : writeClaude)(path, messages)
  process.stdout.write(
    `${path} stays as it is: ${before} tokens in ${entries.length} messages.\n${written.path}: ${after} tokens in ${messages.length} messages.\nResume it with: ${written.resume}${written.folder === undefined ? '' : ` (in ${written.folder})`}\n`,
  )
  return 0
}

async function compacted(all: readonly Message[], window: number) {
  const { createTokenCounter } = await import('@palimpsest/tokens')
  const tokens = createTokenCounter()
  const messages = all.filter((message) => !isInstruction(message))
  const session = createContextSession({ engine: compressor, contextLength: window, tokens })
  try {
    let prepared: Prepared = await session.prepare(messages)
    if (!session.lastCompaction) {
      await session.compact()
      prepared = await session.prepare()
    }
    const sizeOf = (list: readonly Message[]) =>
      list.reduce((sum, message) => sum + tokens.countMessage(message), 0)
    const shown = prepared.messages.filter((message) => !isInstruction(message))
    const [before, after] = [sizeOf(messages), sizeOf(shown)]
    if (after >= before)
      throw new UsageError(
        `nothing of it can be left out: its ${before} tokens are what an engine keeps in any case`,
      )
    return { messages: shown, before, after }
  } finally {
    await session.end()
  }
}

interface Written {
  readonly path: string
  readonly resume: string
  /** The project's, where the agent finds the session only there. */
  readonly folder?: string
}

async function writeClaude(original: string, messages: readonly Message[]): Promise<Written> {
  const id = randomUUID()
  let last: Loose = {}
  await readSessionLines(original, (text) => {
    const row = parseObject(text) ?? {}
    if (typeof row.cwd !== 'string') return
    const model = looseOf(row.message).model
    last = {
      ...last,
      cwd: row.cwd,
      version: row.version,
      gitBranch: row.gitBranch,
      ...(model !== undefined && { model }),
    }
  })
  const path = join(dirname(original), `${id}.jsonl`)
  await writeRows(path, claudeRows(messages, last, { id, endsAt: Date.now() }))
  return {
    path,
    resume: `claude --resume ${id}`,
    ...(typeof last.cwd === 'string' && { folder: printable(last.cwd) }),
  }
}

async function writeCodex(original: string, messages: readonly Message[]): Promise<Written> {
  const now = Date.now()
  const id = timedId(now)
  let header: Loose | undefined
  let context: Loose | undefined
  await readSessionLines(original, (text) => {
    const row = parseObject(text) ?? {}
    if (row.type === 'session_meta') header ??= looseOf(row.payload)
    if (row.type === 'turn_context') context = row
  })
  // Names use local time. Swedish dates are ISO dates.
  const [day = '', time = ''] = new Date(now).toLocaleString('sv-SE').split(' ')
  const folder = join(codexFolder(process.env), 'sessions', ...day.split('-'))
  const path = join(folder, `rollout-${day}T${time.replaceAll(':', '-')}-${id}.jsonl`)
  await mkdir(folder, { recursive: true })
  await writeRows(path, codexRows(messages, { header: header ?? {}, context }, { id, endsAt: now }))
  return { path, resume: `codex resume ${id}` }
}

/** Existing files are never overwritten. */
async function writeRows(path: string, rows: readonly object[]): Promise<void> {
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''), { flag: 'wx', mode: 0o600 })
}
