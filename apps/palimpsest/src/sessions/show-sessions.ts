import { createReadStream } from 'node:fs'
import { redactSecrets } from '@palimpsest/core'
import { createInspector, type SessionView, type ViewSummary } from '@palimpsest/inspector'
import { createTokenCounter } from '@palimpsest/tokens'
import { databasePlace, listAgentSessions, readTranscript } from '@palimpsest/transcripts'
import { billPrices } from '../bill/bill-prices.ts'
import { chooseEngine } from '../engines/choose-engine.ts'
import { loadConfiguration } from '../engines/configuration.ts'
import { OFFLINE_SUMMARIES } from '../models/find-summary-model.ts'
import { replayCommand } from '../replay/replay-command.ts'
import { replayEngine } from '../replay/replay-engine.ts'
import { redactView } from '../replay/run-replay.ts'
import { type PageServer, startPageServer } from '../serve/http/start-page.ts'
import type { AgentName } from './agents.ts'
import type { SessionFile } from './find-session-files.ts'
import type { ListedSession } from './listed-session.ts'

const WINDOW = 200_000
const KEPT = 4

export async function showSessions(sessions: readonly ListedSession[]): Promise<PageServer> {
  const opened = new Map<string, Promise<SessionView>>()
  const view = ({ id }: ViewSummary): Promise<SessionView> => {
    const session = sessions.find(({ number }) => String(number) === id)
    if (session === undefined) throw new Error(`there is no session ${id}`)
    const known = opened.get(id) ?? replayed(session)
    known.catch(() => opened.delete(id))
    opened.delete(id)
    opened.set(id, known)
    for (const oldest of [...opened.keys()].slice(0, -KEPT)) opened.delete(oldest)
    return known
  }
  const summaries = await Promise.all(sessions.map(summaryOf))
  const inspector = createInspector()
  inspector.remember({ list: async () => summaries, view })
  return startPageServer(inspector)
}

async function summaryOf(session: ListedSession): Promise<ViewSummary> {
  const { number, agent, project, bytes, modifiedAt } = session
  return {
    id: String(number),
    title: titleOf(session),
    ...{ source: 'replay', engine: '', model: null, isLive: false, startedAt: modifiedAt },
    ...{ requests: 0, messages: 0, tokens: 0, window: WINDOW },
    compactions: await countCompactions(session),
    recording: { agent, folder: project, bytes },
  }
}

function titleOf({ began, problem }: ListedSession): string {
  return redactSecrets(
    problem === null ? (began ?? 'its first question stands further down') : `(${problem})`,
  )
}

async function replayed(session: ListedSession): Promise<SessionView> {
  const { number, path } = session
  const configuration = await loadConfiguration(undefined, process.cwd())
  const engine = await chooseEngine(configuration, {})
  const transcript = await readTranscript(path)
  const about = { prices: billPrices(undefined, transcript.model), isRecorded: true }
  const texts = { model: undefined, summaries: OFFLINE_SUMMARIES }
  const task = { configuration, file: path, transcript, window: WINDOW, tokens: createTokenCounter() }
  const input = { engine, flags: {}, label: `replaying ${number}`, sessionId: String(number) }
  const { view } = await replayEngine({ ...task, ...texts, ...about }, input)
  if (view === undefined) throw new Error('nothing was recorded')
  const command = replayCommand(path)
  return { ...redactView(view), title: titleOf(session), ...(command !== undefined && { command }) }
}

const MARKS: Readonly<Partial<Record<AgentName, string>>> = {
  'claude-code': '"subtype":"compact_boundary"',
  codex: '"type":"compacted"',
  pi: '"type":"compaction"',
  'qwen-code': '"subtype":"chat_compression"',
  copilot: '"type":"session.compaction_complete"',
}

async function countCompactions({ agent, path }: Pick<SessionFile, 'agent' | 'path'>): Promise<number> {
  try {
    const place = databasePlace(path)
    const mark = MARKS[agent]
    if (place === undefined) return mark === undefined ? 0 : await countIn(path, Buffer.from(mark))
    const [session] = await listAgentSessions(place.database, place.id)
    return session?.compactions ?? 0
  } catch {
    return 0
  }
}

async function countIn(path: string, mark: Buffer): Promise<number> {
  let count = 0
  let rest: Buffer = Buffer.alloc(0)
  for await (const block of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const bytes = Buffer.concat([rest, block as Buffer])
    for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + mark.length)) count++
    // A mark may continue in the next block.
    rest = bytes.subarray(Math.max(0, bytes.length - mark.length + 1))
  }
  return count
}
